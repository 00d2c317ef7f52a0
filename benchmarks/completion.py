"""Does `\\cite{` offer the right entry first?

    python -m benchmarks.completion [--fit | --sentences] [PROJECT ...]

Each citation of the real projects is hidden in turn (its key is taken out of its command), and the key is
completed there with nothing typed: the place of the right key among the project's own entries, against the
alphabet and against BM25 with the sentence. Means over the documents, so that a thesis does not outweigh the
others; and the time of a completion. `--sentences`: whole commands are hidden, of works that are cited elsewhere too,
and the entries that `texgeist cite` names for the sentence are compared with them (means over the projects). `written so far`: nothing behind the cursor exists yet, neither text nor
citations. `--fit` fits the weights of `reading/relevance.py`, and tests them with each project left out in turn.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.cited_sentences import sentence_around
from texgeist_latex.reading.completion import Context, citation_context, complete
from texgeist_latex.reading.draft import open_project, read_draft
from texgeist_latex.reading.offers import FittingEntry, fitting_entries
from texgeist_latex.reading.project import Project
from texgeist_latex.reading.relevance import LEARNED, Weights, elsewhere_of, scored
from texgeist_latex.reading.surroundings import Cited, Here, here_at
from texgeist_latex.types import Citation, Span
from texgeist_retrieval.pipeline.fitting import frequent_words

from benchmarks.__main__ import DATA

RIVALS = 60  # entries that are compared with the right entry
DRAWS = 10_000  # of the projects, for the intervals
MOST_SENTENCES = 40  # of a project
LEAST = 8  # citations of a document that counts


def documents(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.tex")):
        if b"\\documentclass" in path.read_bytes():
            yield path


@dataclass(frozen=True)
class Hidden:
    """A citation that is hidden, and what is known at its place."""

    project: str
    document: str
    opened: Project
    citation: Citation
    context: Context
    here: Here
    cited: list[Cited]
    later: frozenset[str]  # keys that are hidden too

    def place(self, system: str) -> int:
        """The place of the right key, from 1."""
        library, key, shown = self.opened.library, self.citation.key, list[str]()
        if system == "texgeist":
            found = complete(library, self.context, self.citation.span.file, self.here, self.cited)
            shown = [one.key for one in found]
        elif system == "BM25":
            scored = {
                index.sorted[number].key: score
                for index in library.indexes
                for number, score in index.terms.scores(dict.fromkeys(self.here.sentence, 1.0)).items()
            }
            shown = sorted(scored.keys() - self.here.taken, key=lambda key: (-scored[key], key.lower()))
        others = {e.key for i in library.indexes for e in i.sorted} - self.here.taken - set(shown)
        order = [*shown, *sorted(others, key=str.lower)]
        return order.index(key) + 1 if key in order else len(order) + 1


def hidden(root: Path, so_far: bool) -> Iterator[Hidden]:
    """The citations of a document, each hidden in turn. `so_far`: with all that stands behind it."""
    opened = open_project(root)
    for at, citation in enumerate(opened.citations):
        file, parsed = citation.span.file, opened.store.read(citation.span.file)
        known = citation.key in opened.library.by_key
        if not known or parsed is None or not file.is_relative_to(root.parent):
            continue
        cut, out = citation.span, opened.citations[at:] if so_far else [citation]
        if so_far:
            cut = replace(cut, end=len(parsed.text))
        text = parsed.text[: cut.start] + parsed.text[cut.end :]
        context = citation_context(file, text, cut.start, opened.own_citations)
        if context is None:
            continue
        gone = {(c.key, c.span.file, c.command_span.start) for c in out}
        own = [
            c if so_far else moved(c, cut)
            for c in opened.citations_of(parsed)
            if not any(c is o for o in out)
        ]
        cited = [c for c in opened.cited if (c.key, c.file, c.start) not in gone]
        here = here_at(text, file, context.start, context.end, own)
        project, later = root.relative_to(DATA / "latex").parts[0], frozenset(c.key for c in out)
        yield Hidden(project, str(root), opened, citation, context, here, cited, later)


def moved(citation: Citation, cut: Span) -> Citation:
    """The citation in the text without `cut`."""
    by, span, command = cut.end - cut.start, citation.span, citation.command_span
    if command.end <= cut.start:
        return citation
    at = 0 if command.start <= cut.start else by
    low = 0 if span.start < cut.start else by
    return replace(
        citation,
        span=Span(span.file, span.start - low, span.end - low),
        command_span=Span(command.file, command.start - at, command.end - by),
    )


def is_at(cited: Cited, citation: Citation) -> bool:
    start = citation.command_span.start
    return (cited.key, cited.file, cited.start) == (citation.key, citation.span.file, start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="*")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--sentences", action="store_true")
    given, folder = parser.parse_args(), DATA / "latex"
    if not folder.is_dir():
        print(f"There are no projects in {folder}: left out.")
        return 0
    if given.sentences:
        _tell_sentences(given.projects or sorted(path.name for path in folder.iterdir() if path.is_dir()))
        return 0
    tasks = {"finished": list[Hidden](), "written so far": list[Hidden]()}
    for project in given.projects or sorted(path.name for path in folder.iterdir() if path.is_dir()):
        for root in documents(folder / project):
            for name, so_far in zip(tasks, (False, True), strict=True):
                with contextlib.suppress(LatexError):
                    of_document = list(hidden(root, so_far))
                    tasks[name] += of_document if len(of_document) >= LEAST else []
    for name, cases in tasks.items():
        print(f"{name}: {len(cases):,} citations of {len({case.document for case in cases})} documents")
        for system in ("alphabet", "BM25", "texgeist"):
            began = time.process_time()
            _tell(system, cases, [case.place(system) for case in cases])
            print(f"    {1000 * (time.process_time() - began) / len(cases):.1f} ms of processor time each")
    if given.fit:
        _fit(tasks)
    return 0


def _tell_sentences(projects: Sequence[str]) -> None:
    found: list[float] = []  # by project, how often a right entry is among those named
    named: list[tuple[str, bool]] = []
    for project in projects:
        roots = documents(DATA / "latex" / project)
        cases = {text: (right, entries) for root in roots for text, right, entries in _of_sentences(root)}
        drawn = random.Random(1).sample(list(cases.values()), min(MOST_SENTENCES, len(cases)))
        if drawn:
            found.append(statistics.mean(any(e.key in right for e in entries) for right, entries in drawn))
        named += [(entry.fit, entry.key in right) for right, entries in drawn for entry in entries]
    print(f"a right entry is named: {statistics.mean(found):.3f}")
    for fit in ("likely", "possible"):
        of_fit = [is_right for word, is_right in named if word == fit]
        print(f"  {fit}: {len(of_fit)} named, {statistics.mean(of_fit or [0]):.2f} right")


def _of_sentences(root: Path) -> Iterator[tuple[str, set[str], list[FittingEntry]]]:
    """The sentence around each citation command, its keys, and the entries that fit it without the command."""
    with contextlib.suppress(LatexError):
        draft = read_draft(root)
        counts, frequent = Counter(citation.key for citation in draft.citations), frequent_words()
        for cut in dict.fromkeys(c.command_span for c in draft.citations if "nocite" not in c.command):
            keys = {c.key for c in draft.citations if c.command_span == cut}
            if not any(counts[key] > 1 for key in keys) or cut.file not in draft.sources:
                continue
            source = draft.sources[cut.file]
            around = sentence_around(source.text, cut)
            claim = replace(around, end=around.end - (cut.end - cut.start))
            text = source.text[: cut.start] + source.text[cut.end :]
            others = tuple(
                moved(c, cut) if c.span.file == cut.file else c
                for c in draft.citations
                if c.command_span != cut
            )
            sources = {**draft.sources, cut.file: replace(source, text=text)}
            without = replace(draft, sources=sources, citations=others)
            place = Span(cut.file, cut.start, cut.start)
            [fitting] = fitting_entries(without, [(claim, place)], frequent)
            yield text[claim.start : claim.end], keys, fitting


def _tell(name: str, cases: Sequence[Hidden], places: Sequence[int]) -> None:
    """Prints the means over the documents, with 95 % intervals: the projects are drawn again with replacement."""
    by_document: dict[tuple[str, str], list[int]] = {}
    for case, place in zip(cases, places, strict=True):
        by_document.setdefault((case.project, case.document), []).append(place)
    projects, draw, row = sorted({project for project, _ in by_document}), np.random.default_rng(0), ""
    drawn = draw.integers(0, len(projects), (DRAWS, len(projects)))
    for k in (1, 3, 10):
        shares = {of: statistics.mean(place <= k for place in of_it) for of, of_it in by_document.items()}
        of_project = [[share for (one, _), share in shares.items() if one == project] for project in projects]
        sums, counts = np.array([sum(of) for of in of_project]), np.array([len(of) for of in of_project])
        low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), (0.025, 0.975))
        row += f"  R@{k} {sums.sum() / counts.sum():.3f} ({low:.2f} to {high:.2f})"
    print(f"  {name:22}{row}")


def _fit(tasks: Mapping[str, Sequence[Hidden]]) -> None:
    """Fits the weights by conditional logit: the probability of the right entry among the best `RIVALS`."""
    names = [field.name for field in fields(Weights)]
    signs = {name: [_signs(case, names) for case in cases] for name, cases in tasks.items()}
    rows = [
        (case, sign) for name, cases in tasks.items() for case, sign in zip(cases, signs[name], strict=True)
    ]
    learned = {}
    for project in [*sorted({case.project for case, _ in rows}), ""]:
        learned[project] = _learned([row for row in rows if row[0].project != project])
    for name, cases in tasks.items():
        places = []
        for case, of in zip(cases, signs[name], strict=True):
            scores = of.signs @ learned[case.project]
            places.append(int((scores > scores[0]).sum()) + ((scores == scores[0]).sum() + 1) // 2)
        print(f"{name}, projects left out in turn:")
        _tell("texgeist", cases, places)
    print(dict(zip(names, np.round(learned[""], 2).tolist(), strict=True)))


@dataclass(frozen=True)
class Signs:
    """The signs of all entries, the right entry first: a score is linear in the weights. `rivals`: which of
    them are wrong at this place for sure, and not cited later."""

    signs: np.ndarray
    rivals: np.ndarray


def _signs(case: Hidden, names: Sequence[str]) -> Signs:
    right, found, rivals = np.zeros(len(names)), [], []
    for index in case.opened.library.indexes:
        elsewhere = elsewhere_of(case.here, case.cited, index.terms)
        signs = np.zeros((len(index.sorted), len(names)))
        for column, name in enumerate(names):
            only = Weights(**dict.fromkeys(names, 0.0) | {name: 1.0})
            for number, score in scored(index, case.here, elsewhere, only).items():
                signs[number, column] = score
        for entry, row in zip(index.sorted, signs, strict=True):
            if entry.key == case.citation.key:
                right = row
            elif entry.key not in case.here.taken:
                found.append(row)
                rivals.append(entry.key not in case.later)
    return Signs(np.array([right, *found]), np.array([False, *rivals]))


def _learned(rows: Sequence[tuple[Hidden, Signs]]) -> np.ndarray:
    """A document counts by the root of its citations, and the documents of a project share this."""
    counts = Counter(case.document for case, _ in rows)
    shared = Counter(Path(document).relative_to(DATA / "latex").parts[0] for document in counts)
    weights = np.array([counts[case.document] ** -0.5 / shared[case.project] for case, _ in rows])
    now = np.array([getattr(LEARNED, field.name) for field in fields(Weights)])
    cube = np.zeros((len(rows), RIVALS + 1, len(now)))
    absent = np.full(cube.shape[:2], -1e9)
    for at, (_, of) in enumerate(rows):
        rivals = of.signs[of.rivals]
        kept = np.r_[of.signs[:1], rivals[np.argsort(-(rivals @ now))[:RIVALS]]]
        cube[at, : len(kept)], absent[at, : len(kept)] = kept, 0
    weights /= weights.sum()
    ridge = 0.002 * np.diag(cube[absent == 0].var(0))
    for _ in range(8):  # Newton's method; a step that is too long is halved
        chance, loss = _chance(cube, absent, weights, now)
        mean = np.einsum("nl,nlf->nf", chance, cube)
        slope = weights @ (mean - cube[:, 0]) + ridge @ now
        curve = np.einsum("n,nl,nlf,nlg->fg", weights, chance, cube, cube, optimize=True)
        step = np.linalg.solve(curve - (mean * weights[:, None]).T @ mean + ridge, slope)
        while _chance(cube, absent, weights, now - step)[1] > loss + 1e-9:
            step /= 2
        now = now - step
    return now


def _chance(
    cube: np.ndarray, absent: np.ndarray, weights: np.ndarray, now: np.ndarray
) -> tuple[np.ndarray, float]:
    """The probabilities of the entries, and the loss."""
    scores = cube @ now + absent
    chance = np.exp(scores - scores.max(1, keepdims=True))
    chance /= chance.sum(1, keepdims=True)
    return chance, float(-weights @ np.log(chance[:, 0] + 1e-12))


if __name__ == "__main__":
    raise SystemExit(main())
