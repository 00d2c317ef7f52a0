"""What a model's made-up papers (UR3WG, section 4.2) add to the search, on a sample of the queries.

`python -m benchmarks.retrieval.expansion --ask URL --answers FILE` asks a model at an OpenAI-compatible
address, through the expander and the adapter of the product, and keeps each answer in FILE as it comes, so
that it may be stopped at any time. `python -m benchmarks.retrieval expansion --answers FILE` measures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.collection import Topic, unit
from texgeist_retrieval.evaluation.measures import DEPTH
from texgeist_retrieval.evaluation.systems import Bench, Order, first_orders, full, pool_of
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.expansion import ModelExpander
from texgeist_retrieval.ports import LanguageModel
from texgeist_retrieval.ranking.fusion import RRF_K, best, fuse
from texgeist_retrieval.ranking.pools import total
from texgeist_retrieval.ranking.ranker import POOL
from texgeist_retrieval.text.words import query_words, words
from texgeist_retrieval.types import Matrix, Query, QueryPart, Vector

from . import data

SEED = 6


def sample(count: int, seed: int = SEED) -> list[int]:
    """All queries in a drawn order, so that the first of them are a fair sample whenever it is stopped."""
    return [int(i) for i in np.random.default_rng(seed).permutation(count)]


def read_answers(path: Path) -> dict[str, tuple[str, ...]]:
    """Of each query's id the made-up papers; a query that the model gave nothing for has none."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {value["id"]: tuple(value["papers"]) for value in map(json.loads, lines)}


def ask(
    topics: list[Topic], model: LanguageModel, papers: int, path: Path, seconds: float
) -> Iterator[tuple[str, int, float]]:
    """Asks for what is not in the file yet, until the time is up: id, number of papers, seconds."""
    done, end = read_answers(path), time.monotonic() + seconds
    for topic in topics:
        if topic.id in done:
            continue
        if time.monotonic() > end:
            return
        start = time.monotonic()
        query = Query("abstract", (QueryPart(topic.abstract, "abstract"),), topic.abstract, topic.title)
        found = ModelExpander(model, papers).expand(query, Silent())
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": topic.id, "papers": found}, ensure_ascii=False) + "\n")
        yield topic.id, len(found), time.monotonic() - start


def vectors_of(
    answers: Mapping[str, tuple[str, ...]], path: Path, embed: Callable[[list[str]], Matrix]
) -> dict[str, Matrix]:
    """Rows of each answer's papers. Kept beside the answers, made anew when these are more."""
    kept = path.with_suffix(".npz")
    if kept.exists():
        with np.load(kept) as stored:
            if {name for name, papers in answers.items() if papers} == set(stored.files):
                return {name: stored[name] for name in stored.files}
    found = {name: unit(embed(list(papers))) for name, papers in answers.items() if papers}
    np.savez_compressed(kept, allow_pickle=False, **found)
    return found


def with_expansions(bench: Bench, kept: Sequence[int], rows: Mapping[int, Matrix]) -> dict[str, Order]:
    """Orders of the queries `kept`, without and with the made-up papers. A query that the model gave none
    for stays as it is: that is what a user would get."""
    dense = {i: bench.dense[i] for i in kept}
    full_orders = full(replace_topics(bench, kept))
    firsts = first_orders(replace_topics(bench, kept))
    found: dict[str, Order] = {name: [] for name in NAMES}
    for place, i in enumerate(kept):
        own, order = dense[i], full_orders[place]
        lists = [bench.vectors @ row for row in rows.get(i, ())]
        closest = (own + np.max(lists, axis=0)) / 2 if lists else own
        pool = list(dict.fromkeys([*best(firsts[place], POOL), *(d for one in lists for d in best(one, 50))]))
        wide = ranked(bench, i, pool)
        found["dense"].append(best(own, DEPTH))
        found["dense, mean of abstract and closest"].append(best(closest, DEPTH))
        found["dense, lists fused by rank"].append(best(fuse([own, *lists]), DEPTH))
        found["full"].append(order)
        found["full, expansions searched too"].append(wide + [d for d in order if d not in set(wide)])
        found["full, fused by rank 2:1"].append(fused(order, best(closest, DEPTH)))
    return found


