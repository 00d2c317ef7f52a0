"""Retrieval, measured: `python -m benchmarks.retrieval [PART ...]`.

Parts, all but `sparse` unless some are named:

    table      the systems on `dev`
    paper      UR3WG's published figures beside ours
    ablation   each part left out: of the score, and with --trained (a folder that `texgeist train` wrote)
               of the training as well
    lexicon    UR3WG's two scores and the approximation of its Appendix A.1
    keywords   the authors' keywords in place of the abstract
    feedback   expansion from the index itself
    expansion  expansion by a model; needs --answers, see `expansion.py`
    related    only what is cited in the related-work sections counts
    fields     a field of the queries left out when the trees are learned; needs the extra [torch]
    examples   half of the citations are known
    latex      real LaTeX projects and what they cite
    elsewhere  drafts of other fields, researchers' questions and citing sentences; takes minutes
    product    LitSearch's questions asked of the product, in Milvus Lite; takes minutes
    latency    whole searches in Milvus Lite
    sparse     the same in indexes that keep the papers' words as well; takes minutes

All figures are percent with 95 % bootstrap intervals over the queries; `*` differs from the first row of its
table, p < 0.05. A part whose files are missing is left out, and says so.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.inputs import title_vectors
from texgeist_retrieval.evaluation.report import evaluate, table
from texgeist_retrieval.evaluation.systems import Bench, first_orders, pool_of, run_system, unseen_documents
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.pools import total

from . import ablation, data, elsewhere, fields, keywords, latency
from .inputs import Missing, embedder_at
from .show import compare, print_rows, recalls

PARTS = (
    "table",
    "paper",
    "ablation",
    "lexicon",
    "keywords",
    "feedback",
    "expansion",
    "related",
    "fields",
    "examples",
    "latex",
    "elsewhere",
    "product",
    "latency",
    "sparse",
)


# What the authors of UR3WG report, recall at 5, 10 and 20, by the data that they used.
PUBLISHED = {
    "UR3WG on TAS2": {
        "BM25": "6.3 / 9.8 / 13.8",
        "dense retrieval": "~21 / ~29 / ~38 (keywords)",
        "the whole, by each system's own lights": "37.4 / 41.6 / 44.2",
    },
    "UR3WG on TAD": {"the whole, by each system's own lights": "31.2 / 40.2 / 49.5"},
}
OURS = {
    "BM25": "bm25",
    "dense retrieval": "dense",
    "lexicon-enhanced dense retrieval, no expansion": "lexicon",
    "the whole, by each system's own lights": "full",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", default=PARTS[:-1], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--weights", type=Path, help="a folder of weights (default: those shipped)")
    parser.add_argument("--trained", type=Path, help="a folder that `texgeist train` wrote, for the ablation")
    parser.add_argument("--model", type=Path, help="the embedding model's folder (default: texgeist's own)")
    parser.add_argument("--answers", type=Path, help="a model's made-up papers, for expansion")
    parser.add_argument("--systems", default="dense,bm25,hybrid,adapter,lexicon,full")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    bench = data.bench_of(options.data, "dev", options.weights)
    try:
        bench.titles = title_vectors(bench.collection, lambda: embedder_of(options))
    except Missing as missing:
        print(f"By the abstracts alone, without the titles: {missing}")
    for part in options.parts:
        print(f"\n## {part}\n", flush=True)
        start = time.monotonic()
        try:
            globals()[f"show_{part}"](bench, options)
        except Missing as missing:
            print(f"Left out: {missing}")
        print(f"\n({time.monotonic() - start:.0f} s)", flush=True)


def embedder_of(options: argparse.Namespace) -> Embedder:
    return embedder_at(options.model)


def show_table(bench: Bench, options: argparse.Namespace) -> None:
    report = evaluate(bench, options.systems.split(","), unseen_documents(bench))
    print_rows(table(report))
    print("seconds:", json.dumps({name: round(s, 1) for name, s in report.seconds.items()}))


def show_paper(bench: Bench, options: argparse.Namespace) -> None:
    """Other data, other queries: the rows can be read side by side, not subtracted."""
    cited = [topic.cited for topic in bench.collection.topics]
    ours = {name: recalls(run_system(bench, name), cited) for name in dict.fromkeys(OURS.values())}
    header = ["recall@5 / 10 / 20", *PUBLISHED, "texgeist on dev"]
    print_rows(
        [header, *([row, *(PUBLISHED[d].get(row, "-") for d in PUBLISHED), ours[OURS[row]]] for row in OURS)]
    )
    print("\nUR3WG's figures are those its authors give (EMNLP Findings 2023); ~ where rounded.")


def show_ablation(bench: Bench, options: argparse.Namespace) -> None:
    cited, unseen = [t.cited for t in bench.collection.topics], unseen_documents(bench)
    print("Each part's share of the score left out, the trees as they are:\n")
    compare(ablation.without_shares(bench), cited, unseen)
    tables = ablation.load_tables(options.trained) if options.trained else []
    if not tables:
        raise Missing("the trees trained again without each part; --trained names no folder with tables.")
    print("\nThe trees trained again without it:\n")
    orders = ablation.ablate(bench, tables)
    compare({"all": orders.pop("all"), **orders}, cited, unseen)


def show_related(bench: Bench, options: argparse.Namespace) -> None:
    kept, cited = data.related_work_only(options.data, bench)
    print(f"{len(kept)} queries, {sum(map(len, cited))} citations in their related-work sections\n")
    orders = {name: run_system(bench, name) for name in options.systems.split(",")}
    compare({name: [rows[i] for i in kept] for name, rows in orders.items()}, cited)


def show_fields(bench: Bench, options: argparse.Namespace) -> None:
    field = fields.fields_of(bench, data.bench_of(options.data, "train").queries)
    cited = [topic.cited for topic in bench.collection.topics]
    found = fields.orders(bench, field)
    for number in range(fields.FIELDS):
        rows = np.flatnonzero(field == number).tolist()
        print(f"\nfield {number + 1}, {len(rows)} queries:")
        compare(fields.one_field(found, rows), [cited[i] for i in rows])
    print("\nall:")
    compare(found, cited)


def show_latex(bench: Bench, options: argparse.Namespace) -> None:
    projects = data.latex_projects(options.data, lambda: embedder_of(options))
    if projects is None:
        raise Missing("no project cites a paper of the collections.")
    cited = [topic.cited for topic in projects.collection.topics]
    print(f"{len(cited)} projects, {sum(map(len, cited))} citations, {len(projects.vectors)} papers\n")
    orders = {name: run_system(projects, name) for name in options.systems.split(",")}
    compare(orders, cited)
    print("\nfound among the first 20 and 100, of all citations together:")
    for name, found in orders.items():
        counts = [sum(len(set(r[:k]) & set(c)) for r, c in zip(found, cited, strict=True)) for k in (20, 100)]
        print(f"{name}: {counts[0]} and {counts[1]} of {sum(map(len, cited))}")
    for topic, rows in zip(projects.collection.topics, orders.get("full", ()), strict=False):
        print(
            f"{topic.id}: {len(set(rows[:20]) & set(topic.cited))} of {len(topic.cited)} in full's first 20"
        )


def show_examples(bench: Bench, options: argparse.Namespace) -> None:
    """Half of each query's citations stand in the draft; the other half is looked for."""
    given, wanted = data.half_known(bench)
    orders: dict[str, list[list[int]]] = {"without": [], "with examples": []}
    for number, first in enumerate(first_orders(bench)):
        if not wanted[number]:
            continue
        pool = best(first, 200)
        flags = np.isin(pool, given[number])
        text = bench.collection.topics[number].text
        parts = bench.ranker.score(bench.asked[number], text, pool_of(bench, pool), flags)
        for name, chosen in (
            ("without", {k: v for k, v in parts.items() if k != "like what you cite"}),
            ("with examples", parts),
        ):
            order = np.argsort(-total(chosen), kind="stable")
            orders[name].append([pool[i] for i in order if not flags[i]])
    compare(orders, [rows for rows in wanted if rows])


