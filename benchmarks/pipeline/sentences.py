"""With what should a sentence be searched: alone, in its paragraph, or both?

    python -m benchmarks.pipeline.sentences --model FOLDER [--data ../shared/data/citations] [--cache FOLDER]

Sentences with citation marks are taken from the related-work texts of real papers, three a paper, marks
taken out. Which of the paper's references a sentence cites is not known; a hit is any paper that the
related work cites. Exact search over all abstracts of the collection; the papers found are also weighed by
the two sentences of their abstracts that lie nearest to the sentence, as `find_citations` does.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.pipeline.windows import split_sentences, windows

MARK = re.compile(r"\[[\d,\s\-–]+\]|\([^()]*(?:19|20)\d\d[^()]*\)")
EACH = 3
WEIGHED = 60  # sentences whose papers are also weighed by their passages
POOL = 9  # papers whose passages are looked at: LISTED of `pipeline.numbers` times MOST of `citations`


def tasks(data: Path) -> list[dict[str, Any]]:
    """Sentence, paragraph and gold documents."""
    with gzip.open(data / "dev-queries.jsonl.gz", "rt", encoding="utf-8") as lines:
        queries = [json.loads(line) for line in lines]
    found = []
    for query in queries:
        if len(query["related_work_docs"]) < 3:
            continue
        cited = []
        for paragraph in re.split(r"\n\s*\n|\n(?=[A-Z][^\n]{0,60}\.)", query["related_work"]):
            bare = " ".join(MARK.sub("", paragraph).split())
            for sentence in split_sentences(paragraph):
                words = " ".join(MARK.sub("", sentence).split())
                if MARK.search(sentence) and 8 <= len(words.split()) <= 50:
                    cited.append((words, bare[:3000]))
        step = max(len(cited) // EACH, 1)
        for sentence, paragraph in cited[::step][:EACH]:
            found.append(
                {"sentence": sentence, "paragraph": paragraph, "gold": set(query["related_work_docs"])}
            )
    return found


def embedded(texts: list[str], model: Path, cache: Path | None, name: str) -> Any:
    path = cache / f"sentences-{name}.npy" if cache else None
    if path and path.exists():
        return np.load(path)
    vectors = load_embedder(model, threads=1).embed_documents(texts)
    if path:
        np.save(path, vectors)
    return vectors


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--data", type=Path, default=Path("../shared/data/citations"))
    given.add_argument("--model", type=Path, required=True)
    given.add_argument("--cache", type=Path)
    options = given.parse_args()
    with gzip.open(options.data / "dev-corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        corpus = [json.loads(line) for line in lines]
    docs = [record["doc"] for record in corpus]
    vectors = np.load(options.data / "dev-corpus-mpnet.npy").astype(np.float32)
    work = tasks(options.data)
    alone = embedded([t["sentence"] for t in work], options.model, options.cache, "alone")
    around = embedded([t["paragraph"] for t in work], options.model, options.cache, "around")
    both = alone + around
    ways = {"sentence alone": alone, "its paragraph": around,
            "both, their mean": both / np.linalg.norm(both, axis=1, keepdims=True)}  # fmt: skip
    print(f"{len(work)} sentences; share of the first 3 (first 9) papers that the related work cites")
    for name, rows in ways.items():
        order = np.argsort(-(rows @ vectors.T), axis=1)[:, :POOL]
        hits = np.array([[docs[i] in t["gold"] for i in row] for row, t in zip(order, work, strict=True)])
        any3 = hits[:, :3].any(axis=1).mean()
        print(f"{name:20} {hits[:, :3].mean():.3f} ({hits.mean():.3f}), at least one of 3: {any3:.3f}")
    order = np.argsort(-(around @ vectors.T), axis=1)[:: len(work) // WEIGHED, :POOL]
    passages, owners = [], []
    for place, row in enumerate(order):
        task = place * (len(work) // WEIGHED)
        for i in row:
            for window in windows(split_sentences(corpus[i]["abstract"] or corpus[i]["title"])):
                passages.append(window)
                owners.append((task, docs[i]))
    print(f"{len(passages)} passages")
    rows = embedded(passages, options.model, options.cache, "passages")
    best: dict[tuple[int, int], float] = {}
    for (task, doc), row in zip(owners, rows, strict=True):
        best[task, doc] = max(best.get((task, doc), -1.0), float(row @ alone[task]))
    by_task: dict[int, list[tuple[float, int]]] = {}
    for (task, doc), similarity in best.items():
        by_task.setdefault(task, []).append((similarity, doc))
    firsts = [[d in work[t]["gold"] for _, d in sorted(pairs)[::-1][:3]] for t, pairs in by_task.items()]
    share, some = np.mean([np.mean(hit) for hit in firsts]), np.mean([any(hit) for hit in firsts])
    plain = [[docs[i] in work[t]["gold"] for i in row[:3]] for t, row in zip(by_task, order, strict=True)]
    print(f"{len(by_task)} of them, by the paragraph: {np.mean(plain):.3f}", end=", ")
    print(f"by their passages: {share:.3f}, at least one of 3: {some:.3f}")
    edges = [-1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.01]
    print("nearest passage's cosine: share of papers that are cited")
    for low, high in pairwise(edges):
        inside = [doc in work[task]["gold"] for (task, doc), s in best.items() if low <= s < high]
        if inside:
            print(f"  {low:5.2f} to {high:5.2f}: {np.mean(inside):.3f} of {len(inside)}")


if __name__ == "__main__":
    main()
