"""Pieces of real projects, mutated: cut, doubled, spliced with another, with bytes flipped or LaTeX's signs thrown in.

Each is read as a whole project (scan, citations, plain text, pages, place for a section) and, one time in ten, a
related-work section is planned into it and what comes out is read again. A failure is an exception, an offset that
points nowhere, or more than a second of processor time.
"""

from __future__ import annotations

import faulthandler
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from texgeist_latex.bib.parser import read_bib
from texgeist_latex.disk.gate import Gate
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.files import FileStore
from texgeist_latex.reading.project import read_project
from texgeist_latex.reading.resolve import TexSearch
from texgeist_latex.reading.roots import Root
from texgeist_latex.tex.encodings import decode, encode
from texgeist_latex.types import Draft, ProseSection, ProseSentence, Reference, Span
from texgeist_latex.writing.edits import plan_related_work

from benchmarks.latex.fuzz import Tally

DATA = Path(__file__).parents[3] / "shared" / "data" / "latex"
LONGEST = 60_000  # bytes of one mutated file: many files are worth more than long ones
BOUND = 1.0  # seconds of processor time
FOLDER = Path("/texgeist-fuzz")  # never touched on disk: the file is an open buffer
MAIN = r"""\documentclass{article}
\title{A title}\author{Ada Lovelace}
\begin{document}
\begin{abstract} What it is about. \end{abstract}
\section{Introduction} Words.
\input{x}
\section{Conclusion} More words.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
SIGNS = [
    *(
        rb"\ { } [ ] $ $$ % & # ~ \begin{ \end{ \begin{abstract} \end{abstract} \section{"
        rb" \cite{ \citep[ \verb|"
        rb" \iffalse \fi \else \newcommand{\x}{ \def\x#1{ #1 \x \input{ \end{document} \begin{document} \r"
        rb" @article{ \begin{verbatim} \end{verbatim} \bibliography{ \documentclass{ \[ \( \] \) ``"
    ).split(),
    *[b"\0", b"\n\n", b"\r\n", b"\xff", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"\x0c", b"\\\n"],
]


@cache
def corpus() -> list[tuple[str, bytes]]:
    paths = sorted(path for path in DATA.rglob("*") if path.suffix in (".tex", ".bib") and path.is_file())
    return [(path.name, path.read_bytes()) for path in paths]


def attack(chance: random.Random, world: Path, tally: Tally) -> Iterator[None]:
    """One file, mutated and read."""
    yield
    name, data = chance.choice(corpus())
    data = mutated(chance, data, chance.choice(corpus())[1])
    faulthandler.dump_traceback_later(60, exit=True)
    begun = time.process_time()
    (read_bibliography if name.endswith(".bib") else read_text)(data, chance, tally)
    taken = time.process_time() - begun
    faulthandler.cancel_dump_traceback_later()
    if taken > BOUND:
        tally.failures.append(f"{name} took {taken:.1f} s")


def mutated(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """One to eight changes to a stretch of a file."""
    if len(data) > LONGEST:
        start = chance.randrange(len(data) - LONGEST)
        data = data[start : start + LONGEST]
    for _ in range(chance.randint(1, 8)):
        at, to = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        piece = data[at : min(to, at + chance.choice((1, 4, 40, 400, 8000)))]
        kind = chance.randrange(8)
        if kind == 0:
            data = data[:at] + data[at + len(piece) :]
        elif kind == 1:
            data = data[:at] + piece * chance.randint(2, 5) + data[at:]
        elif kind == 2:
            data = data[:at] + chance.choice(SIGNS) * chance.choice((1, 1, 2, 50)) + data[at:]
        elif kind == 3:
            data = data[:at] + bytes(chance.randrange(256) for _ in range(chance.randint(1, 20))) + data[at:]
        elif kind == 4:
            data = data[:to]
        elif kind == 5:
            data = data[at:]
        elif kind == 6:
            start = chance.randint(0, len(other))
            data = data[:at] + other[start : start + 2000] + data[to:]
        else:
            data = data[:at] + piece[::-1] + data[at + len(piece) :]
    return data[: 2 * LONGEST]


def read_bibliography(data: bytes, chance: random.Random, tally: Tally) -> None:
    source = decode(FOLDER / "x.bib", data)
    assert encode(source, source.text) == data, "decoding loses bytes"
    found = read_bib(source.path, source.text)
    _inside((e.span for e in found.entries), len(source.text))
    _inside((p.span for p in found.problems), len(source.text))


def read_text(data: bytes, chance: random.Random, tally: Tally) -> None:
    source = decode(FOLDER / "x.tex", data)
    assert encode(source, source.text) == data, "decoding loses bytes"
    texts = {FOLDER / "x.tex": source.text}
    if "\\documentclass" not in source.text:
        texts[FOLDER / "main.tex"] = MAIN
    draft = read(texts)
    check(draft, texts)
    if chance.random() < 0.1:
        tally.counts["plans"] += 1
        try:
            replan(draft, texts)
        except LatexError:
            tally.counts["plans refused"] += 1


def read(texts: dict[Path, str]) -> Draft:
    root = FOLDER / ("main.tex" if FOLDER / "main.tex" in texts else "x.tex")
    return read_project(FileStore(texts), Root(root, ""), Gate(str(FOLDER)), TexSearch(False)).draft()


def check(draft: Draft, texts: dict[Path, str]) -> None:
    spans = [c.span for c in draft.citations] + [c.command_span for c in draft.citations]
    spans += (
        [h.span for h in draft.headings]
        + [i.span for i in draft.inclusions]
        + [p.span for p in draft.problems]
    )
    spans += [s for s in (draft.abstract_span, draft.insertion and draft.insertion.span) if s]
    for span in spans:
        assert 0 <= span.start <= span.end <= len(texts[span.file]), span


def replan(draft: Draft, texts: dict[Path, str]) -> None:
    """Plan a section, apply it to the texts, read the result: it must cite the new paper."""
    paper = Reference("1", "On Testing & Co_", ("Ada Lovelace",), 2024, arxiv_id="2401.00001")
    section = ProseSection("Related Work", ((ProseSentence("They test 100% of it.", ("1",)),),))
    plan = plan_related_work(draft, section, [paper])
    after = dict(texts)
    for edit in sorted(plan.edits, key=lambda e: -e.start):
        text = after.get(edit.file, "")
        assert 0 <= edit.start <= edit.end <= len(text), edit
        after[edit.file] = text[: edit.start] + edit.text + text[edit.end :]
    again = read(after)
    check(again, after)
    before, now = Counter(c.key for c in draft.citations), Counter(c.key for c in again.citations)
    assert now - before == Counter([plan.keys["1"]]) and not before - now, (now - before, before - now)


def _inside(spans: Iterable[Span], length: int) -> None:
    for span in spans:
        assert 0 <= span.start <= span.end <= length, span
