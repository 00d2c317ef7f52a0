"""A preprint's entry becomes the published one: key and the author's own fields stay, the rest of the file too."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import BibEntry, Draft, Edit, Reference
from texgeist_latex.writing.taking import take_over

BEFORE, AFTER = "% mine\r\n@string{x = {y}}\r\n", "\r\n@misc{other, title={Other}, note={kept}}\r\n"
ENTRY = (
    "@misc{me,\r\n  TITLE = {An Old Title},\r\n  author = {A. Lovelace},\r\n  year = 2020,\r\n"
    "  note = {arXiv preprint arXiv:2006.00001},\r\n  file = {C\\:/me.pdf},\r\n  annote = {so {good}},\r\n  ids = {me2}\r\n}"
)
PAPER = Reference(
    "doi:10.5555/x",
    "The New Title of It",
    ("Lovelace, Ada",),
    2021,
    "2006.00001",
    "",
    "10.5555/x",
    "Journal of Songs",
    "article",
)


def project(folder: Path, entry: str = ENTRY) -> tuple[Draft, BibEntry]:
    (folder / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\cite{me}\\bibliography{refs}\\end{document}"
    )
    (folder / "refs.bib").write_bytes((BEFORE + entry + AFTER).encode())
    draft = read_draft(folder / "main.tex")
    return draft, next(e for b in draft.bibliographies for e in b.entries if e.key == "me")


def applied(folder: Path, edit: Edit) -> str:
    text = (folder / "refs.bib").read_bytes().decode()
    return text[: edit.start] + edit.text + text[edit.end :]


def test_key_and_own_fields_stay(tmp_path: Path) -> None:
    draft, entry = project(tmp_path)
    after = applied(
        tmp_path, take_over(draft, entry, PAPER, {"volume": "7", "pages": "1–9", "title": "not this"})
    )
    assert after.startswith(BEFORE) and after.endswith(AFTER) and "\n" not in after.replace("\r\n", "")
    me = read_bib(tmp_path / "refs.bib", after).entries[0]
    assert (me.key, me.type) == ("me", "article")
    assert {name: me.fields.get(name) for name in ("title", "journal", "year", "doi", "volume", "pages", "eprint")} == {
        "title": "The New Title of It", "journal": "Journal of Songs", "year": "2021", "doi": "10.5555/x",
        "volume": "7", "pages": "1--9", "eprint": "2006.00001",
    }  # fmt: skip
    assert (
        me.fields["file"] == "C\\:/me.pdf"
        and me.fields["annote"] == "so {good}"
        and me.fields["ids"] == "me2"
    )
    assert "note" not in me.fields


@pytest.mark.parametrize(
    "evil", ["}} @article{evil, title={x}", "\\input{/etc/passwd}", "a } b", "%", "\x00\\"]
)
def test_a_strangers_words_cannot_leave_their_field(tmp_path: Path, evil: str) -> None:
    draft, entry = project(tmp_path)
    paper = Reference("x", f"Title {evil}", (f"Ada {evil}",), 2021, venue=f"Songs {evil}", kind="article")
    try:
        after = applied(
            tmp_path, take_over(draft, entry, paper, {"volume": evil, "pages": evil, "number": evil})
        )
    except LatexError:
        return
    read = read_bib(tmp_path / "refs.bib", after)
    assert [e.key for e in read.entries] == ["me", "other"] and not read.problems
    assert "\\input{" not in after and after.endswith(AFTER)
