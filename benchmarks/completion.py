"""Does `\\cite{` offer the right entry first?

    python -m benchmarks.completion [PROJECT ...]

Each citation of the real projects is hidden in turn (its key is taken out of its command), and the key is
completed there with nothing typed: the place of the right key among the project's own entries, against the
alphabet and against BM25 with the sentence. Means over the documents, so that a thesis does not outweigh the
others; and the time of a completion.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.completion import citation_context, complete
from texgeist_latex.reading.draft import open_project
from texgeist_latex.reading.relevance import Cited, here_at
from texgeist_latex.types import Citation, Span

from benchmarks.__main__ import DATA

LEAST = 8  # citations of a document that counts


def documents(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.tex")):
        if b"\\documentclass" in path.read_bytes():
            yield path


def places(root: Path) -> dict[str, list[int]]:
    """For each system the places of the right keys, from 1; and the milliseconds of each completion."""
    found: dict[str, list[int]] = {"alphabet": [], "BM25": [], "relevance": [], "ms": []}
    project = open_project(root)
    keys = [entry.key for index in project.library.indexes for entry in index.sorted]
    for citation in project.citations:
        file, parsed = citation.span.file, project.store.read(citation.span.file)
        if (
            citation.key not in project.library.by_key
            or parsed is None
            or not file.is_relative_to(root.parent)
        ):
            continue
        text = parsed.text[: citation.span.start] + parsed.text[citation.span.end :]
        context = citation_context(citation.span.file, text, citation.span.start, project.own_citations)
        if context is None:
            continue
        own = [moved(c, citation.span) for c in project.citations_of(parsed) if c is not citation]
        cited = [c for c in project.cited if not is_at(c, citation)]
        here = here_at(text, file, context.start, context.end, own)
        shown = [one.key for one in complete(project.library, context, file, here, cited)]
        began = time.perf_counter()  # the indexes are made by now, as in an editor
        here = here_at(text, file, context.start, context.end, own)
        complete(project.library, context, file, here, cited)
        found["ms"].append(round(1000 * (time.perf_counter() - began)))
        words = [i.terms.scores(dict.fromkeys(here.sentence, 1.0)) for i in project.library.indexes]
        scored = {
            i.sorted[n].key: s
            for i, scores in zip(project.library.indexes, words, strict=True)
            for n, s in scores.items()
        }
        others = [key for key in keys if key not in here.taken]
        found["relevance"].append(_place(citation.key, shown, others))
        found["BM25"].append(
            _place(
                citation.key,
                sorted(scored.keys() - here.taken, key=lambda k: (-scored[k], k.lower())),
                others,
            )
        )
        found["alphabet"].append(_place(citation.key, [], others))
    return found


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


def _place(key: str, shown: Sequence[str], others: Sequence[str]) -> int:
    order = [*shown, *sorted(set(others) - set(shown), key=str.lower)]
    return order.index(key) + 1 if key in order else len(order) + 1


def main() -> int:
    folder = DATA / "latex"
    if not folder.is_dir():
        print(f"There are no projects in {folder}: left out.")
        return 0
    rows = {}
    with tempfile.TemporaryDirectory() as copies:
        for project in sys.argv[1:] or sorted(path.name for path in folder.iterdir() if path.is_dir()):
            copy = Path(copies, project)
            shutil.copytree(folder / project, copy)
            for root in documents(copy):
                try:
                    row = places(root)
                except LatexError as error:
                    print(f"{root.relative_to(copies)}: {error}")
                    continue
                if len(row["relevance"]) >= LEAST:
                    rows[str(root.relative_to(copies))] = row
                    _tell(str(root.relative_to(copies)), [row])
    _tell(f"all {len(rows)} documents", list(rows.values()))
    return 0


def _tell(name: str, rows: Sequence[dict[str, list[int]]]) -> None:
    print(f"{name}: {sum(len(row['relevance']) for row in rows):,} citations")
    for system in ("alphabet", "BM25", "relevance"):
        mean = {
            k: sum(sum(place <= k for place in row[system]) / len(row[system]) for row in rows) / len(rows)
            for k in (1, 3, 10)
        }
        print(f"  {system:9} " + "  ".join(f"R@{k} {value:.2f}" for k, value in mean.items()))
    times = sorted(ms for row in rows for ms in row["ms"])
    print(f"  milliseconds: median {times[len(times) // 2]}, p95 {times[int(0.95 * len(times))]}")


if __name__ == "__main__":
    raise SystemExit(main())
