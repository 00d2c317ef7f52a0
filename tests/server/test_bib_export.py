"""An index as a `.bib` file, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.records import Record
from texgeist_retrieval.types import Paper
from texgeist_server.library.bib_export import export_bib
from texgeist_server.library.sources.bib_file import BibEntries

PAPERS = (
    Paper(
        id="2004.04906",
        title="Dense Passage Retrieval for Open-Domain QA: 100% of it & more_or_less",
        abstract="We pay $5 at 5% of the cost, “so to speak” — for São Paulo; see C# and a_b.",
        authors=("Vladimir Müller", "Barlas Oğuz", "Ludwig van Beethoven", "The ATLAS Collaboration"),
        year=2020,
        published="2020-04-10",
        primary="cs.CL",
        categories=("cs.CL",),
        url="https://arxiv.org/abs/2004.04906",
    ),
    Paper(
        id="doi:10.1093/comjnl/27.2.97",
        title="Literate Programming",
        abstract="Programs are written for people.",
        authors=("Donald E. Knuth",),
        year=1984,
        published="1984",
        doi="10.1093/comjnl/27.2.97",
        venue="The Computer Journal",
        kind="article",
        details=("volume=27", "number=2", "pages=97–111"),
    ),
    Paper(
        id="bib:gusc",
        title="Moving Objects",
        authors=("Ralf Güting", "Markus Schneider"),
        year=2005,
        published="2005",
        kind="book",
        details=("publisher=Morgan & Kaufmann", "edition=1st"),
    ),
    Paper(
        id="bib:edited",
        title="Proceedings of Many Things",
        authors=("Anna Lee Smith", "Bob Roe"),
        year=2021,
        published="2021",
        kind="proceedings",
        details=("editor=Anna Lee Smith and Bob Roe",),
    ),
    Paper(id="bib:nobody", title="Без автора", abstract="Слова.", year=None),
)


def there_and_back(papers: tuple[Paper, ...], folder: Path) -> list[Paper]:
    file = folder / "all.bib"
    count, left_out = export_bib(iter(papers), len(papers), file, Silent())
    assert count + len(left_out) == len(papers)
    records = list(BibEntries(file, file.read_text("utf-8")))
    assert all(isinstance(record, Record) for record in records), records
    return [record.paper for record in records if isinstance(record, Record)]


def test_what_is_exported_is_taken_in_again(tmp_path: Path) -> None:
    assert there_and_back(PAPERS, tmp_path) == list(PAPERS)
    assert [path.name for path in tmp_path.iterdir()] == ["all.bib"]


def test_a_formula_stays_one_for_other_programs_and_is_read_as_text(tmp_path: Path) -> None:
    (once,) = there_and_back((Paper(id="bib:a", title="T", abstract="In $O(n \\log n)$ steps."),), tmp_path)
    assert "$O(n \\log n)$" in (tmp_path / "all.bib").read_text()
    assert once.abstract == "In O(n log n) steps."
    assert there_and_back((once,), tmp_path) == [once]


def test_what_the_entry_said_of_pages_and_publisher_is_kept(tmp_path: Path) -> None:
    there_and_back(PAPERS, tmp_path)
    text = (tmp_path / "all.bib").read_text("utf-8")
    assert (
        "pages = {97--111}" in text and "@book{gusc" in text and r"publisher = {Morgan \& Kaufmann}" in text
    )


def test_editors_are_no_authors(tmp_path: Path) -> None:
    there_and_back(PAPERS, tmp_path)
    text = (tmp_path / "all.bib").read_text("utf-8")
    assert "editor = {Anna Lee Smith and Bob Roe}" in text and "author = {Anna" not in text
    chapter = "@incollection{a, title = {A chapter}, booktitle = {A book}, editor = {Lee Smith, Anna}}"
    chapters = [record.paper for record in BibEntries(Path("a.bib"), chapter) if isinstance(record, Record)]
    assert [paper.authors for paper in chapters] == [()]


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.text(st.characters(codec="utf-8"), max_size=30))
def test_nothing_that_stands_in_a_record_breaks_the_file(
    tmp_path_factory: pytest.TempPathFactory, text: str, name: str
) -> None:
    odd = Paper(
        id="bib:odd",
        title=f"T {text}",
        abstract=f"A {text}",
        authors=(name,) if name.strip() else (),
        kind="book",
        details=(f"pages={text}", f"publisher={name}"),
    )
    back = there_and_back((odd, PAPERS[1]), tmp_path_factory.mktemp("export"))
    assert back[-1] == PAPERS[1]
