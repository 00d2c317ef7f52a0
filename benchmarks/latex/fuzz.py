"""Reads many broken files and watches for crashes, hangs and offsets that point nowhere.

    python -m benchmarks.latex.fuzz [--count 200000] [--seed 1] [--data ../shared/data/latex]

Every file is a piece of a real project, mutated: cut, doubled, spliced with another, with bytes flipped
or LaTeX's own signs thrown in. It is read as a whole project (scan, citations, plain text, pages, place
for a section) and, one time in ten, a related-work section is planned into it and what comes out is read
again. A crash is any exception but a `LatexError`; a hang is more than a second of processor time.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from texgeist_latex.bib.parser import read_bib
from texgeist_latex.disk.gate import Gate
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.files import FileStore
from texgeist_latex.reading.project import Project
from texgeist_latex.reading.resolve import TexSearch
from texgeist_latex.reading.roots import Root
from texgeist_latex.tex.encodings import decode, encode
from texgeist_latex.types import Draft, ProseSection, ProseSentence, Reference, Span
from texgeist_latex.writing.edits import plan_related_work

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


@dataclass
class Tally:
    files: int = 0
    bytes: int = 0
    plans: int = 0
    refused: int = 0
    crashes: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data" / "latex")
    parser.add_argument("--keep", type=Path, help="folder for the files that crash or hang")
    options = parser.parse_args(arguments)
    corpus = list(_corpus(options.data))
    if not corpus:
        print(f"no .tex or .bib files below {options.data}", file=sys.stderr)
        return 2
    tally, begun = Tally(), time.perf_counter()
    for number in range(options.count):
        one(random.Random(f"{options.seed}:{number}"), corpus, number, tally, options.keep)
        if number % 2000 == 1999:
            print(_summary(tally, begun), file=sys.stderr, flush=True)
    print(
        json.dumps(
            json.loads(_summary(tally, begun)) | {"first_crashes": tally.crashes[:5], "slow": tally.slow[:5]}
        )
    )
    return 1 if tally.crashes or tally.slow else 0


def one(
    chance: random.Random, corpus: list[tuple[str, bytes]], number: int, tally: Tally, keep: Path | None
) -> None:
    """Mutate one file, read it, count what came of it."""
    name, data = chance.choice(corpus)
    data = mutated(chance, data, chance.choice(corpus)[1])
    faulthandler.dump_traceback_later(60, exit=True)
    begun = time.process_time()
    try:
        (read_bibliography if name.endswith(".bib") else read_text)(data, chance, tally)
    except Exception:  # noqa: BLE001 - to count them is what this is for
        tally.crashes.append(f"{number} {name}: {traceback.format_exc(limit=-4)}")
        _keep(keep, number, name, data)
    taken = time.process_time() - begun
    faulthandler.cancel_dump_traceback_later()
    tally.files, tally.bytes = tally.files + 1, tally.bytes + len(data)
    tally.times.append(taken)
    if taken > BOUND:
        tally.slow.append(f"{number} {name}: {taken:.1f} s")
        _keep(keep, number, name, data)


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
        tally.plans += 1
        try:
            replan(draft, texts)
        except LatexError:
            tally.refused += 1


def read(texts: dict[Path, str]) -> Draft:
    root = FOLDER / ("main.tex" if FOLDER / "main.tex" in texts else "x.tex")
    return Project(FileStore(texts), Root(root, ""), Gate(str(FOLDER)), TexSearch(False)).draft()


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


def _inside(spans: Iterator[Span], length: int) -> None:
    for span in spans:
        assert 0 <= span.start <= span.end <= length, span


def _corpus(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".tex", ".bib") and path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()


def _keep(folder: Path | None, number: int, name: str, data: bytes) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}{Path(name).suffix}").write_bytes(data)


def _summary(tally: Tally, begun: float) -> str:
    times = sorted(tally.times) or [0.0]
    return json.dumps(
        {
            "files": tally.files,
            "megabytes": round(tally.bytes / 1e6, 1),
            "plans": tally.plans,
            "plans_refused": tally.refused,
            "crashes": len(tally.crashes),
            "over_one_second": len(tally.slow),
            "p50_ms": round(times[len(times) // 2] * 1e3, 1),
            "p99_ms": round(times[int(len(times) * 0.99)] * 1e3, 1),
            "max_ms": round(times[-1] * 1e3, 1),
            "minutes": round((time.perf_counter() - begun) / 60, 1),
        }
    )


if __name__ == "__main__":
    sys.exit(main())
