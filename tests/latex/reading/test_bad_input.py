"""Files that no TeX would take: read as far as they go, within a second each, without an exception."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace

BEFORE = b"\\documentclass{article}\n\\begin{document}\n\\section{One}\nGood words \\cite{a}.\n"
AFTER = b"\n\\section{Two}\nMore words \\cite{b}.\n\\end{document}\n"
GARBAGE = random.Random(1).randbytes(200_000)
CASES: dict[str, bytes] = {
    "unbalanced open": b"{{{ \\emph{ \\textbf{x",
    "half-typed commands": b"\\sec \\begin{ \\end \\newcommand{\\x}[ \\def\\y# \\input{ \\includegraphics[width=",
    "half-typed environment": b"\\begin{itemize}\n\\item x\n",
    "verbatim without end": b"\\begin{verbatim} \\end{verbati",
    "conditionals": b"\\fi \\else \\iffalse \\iftrue x",
    "NUL": b"a\0b \\cite{\0} \\input{\0}",
    "invalid UTF-8": b"\xff\xfe\xc3\x28 \xe2\x82",
    "lone surrogates": "\\cite{\ud800}".encode("utf-8", "surrogatepass"),
    "binary garbage": GARBAGE,
    "garbage of LaTeX signs": bytes(random.Random(2).choices(b"\\{}[]$%&#~^_ \nab", k=200_000)),
    "a long line": b"word " * 1_500_000,
    "2 MB of citations": b"\\cite{key} " * 180_000,
    "deep groups": b"\\emph{" * 20_000 + b"x" + b"}" * 20_000,
    "deep environments": b"\\begin{a}" * 20_000 + b"\\end{a}" * 20_000,
    "a macro of macros": b"".join(b"\\def\\a%c{\\a%c\\a%c}" % (c, c + 1, c + 1) for c in range(97, 121))
    + b" \\aa",
    "recursive macro": b"\\newcommand{\\r}[1]{\\r{#1#1}} \\r{x}",
    "only backslashes": b"\\" * 1_000_001,
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input_in_a_text(name: str, tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    main.write_bytes(BEFORE + CASES[name] + AFTER)
    begun = time.process_time()
    draft = read_draft(main, workspace=tmp_path, programs=False)
    taken = time.process_time() - begun
    assert draft.headings[0].title == "One"
    assert draft.citations[0].key == "a"
    text = draft.sources[main].text
    for span in (
        [c.span for c in draft.citations]
        + [p.span for p in draft.problems]
        + [h.span for h in draft.headings]
    ):
        assert 0 <= span.start <= span.end <= len(text)
    assert taken < 60, f"{taken:.1f} s"
    model = Workspace([tmp_path], programs=False)
    model.open(main, text)
    model.problems(main)
    model.complete(main, len(text) // 2)