NAMES = (
    "dense",
    "dense, mean of abstract and closest",
    "dense, lists fused by rank",
    "full",
    "full, expansions searched too",
    "full, fused by rank 2:1",
)


def with_feedback(bench: Bench) -> dict[str, Order]:
    """Pseudo-relevance feedback from the index itself, no model: the query's vector moved towards the first
    results (Rocchio, 1971, without negatives), and its words joined by theirs (RM3's manner)."""
    everyone = range(len(bench.queries))
    whole = full(bench)
    found: dict[str, Order] = {"dense": [best(row, DEPTH) for row in bench.dense]}
    for count, share in ((3, 0.3), (10, 0.3), (10, 0.5)):
        moved = [_towards(bench, i, count, share) for i in everyone]
        found[f"dense, {share:.0%} of the first {count}"] = [best(row, DEPTH) for row in moved]
    found["bm25"] = [best(row, DEPTH) for row in bench.lexical]
    found["bm25, words of the first 5"] = [_more_words(bench, i, 5) for i in everyone]
    found["full"] = whole
    found["full, fused 2:1 with dense feedback"] = [
        fused(whole[i], best(_towards(bench, i, 10, 0.3), DEPTH)) for i in everyone
    ]
    return found


def _towards(bench: Bench, number: int, count: int, share: float) -> Vector:
    own = bench.dense[number]
    centre = bench.vectors[best(own, count)].mean(axis=0)
    return np.asarray((1 - share) * own + share * (bench.vectors @ centre), dtype=np.float32)


def _more_words(bench: Bench, number: int, count: int, terms: int = 20, share: float = 0.3) -> list[int]:
    """The query's words with those of its first results that are the rarest for their number."""
    topic, first = bench.collection.topics[number], best(bench.lexical[number], count)
    asked = query_words(f"{topic.title} {topic.abstract}")
    joined = Counter(w for d in first for w in set(words(bench.collection.documents[d].text)))
    statistics = bench.ranker.parts.words
    weights = {w: n * statistics.idf(w) for w, n in joined.items()}
    chosen = sorted(weights, key=lambda w: -weights[w])[:terms]
    most = max(weights.values(), default=1.0)
    grown = {w: (1 - share) * v for w, v in asked.items()}
    for word in chosen:
        grown[word] = grown.get(word, 0.0) + share * weights[word] / most
    return best(bench.bm25.score(grown), DEPTH)


def replace_topics(bench: Bench, kept: Sequence[int]) -> Bench:
    topics = tuple(bench.collection.topics[i] for i in kept)
    part = Bench(
        replace(bench.collection, topics=topics),
        bench.vectors,
        bench.queries[list(kept)],
        bench.weights,
        None if bench.titles is None else bench.titles[list(kept)],
    )
    part.bm25 = bench.bm25
    return part


def ranked(bench: Bench, number: int, pool: list[int]) -> list[int]:
    text = bench.collection.topics[number].text
    scores = total(bench.ranker.score(bench.asked[number], text, pool_of(bench, pool)))
    return [pool[i] for i in np.argsort(-scores, kind="stable")]


def fused(first: Sequence[int], second: Sequence[int], weight: float = 2.0) -> list[int]:
    """Reciprocal rank fusion, the first order counting `weight` times."""
    scores: dict[int, float] = {}
    for order, share in ((first, weight), (second, 1.0)):
        for place, document in enumerate(order, start=1):
            scores[document] = scores.get(document, 0.0) + share / (RRF_K + place)
    return sorted(scores, key=lambda d: -scores[d])[:DEPTH]


def main() -> None:
    from texgeist_retrieval.writing import OpenAIModel

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--ask", required=True, metavar="URL", help="an OpenAI-compatible address, with /v1")
    parser.add_argument("--model", default="local")
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=15)
    options = parser.parse_args()
    options.answers.parent.mkdir(parents=True, exist_ok=True)
    topics = data.bench_of(options.data, "dev").collection.topics
    ordered = [topics[i] for i in sample(len(topics))]
    model = OpenAIModel(options.model, base_url=options.ask, timeout=300)
    for id_, count, seconds in ask(ordered, model, options.papers, options.answers, 60 * options.minutes):
        print(f"{id_}: {count} papers in {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