def show_lexicon(bench: Bench, options: argparse.Namespace) -> None:
    """Lexicon-enhanced dense retrieval: its two scores, and the approximation for large collections."""
    from . import lexicon

    orders, figures = lexicon.parts(bench)
    compare(orders, [t.cited for t in bench.collection.topics], unseen_documents(bench))
    print(", ".join(f"{name}: {value:.3f}" for name, value in figures.items()))


def show_keywords(bench: Bench, options: argparse.Namespace) -> None:
    compare(*keywords.orders(bench, embedder_of(options)))


def show_feedback(bench: Bench, options: argparse.Namespace) -> None:
    """Expansion from the index itself, without a model."""
    from . import expansion

    orders = expansion.with_feedback(bench)
    cited = [t.cited for t in bench.collection.topics]
    for base in ("dense", "bm25", "full"):
        compare({name: rows for name, rows in orders.items() if name.startswith(base)}, cited)
        print()


def show_expansion(bench: Bench, options: argparse.Namespace) -> None:
    """A model's made-up papers, on the queries that it has answered (see `expansion.py`)."""
    from . import expansion

    if options.answers is None:
        raise Missing("it needs --answers, made by `python -m benchmarks.retrieval.expansion`.")
    answers = expansion.read_answers(options.answers)
    rows = expansion.vectors_of(
        answers, options.answers, lambda texts: embedder_of(options).embed_documents(texts)
    )
    kept = [i for i, topic in enumerate(bench.collection.topics) if topic.id in answers]
    by_number = {
        i: rows[bench.collection.topics[i].id] for i in kept if bench.collection.topics[i].id in rows
    }
    orders = expansion.with_expansions(bench, kept, by_number)
    cited = [bench.collection.topics[i].cited for i in kept]
    print(
        f"{len(kept)} queries, {len(by_number)} with made-up papers, {sum(map(len, by_number.values()))} of them\n"
    )
    for base in ("dense", "full"):
        compare({name: found for name, found in orders.items() if name.startswith(base)}, cited)
        print()


