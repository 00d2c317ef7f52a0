"""Does `pipeline/fitting.py` tell papers that fit a sentence or question from the nearest papers?

    python -m benchmarks.fitting [SET ...] [--queries N]

Each query is searched in libraries of 300 papers: with its cited papers; without them, but with the others that the
draft cites; and, for sentences of related-work sections, with papers that other drafts cite. Sentences of LaTeX
projects are searched in the bibliography of the project. Printed are, for these
libraries, the share of queries for which a paper fits; and, with the cited papers, recall among the first papers by
the ranker and by the chance, the share of right papers among the likely, possible and unlikely papers that are shown,
and the share of right papers among the first three that are unlikely ("lost"). `--fit` prints weights fitted to the
given sets.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from texgeist_latex.bib.identity import year_of
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import open_project
from texgeist_retrieval.pipeline import fitting
from texgeist_retrieval.ranking.ranker import POOL, LearnedRanker
from texgeist_retrieval.training.collection import CitationCollection, Topic
from texgeist_retrieval.types import Candidate, Paper, Query, QueryKind, QueryPart
from texgeist_server.plain_text import plain

from benchmarks import offers
from benchmarks.__main__ import DATA
from benchmarks.completion import documents
from benchmarks.retrieval.sets import QUESTIONS, collection_of_set, embedder_at

PROJECTS, WITH = "projects", "with the cited papers"
SETS = ("deepscholar", PROJECTS, "scisumm", "litsearch")
OTHER_LANGUAGES = ("anesthesia-thesis-es", "authentifizierung-sigchi-de", "fefu-masters-thesis-ru")
MOST_ENTRIES = 300  # larger bibliographies take too long to embed
SIZE, SHOWN = 300, 3
FITTED = 30  # papers of each search that the weights are fitted to
STEPS = 40


@dataclass(frozen=True)
class Search:
    """The results of a query in one library, by the ranker and by the chance. `right`: ids of the cited papers."""

    library: str
    text: str
    ranked: Sequence[Candidate]
    likely: Sequence[Candidate]
    vector: np.ndarray
    right: frozenset[str]

    def hit(self, found: Sequence[Candidate], count: int) -> bool:
        return any(c.paper.id in self.right for c in found[:count])

    @property
    def offered(self) -> list[Candidate]:
        return [c for c in self.likely[:SHOWN] if c.possible]


def searches(name: str, most: int) -> Iterator[Search]:
    collection, ranker = collection_of_set(name)(DATA, lambda: embedder_at(None)), LearnedRanker.load()
    sentences = embedder_at(None).embed_documents([topic.abstract for topic in collection.topics])
    cited: dict[str, set[int]] = {}
    for topic in collection.topics:
        cited.setdefault(_draft(topic), set()).update(topic.cited)
    chosen = random.Random(1).sample(range(len(collection.topics)), min(most, len(collection.topics)))
    for number in chosen:
        topic = collection.topics[number]
        for library, rows in _libraries(topic, cited, len(collection.documents), name == "deepscholar"):
            kind: QueryKind = "question" if name in QUESTIONS else "sentence"
            query = Query(kind, (QueryPart(topic.abstract, "sentence"),), text=topic.abstract)
            pool = [_candidate(collection, row) for row in rows]
            ranked = ranker.rank(query, collection.asked[number], pool)[:POOL]
            vector = sentences[number]
            right = frozenset(str(row) for row in topic.cited)
            yield Search(
                library, topic.abstract, ranked, fitting.by_chance(query, vector, ranked), vector, right
            )


def in_projects(most: int) -> Iterator[Search]:
    """Sentences of the real LaTeX projects, searched in the project's own bibliography, of which mostly only titles
    are known: with the entries that the sentence cites, and without; or, if it cites nothing, in all entries."""
    ranker, embedder = LearnedRanker.load(), embedder_at(None)
    typed = [one for one in offers.sentences() if one.project not in OTHER_LANGUAGES]
    libraries = {name: _entries(name) for name in sorted({one.project for one in typed})}
    typed = [one for one in typed if len(libraries[one.project]) <= MOST_ENTRIES]
    citing, others = ([one for one in typed if bool(one.keys) == cites] for cites in (True, False))
    for one in [t for some in (citing, others) for t in random.Random(1).sample(some, min(most, len(some)))]:
        papers, text = libraries[one.project], plain(one.sentence)
        vector = embedder.embed_documents([text])[0]
        rows = embedder.embed_documents([paper.abstract or paper.title for paper in papers])
        pool = [
            Candidate(p, 0.0, 1, vector=row / np.linalg.norm(row))
            for p, row in zip(papers, rows, strict=True)
        ]
        query = Query("sentence", (QueryPart(text, "sentence"),), text=text)
        for library in (WITH, "without") if one.keys else ("sentences that cite nothing",):
            kept = [c for c in pool if library != "without" or c.paper.id not in one.keys]
            ranked = ranker.rank(query, vector, kept)[:POOL]
            likely = fitting.by_chance(query, vector, ranked)
            yield Search(library, text, ranked, likely, vector, frozenset(one.keys))


def _entries(project: str) -> list[Paper]:
    """The entries of a project with a title, as papers; the id is the key."""
    found: dict[str, Paper] = {}
    for root in documents(DATA / "latex" / project):
        with suppress(LatexError):
            for key, (_, entry) in open_project(root).library.by_key.items():
                title, abstract = (plain(entry.fields.get(name, "")) for name in ("title", "abstract"))
                if title:
                    found[key] = Paper(key, title, abstract, year=year_of(entry))
    return list(found.values())


def _draft(topic: Topic) -> str:
    return topic.id.rsplit("-", 1)[0]


def _libraries(
    topic: Topic, cited: dict[str, set[int]], papers: int, by_drafts: bool
) -> Iterator[tuple[str, list[int]]]:
    draw, right = random.Random(topic.id), set(topic.cited)
    mine = sorted(cited[_draft(topic)] - right) if by_drafts else []
    others = sorted(set().union(*cited.values()) - right - set(mine)) if by_drafts else []
    others = draw.sample(others, min(len(others), SIZE))
    rest = [row for row in draw.sample(range(papers), 2 * SIZE) if row not in right and row not in mine]
    filled = list(dict.fromkeys([*mine, *others, *rest]))[:SIZE]
    yield WITH, [*right, *filled[: SIZE - len(right)]]
    yield "without", filled
    if by_drafts:
        yield "of other drafts", list(dict.fromkeys([*others, *rest]))[:SIZE]


def _candidate(collection: CitationCollection, row: int) -> Candidate:
    document, vector = collection.documents[row], collection.vectors[row]
    paper = Paper(str(row), document.title, document.abstract, year=document.year)
    return Candidate(paper, 0.0, 1, vector=np.asarray(vector, dtype=np.float32))


def tell(name: str, found: Sequence[Search]) -> None:
    print(f"{name}: {len({s.text for s in found})} queries")
    for library in dict.fromkeys(s.library for s in found):
        some = [s for s in found if s.library == library]
        print(f"  {library}: a paper fits for {np.mean([bool(s.offered) for s in some]):.2f}")
    held = [s for s in found if s.library == WITH]
    for order in ("ranked", "likely"):
        first, three = (np.mean([s.hit(getattr(s, order), n) for s in held]) for n in (1, SHOWN))
        print(f"  {order}: right paper first {first:.3f}, among the first {SHOWN} {three:.3f}")
    shown = [(c.fit, c.paper.id in s.right) for s in held for c in s.likely[:SHOWN]]
    for fit_ in ("likely", "possible", "unlikely"):
        right = [is_right for word, is_right in shown if word == fit_]
        print(f"  {fit_}: {len(right)} shown, {sum(right) / max(len(right), 1):.2f} cited by the author")
    near = [s for s in held if s.hit(s.likely, SHOWN)]
    print(f"  lost: {1 - np.mean([s.hit(s.offered, SHOWN) for s in near]):.3f}")


def fit(found: Sequence[Search]) -> None:
    """Prints weights fitted to the order within each search with the cited papers: a logistic regression on which of
    the first papers is cited. Bias and scale of the product's weights were then fitted to a reader's judgements."""
    groups = []
    for search in (s for s in found if s.library == WITH):
        numbers = fitting.numbers_of(search.text, search.vector, search.ranked)[:FITTED]
        right = np.array([c.paper.id in search.right for c in search.ranked[:FITTED]], float)
        if right.any():
            groups.append((numbers, right / right.sum()))
    weights = np.zeros(len(fitting.WEIGHTS))
    for _ in range(STEPS):
        slope, bend = -weights, np.eye(len(weights))
        for numbers, right in groups:
            odds = np.exp(numbers @ weights - (numbers @ weights).max())
            share = odds / odds.sum()
            mean = share @ numbers
            slope = slope + right @ numbers - mean
            bend = bend + (numbers * share[:, None]).T @ numbers - np.outer(mean, mean)
        weights = weights + np.linalg.solve(bend, slope)
    print("weights, up to scale:", np.round(weights, 3).tolist())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--queries", type=int, default=100, help="queries of each set")
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    everything: list[Search] = []
    for name in given.sets:
        found = list(in_projects(given.queries) if name == PROJECTS else searches(name, given.queries))
        tell(name, found)
        everything += found
    if given.fit:
        fit(everything)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
