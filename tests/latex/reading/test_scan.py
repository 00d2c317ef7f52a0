"""The scanner: what it finds, and that nothing makes it fail."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.reading.citations import citations
from texgeist_latex.reading.files import Parsed
from texgeist_latex.tex.macros import read_definitions
from texgeist_latex.tex.plaintext import plain
from texgeist_latex.tex.scan import scan
from texgeist_latex.types import SourceFile

SIGNS = [
    *"\\{}[]%$&#~^_|*,= \n\r\0@<>()aZ1é中😀",
    "\\begin{abstract}", "\\end{abstract}", "\\begin{verbatim}", "\\end{verbatim}", "\\begin{document}",
    "\\end{document}", "\\section{", "\\section*[x]{Y}", "\\cite{", "\\citep[see][p.~3]{a,b}", "\\verb|x|", "\\verb",
    "\\iffalse", "\\fi", "\\else", "\\newcommand{\\x}[1]{", "\\def\\x#1{", "\\let\\a\\b", "\\input{", "\\input x ",
    "\\endinput", "\\url{a%b}", "\\href{a%b}{", "\\begin{", "\\end", "\\textcites{a}{b}", "\n\n", "\r\n", "%\n",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(SIGNS), st.text(max_size=8)), max_size=60).map("".join)


def read(text: str) -> Parsed:
    from pathlib import Path

    return Parsed(SourceFile(Path("/x.tex"), text))


def names(text: str) -> list[tuple[str, str]]:
    return [(item.kind, item.name) for item in scan(text).items]


@settings(max_examples=500, deadline=None)
@given(texts)
def test_any_text_is_scanned_and_every_offset_points_into_it(text: str) -> None:
    found = scan(text)
    for item in (*found.items, *found.definitions):
        assert 0 <= item.start < item.end <= len(text)
        assert text[item.start] == "\\"
        for start, end in (*item.groups, *item.options):
            assert item.start < start <= end <= item.end
    for start, end in (*found.dead, *found.braces.items()):
        assert 0 <= start < end <= len(text)
    assert 0 <= found.stop <= len(text)
    assert [i.start for i in found.items] == sorted(i.start for i in found.items)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_citations_and_plain_text_of_any_text(text: str) -> None:
    parsed = read(text)
    definitions = read_definitions([parsed.scan])
    own = definitions.cite_commands
    for citation in citations(parsed, own, frozenset(definitions.macros)):
        assert text[citation.span.start : citation.span.end] == citation.key
        assert (
            citation.command_span.start < citation.span.start < citation.span.end <= citation.command_span.end
        )
    assert isinstance(plain(text, definitions), str)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\cite{a} % \\cite{b}", ["cite"]),
        ("50\\% \\cite{a}", ["cite"]),
        ("\\\\% \\cite{a}", []),
        ("\\verb|\\cite{a}| \\citep{b}", ["citep"]),
        ("\\verb*+\\cite{a}+", []),
        ("\\begin{verbatim}\\cite{a}\\end{verbatim}\\cite{b}", ["cite"]),
        ("\\begin{verbatim}\\cite{a}", ["verbatim", "cite"]),
        ("\\begin{comment}\n\\section{x}\n\\end{comment}", []),
        ("\\iffalse \\cite{a} \\fi \\citet{b}", ["citet"]),
        ("\\iffalse \\ifx a \\fi \\cite{a} \\else \\citet{b} \\fi", ["citet"]),
        ("\\iffalse \\cite{a}", ["cite"]),
        ("\\if0 \\cite{a} \\fi", []),
        ("\\url{http://a.b/%7Ec} \\cite{a}", ["cite"]),
        ("\\href{http://a.b/%7Ec}{text \\cite{a}}", ["cite"]),
        ("\\newcommand{\\s}{\\section{x}} \\cite{a}", ["cite"]),
        ("\\cite{a}\\end{document}\\cite{b}", ["cite", "document"]),
        ("\\cite{a}\\endinput\n\\cite{b}", ["cite", "endinput"]),
        ("\\ifx\\a\\b\\endinput\\fi \\cite{b}", ["endinput", "cite"]),
        ("\\lstinline[language=C]|\\cite{a}| \\cite{b}", ["cite"]),
    ],
)
def test_what_is_no_text_holds_no_commands(text: str, expected: list[str]) -> None:
    assert [name for _, name in names(text)] == expected


def test_arguments_over_lines_with_comments_and_options() -> None:
    text = "\\citep % the best\n  [see][p.~3\\,f]% two\n {one,\n  two}\n\n{three}"
    (item,) = scan(text).items
    assert [text[a:b] for a, b in item.options] == ["see", "p.~3\\,f"]
    assert [text[a:b] for a, b in item.groups] == ["one,\n  two"]


@pytest.mark.parametrize("unit", ["{", "}", "[", "\\cite[", "\\cite{", "\\begin{a}", "\\verb|", "$", "\\iffalse ",
                                  "\\begin{verbatim}", "\\newcommand{\\a}[1]{", "\\url{", "%", "\\a{", "\\input{a",
                                  "\\section{a$", "\\[", "\\(", "x", "\\def\\a#1{", "\\\"", "\\frac", "é"])  # fmt: skip
def test_work_is_linear_whatever_is_repeated(unit: str) -> None:
    """A long text of one half-typed thing, read whole: scan, definitions, citations, plain text."""
    text = unit * (400_000 // len(unit))
    begun = time.process_time()
    parsed = read(text)
    definitions = read_definitions([parsed.scan])
    citations(parsed, definitions.cite_commands, frozenset())
    plain(text[:200_000], definitions)
    assert time.process_time() - begun < 60  # seconds of processor time; a quadratic reader needs minutes