def show_sparse(bench: Bench, options: argparse.Namespace) -> None:
    """Whole searches in Milvus Lite, whose indexes keep sparse vectors of the papers' words or not."""
    from texgeist_retrieval.index import open_index

    from . import sparse

    orders, times = sparse.compare(bench, lambda path, kept: open_index(str(path), create=True, sparse=kept))
    compare(orders, [t.cited for t in bench.collection.topics], unseen_documents(bench))
    show_times(times)


def show_elsewhere(bench: Bench, options: argparse.Namespace) -> None:
    elsewhere.show(options.data, options.weights, lambda: embedder_of(options))


def show_product(bench: Bench, options: argparse.Namespace) -> None:
    from texgeist_retrieval.index import open_index

    from . import product, sets

    asked = sets.bench_of_set("litsearch", options.data, lambda: embedder_of(options))
    orders, times = product.compare(
        asked, embedder_of(options), lambda path, kept: open_index(str(path), create=True, sparse=kept)
    )
    compare(orders, [t.cited for t in asked.collection.topics])
    show_times(times)


def show_times(times: dict[str, list[float]]) -> None:
    for name, found in times.items():
        print(f"{name}: p50 {np.percentile(found, 50):.0f} ms, p95 {np.percentile(found, 95):.0f} ms")


def show_latency(bench: Bench, options: argparse.Namespace) -> None:
    from texgeist_retrieval.index import open_index

    print(json.dumps(latency.measure(bench, lambda path: open_index(str(path), create=True)), indent=2))


if __name__ == "__main__":
    main()
