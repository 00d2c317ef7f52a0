"""Reads files of experimental results that the author names: `% texgeist: results: FILE`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from texgeist_latex.disk.gate import Gate
from texgeist_latex.disk.paths import real, regular
from texgeist_latex.errors import Unreadable

KINDS = (".csv", ".tsv", ".txt", ".log")
MOST_BYTES = 2_000_000
_MOST = 2_200  # characters of a file; a longer file is cut in the middle: logs end with results
_LONGEST_LINE = 300  # characters
_HELP = (
    f"Name a file of the project that ends in {', '.join(KINDS)}, with at most {MOST_BYTES // 1_000_000} MB."
)


def read_results(gate: Gate, folder: Path, name: str) -> str:
    """The file's name, and below it the lines of the file, with the cells of a table as `a | b | c`. Raises
    `Unreadable` for a file that is missing, outside the project, of another kind, too long, or not text."""
    path = folder / name
    end = Path(real(path))
    if end.suffix.lower() not in KINDS or path.suffix.lower() not in KINDS:
        raise Unreadable(f"The results file {name} is not of a kind that is read.", _HELP)
    if not gate.inside(path):
        raise Unreadable(f"The results file {name} lies outside the project and is not read.", _HELP)
    state = regular(end)
    if state is None:
        raise Unreadable(f"The results file {name} does not exist.", _HELP)
    if state.st_size > MOST_BYTES:
        raise Unreadable(f"The results file {name} is {state.st_size / 1e6:,.0f} MB long.", _HELP)
    try:
        content = end.read_bytes()
    except OSError as error:
        raise Unreadable(f"The results file {name} cannot be read: {error.strerror}.", _HELP) from error
    if b"\0" in content:
        raise Unreadable(f"The results file {name} is not text.", _HELP)
    lines = list(_lines(content.decode("utf-8-sig", "replace"), end.suffix.lower()))
    return "\n".join([f"Results in {name}:", *_shortened(lines)])


def _shortened(lines: list[str]) -> list[str]:
    """The lines; if they are too long, the first and the last lines, with half of `_MOST` characters each."""
    if sum(map(len, lines)) <= _MOST:
        return lines
    head, tail = _fitting(lines), _fitting(lines[::-1])[::-1]
    return [*head, f"({len(lines) - len(head) - len(tail)} lines left out)", *tail]


def _fitting(lines: list[str]) -> list[str]:
    ends = accumulate(map(len, lines))
    return [line for line, end in zip(lines, ends, strict=True) if end <= _MOST // 2]


def _lines(text: str, kind: str) -> Iterator[str]:
    if kind in (".csv", ".tsv"):
        table = csv.reader(text.splitlines(), delimiter="\t" if kind == ".tsv" else _delimiter(text))
        rows = (" | ".join(" ".join(cell.split()) for cell in row) for row in _rows(table))
    else:
        rows = (" ".join(line.split()) for line in text.splitlines())
    return (row[:_LONGEST_LINE] for row in rows if row)


def _rows(table: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from table
    except csv.Error as error:
        raise Unreadable(f"A results file is not a table: {error}.", _HELP) from error


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return ";" if first.count(";") > first.count(",") else ","
