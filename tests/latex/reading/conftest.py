"""Fixtures are drawn: the text is the document, `|` stands where the cursor is, `^^^` underlines.

    %! main.tex
    \\cite{smi|th}
          ^^^^^

A line `%! name` begins a file. A line of carets (and spaces) marks a range of the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, Span

_CARETS = re.compile(r"[ ]*\^[ ^]*")


@dataclass(frozen=True)
class Drawn:
    """A project on disk, as drawn."""

    folder: Path
    texts: dict[str, str]
    cursor: tuple[str, int] | None
    ranges: tuple[tuple[str, int, int], ...]

    @property
    def first(self) -> Path:
        return self.folder / next(iter(self.texts))

    @property
    def place(self) -> tuple[Path, int]:
        assert self.cursor is not None, "the drawing has no |"
        return self.folder / self.cursor[0], self.cursor[1]

    def draft(self, name: str | None = None) -> Draft:
        return read_draft(self.folder / name if name else self.first, workspace=self.folder, programs=False)

    def spans(self, spans: Iterable[Span]) -> tuple[tuple[str, int, int], ...]:
        """As `ranges` has them, in the order of the files."""
        return tuple(sorted((str(s.file.relative_to(self.folder)), s.start, s.end) for s in spans))

    def shown(self, span: Span) -> str:
        """The line of a place with `⟦…⟧` around it, for snapshots."""
        text = self.texts[str(span.file.relative_to(self.folder))]
        start = text.rfind("\n", 0, span.start) + 1
        end = text.find("\n", span.end)
        end = len(text) if end < 0 else end
        return f"{text[start : span.start]}⟦{text[span.start : span.end]}⟧{text[span.end : end]}"


@pytest.fixture
def draw(tmp_path: Path) -> Callable[[str], Drawn]:
    def make(drawing: str) -> Drawn:
        cursor: tuple[str, int] | None = None
        ranges: list[tuple[str, int, int]] = []
        texts: dict[str, str] = {}
        name, lines, starts = "main.tex", list[str](), [0]
        body = dedent(drawing).removeprefix("\n")
        for line in [*body.split("\n"), "%! "]:
            if line.startswith("%! "):
                if lines:
                    texts[name] = "\n".join(lines) + "\n"
                name, lines, starts = line[3:].strip(), [], [0]
            elif _CARETS.fullmatch(line) and lines:
                for run in re.finditer(r"\^+", line):
                    ranges.append((name, starts[-2] + run.start(), starts[-2] + run.end()))
            else:
                if "|" in line and cursor is None:
                    cursor = (name, starts[-1] + line.index("|"))
                    line = line.replace("|", "", 1)
                lines.append(line)
                starts.append(starts[-1] + len(line) + 1)
        for file, text in texts.items():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, encoding="utf-8", newline="")
        return Drawn(tmp_path, texts, cursor, tuple(sorted(ranges)))

    return make
