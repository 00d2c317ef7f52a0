"""What is said of odd files, paths and arguments is true, and says what to do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import plan_related_work
from texgeist_server.bibliography_checks.checking import read_file
from texgeist_server.cli import check_arguments
from texgeist_server.command_line.cite import keys_at, place_of
from texgeist_server.errors import EditRefused

TEXT = r"""\documentclass{article}
\begin{document}
\section{Introduction} Words.
%s
\end{document}
"""
SECTION = ProseSection("Related Work", ((ProseSentence("Words.", ("a",)),),))
PAPERS = [Reference("a", "A Title", ("Ann Author",), 2020)]


def refused(tmp_path: Path, body: str) -> str:
    main = tmp_path / "main.tex"
    main.write_text(TEXT % body)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(LatexError) as caught:
        plan_related_work(read_draft(main), SECTION, PAPERS)
    assert sorted(tmp_path.iterdir()) == before
    return caught.value.sentence()


@pytest.mark.parametrize(
    ("make", "words"), [(os.mkfifo, "refs.bib is a device or a pipe"), (Path.mkdir, "refs.bib is a folder")]
)
def test_a_bibliography_that_is_no_file(tmp_path: Path, make: Callable[[Path], None], words: str) -> None:
    make(tmp_path / "refs.bib")
    said = refused(tmp_path, "\\bibliography{refs}")
    assert words in said and "Put a regular file in its place" in said and "Split" not in said


@pytest.mark.parametrize("name", ["|cat secret", "refs|x", "~/refs", "$HOME/refs", '"|cat"', "`id`", "a;b"])
def test_a_bibliography_named_as_no_file_is(tmp_path: Path, name: str) -> None:
    said = refused(tmp_path, f"\\bibliography{{{name}}}")
    assert (
        f"names the file {name}.bib, which does not exist, and texgeist creates no file with such a name"
        in said
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "is a device or a pipe, which is not read"),
        (lambda path: path.symlink_to("/dev/null"), "is a device or a pipe, which is not read"),
        (lambda path: path.symlink_to("nothing"), "is a link that leads nowhere"),
        (lambda path: None, "does not exist"),
    ],
)
def test_a_document_that_is_no_file(tmp_path: Path, make: Callable[[Path], None], words: str) -> None:
    for name, read in (("odd.tex", read_draft), ("odd.bib", read_file)):
        make(tmp_path / name)
        with pytest.raises(LatexError, match=words):
            read(tmp_path / name)


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, b"\0" * 5_000, b"Words of no entry at all.\n"])
def test_a_bibliography_without_entries_is_not_called_clean(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "junk.bib").write_bytes(content)
    with pytest.raises(LatexError, match="contains no entries that can be read"):
        read_file(tmp_path / "junk.bib")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["related-work", ""], '""'),
        (["related-work", "main.tex", "--index", ""], '--index ""'),
        (["verify", "--known="], "--known="),
        (["index", "add", "a.bib", ""], '""'),
    ],
)
def test_an_empty_argument_names_nothing(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        check_arguments(arguments)
    assert ended.value.code == 2 and f"The argument {named} is empty" in capsys.readouterr().err


SENTENCES = r"""The cat sat. Concatenation is old. It is new~\cite{kim}. It is odd.\cite{lee,kim} The end is near.
It is lost. \citet{kim} knew. It is found.~\cite{lee} Nothing follows.
"""


def test_a_sentence_is_found_in_what_the_document_includes(tmp_path: Path) -> None:
    main, part = tmp_path / "main.tex", tmp_path / "part.tex"
    main.write_text(TEXT % "One. Both have it.\n\n\\input{part}\n\\input{more}\n")
    part.write_text("Only here. Both have it. Twice here. Twice here.\n")
    (tmp_path / "more.tex").write_text("In two files.\n\\input{last}\n")
    (tmp_path / "last.tex").write_text("In two files.\n")
    draft = read_draft(main)
    assert place_of(draft, main, "Only here.") == (part, 0, 10)
    assert place_of(draft, main, "Both have it.")[0] == main  # the file that was named comes first
    with pytest.raises(EditRefused, match=r"more than once in part\.tex") as repeated:
        place_of(draft, main, "Twice here.")
    assert "more of its words" in repeated.value.help
    with pytest.raises(EditRefused, match=r"more than once in more\.tex, last\.tex"):
        place_of(draft, main, "In two files.")
    with pytest.raises(EditRefused, match=r"does not occur in main\.tex and what it includes"):
        place_of(draft, main, "Nowhere.")


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("It is new", ["kim"]),
        ("It is odd.", ["lee", "kim"]),
        ("It is odd", ["lee", "kim"]),
        ("The cat sat.", []),
        ("It is lost", []),  # a citation begins the next sentence
        ("It is found", ["lee"]),
        ("The end is near", []),
        ("Concatenation is old", []),
    ],
)
def test_a_sentence_that_is_cited_is_known_for_it(tmp_path: Path, words: str, keys: list[str]) -> None:
    main = tmp_path / "main.tex"
    main.write_text(TEXT % SENTENCES)
    draft = read_draft(main)
    assert keys_at(draft, *place_of(draft, main, words)) == keys
