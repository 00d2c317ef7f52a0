"""Is a citation offered where the author cites, and only there?

    python -m benchmarks.offers [--fit] [--list FILE]

Each sentence of the real projects that has at most one citation is read as if it were just typed: without its
citation, with the cursor at its end. `--fit` fits the weights of `reading/offers.py`, with the sentences of a project
left out in turn. `--list` writes the offers with their sentences, for readers.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import numpy as np
from texgeist_latex.errors import LatexError
from texgeist_latex.reading import offers
from texgeist_latex.reading.draft import open_project
from texgeist_latex.reading.files import Parsed
from texgeist_latex.reading.project import Project
from texgeist_latex.reading.surroundings import plain_words
from texgeist_latex.tex.sentences import split
from texgeist_latex.types import Span

from benchmarks.__main__ import DATA
from benchmarks.completion import LEAST, documents, is_at, moved

LOWEST = -99.0


@dataclass(frozen=True)
class Typed:
    """A sentence with what is offered at its end. `keys`: those that the author cites there."""

    project: str
    sentence: str
    keys: tuple[str, ...]
    offer: offers.OfferedEntry | None
    place: str


def sentences() -> Iterator[Typed]:
    for folder in sorted(path for path in (DATA / "latex").iterdir() if path.is_dir()):
        seen: set[str] = set()
        for root in documents(folder):
            try:
                project = open_project(root)
            except LatexError:
                continue
            if sum(c.key in project.library.by_key for c in project.citations) < LEAST:
                continue
            for parsed in project.texts:
                for typed in _of_file(project, parsed, folder.name):
                    if typed.sentence not in seen:
                        seen.add(typed.sentence)
                        yield typed


def _of_file(project: Project, parsed: Parsed, name: str) -> Iterator[Typed]:
    citations, at = project.citations_of(parsed), 0
    for piece in split(parsed.text):
        low, high = at, at + len(piece.text)
        at = high + len(piece.gap)
        inside = [c for c in citations if low <= c.command_span.start < high + 3]
        spans = {c.command_span for c in inside}
        known = tuple(c.key for c in inside if c.key in project.library.by_key)
        if piece.kind != "sentence" or len(spans) > 1 or bool(inside) != bool(known):
            continue
        cut = next(iter(spans), Span(parsed.path, high, high))
        cut = _with_space(parsed.text, low, cut)
        text = parsed.text[: cut.start] + parsed.text[cut.end :]
        if (end := _end(text, low, high - (cut.end - cut.start))) is None:
            continue
        others = [c for c in project.cited if not any(is_at(c, one) for one in inside)]
        own = [moved(c, cut) for c in citations if c not in inside]
        offer = offers.offered(project.library, text, parsed.path, end, own, others)
        place = f"{parsed.path.relative_to(DATA / 'latex')}:{parsed.scan.line(low)}"
        yield Typed(name, " ".join(text[low : end + 1].split()), known, offer, place)


def _with_space(text: str, low: int, citation: Span) -> Span:
    """The span of the citation with the space before it; unchanged if it is empty."""
    start = citation.start
    while low < start and text[start - 1] in " ~\n" and citation.end > citation.start:
        start -= 1
    return replace(citation, start=start)


def _end(text: str, low: int, high: int) -> int | None:
    """Where the last word of the sentence ends."""
    found = list(re.finditer(r"\w(?=[.!?](?:\s|$))", text[low : high + 2]))
    return low + found[-1].end() if found and len(plain_words(text[low:high])) > 4 else None


def tell(typed: Sequence[Typed], odds: Sequence[float], name: str) -> None:
    print(f"{name}: {len(typed):,} sentences, {sum(bool(t.keys) for t in typed)} with a citation")
    order = np.argsort(-np.array(odds), kind="stable")
    for count in (20, 30, 40, 50, 75, 100, 150, 200):
        best = [typed[i] for i in order[:count]]
        cited = sum(bool(t.keys) for t in best) / count
        right = sum(t.offer is not None and t.offer.entry.key in t.keys for t in best) / count
        print(
            f"  best {count} (log odds {odds[order[count - 1]]:.2f}): cited there {cited:.2f}, right {right:.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--list", type=Path)
    given = parser.parse_args()
    with mock.patch.object(offers, "LEAST", LOWEST):
        typed = list(sentences())
    odds = [t.offer.odds if t.offer else LOWEST for t in typed]
    tell(typed, odds, "with the weights of texgeist")
    if given.fit:
        _fit(typed)
    if given.list:
        order = np.argsort(-np.array(odds), kind="stable")[:100]
        rows = [(odds[i], typed[i]) for i in order if typed[i].offer]
        given.list.write_text(
            "odds\tplace\tsentence\toffered\ttitle\tcited by the author\n"
            + "".join(
                f"{o:.2f}\t{t.place}\t{t.sentence}\t{t.offer.entry.key}\t"
                f"{' '.join(t.offer.entry.fields.get('title', '').split())}\t{','.join(t.keys)}\n"
                for o, t in rows
                if t.offer
            ),
            "utf-8",
        )
    return 0


def _fit(typed: Sequence[Typed]) -> None:
    rows = [t for t in typed if t.offer]
    signs = np.array([t.offer.signs for t in rows if t.offer])
    right = np.array([t.offer is not None and t.offer.entry.key in t.keys for t in rows], float)
    projects = np.array([t.project for t in rows])
    held = np.full(len(rows), LOWEST)
    for project in set(projects):
        fitted = weights(signs[projects != project], right[projects != project])
        held[projects == project] = signs[projects == project] @ fitted[:-1] + fitted[-1]
    tell(rows, held.tolist(), "projects left out in turn")
    print("weights and bias:", np.round(weights(signs, right), 3).tolist())


def weights(signs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Newton's method with a small ridge."""
    rows, ridge = np.c_[signs, np.ones(len(signs))], 0.5 * np.eye(signs.shape[1] + 1)
    weights = np.zeros(rows.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - right) + ridge @ weights
        weights -= np.linalg.solve((rows * (chance * (1 - chance))[:, None]).T @ rows + ridge, slope)
    return weights


if __name__ == "__main__":
    raise SystemExit(main())
