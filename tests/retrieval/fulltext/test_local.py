"""The user's own files: `file` fields as the reference managers write them, and folders of PDFs."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from texgeist_retrieval.errors import PaperUnreadable, SourceUnavailable
from texgeist_retrieval.fulltext import ChainSource, EmptySource, LocalSource, attached_pdfs
from texgeist_retrieval.ports import PaperSource
from texgeist_retrieval.types import Paper

from ..arxiv_server import typeset

BODY = [["These are the words of a paper that the user keeps."] * 3]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name in (
        "storage/AB12/Smith - 2020 - On things.pdf",
        "Smith2020 - a:b; c_d.pdf",
        "notes.html",
        "papers/2104.12255v2.pdf",
        "papers/hep-th_9901001.pdf",
        "papers/Lewis et al. - 2020 - Retrieval-Augmented Generation for Knowledge-Intensive NLP Tas.pdf",
        "papers/damaged 1605.08386.pdf",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%PDF-1.4 torn" if "damaged" in name else typeset(BODY))
    return tmp_path


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Full Text PDF:{root}/storage/AB12/Smith - 2020 - On things.pdf:application/pdf;"
         "Snapshot:{root}/notes.html:text/html", ["Smith - 2020 - On things.pdf"]),  # Zotero
        ("{root}/storage/AB12/Smith - 2020 - On things.pdf;{root}/notes.html",
         ["Smith - 2020 - On things.pdf"]),  # Better BibTeX
        (":papers/2104.12255v2.pdf:PDF", ["2104.12255v2.pdf"]),  # JabRef, relative
        ("A description:Smith2020 - a\\:b\\; c\\_d.pdf:PDF;:papers/2104.12255v2.pdf:PDF",
         ["Smith2020 - a:b; c_d.pdf", "2104.12255v2.pdf"]),  # JabRef, escaped
        (":C\\:\\\\Users\\\\me\\\\2104.12255v2.pdf:PDF", []),  # another machine's file
        (":{bare}/papers/2104.12255v2.pdf:pdf", ["2104.12255v2.pdf"]),  # Mendeley
        ("papers/2104.12255v2.pdf", ["2104.12255v2.pdf"]),
        ("", []),
        ("::;;\\", []),
        (":" * 500, []),
    ],
)  # fmt: skip
def test_file_fields(field: str, names: list[str], library: Path) -> None:
    filled = field.format(root=library, bare=str(library).lstrip("/"))
    assert [path.name for path in attached_pdfs(filled, library)] == names


@pytest.mark.parametrize("filler", [":", ";", "\\", "a:", ";a:b:", "\\:", "{", "x.pdf;", "~x.pdf;"])
def test_a_strangers_file_field_costs_as_much_as_it_is_long(filler: str, tmp_path: Path) -> None:
    """Forty thousand colons took half a minute, more of them its cube."""
    begun = process_time()
    assert attached_pdfs(filler * (400_000 // len(filler)), tmp_path) == ()
    assert process_time() - begun < 5


@pytest.mark.parametrize(
    "field",
    [
        "\\\\\\\\evil\\\\share\\\\a.pdf",
        "//evil/share/a.pdf",
        "\\\\/evil/share/a.pdf",
        "xy:/evil/share/a.pdf:pdf",  # a slash is put before it, as Mendeley leaves it out
        "\\\\\\\\?\\\\UNC\\\\evil\\\\share\\\\a.pdf",
        "/??/UNC/evil/share/a.pdf",
        "//./pipe/evil.pdf",
    ],
)
def test_a_strangers_field_calls_no_other_machine(
    field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def is_file(path: Path) -> bool:
        asked.append(str(path).replace("\\", "/"))
        return False

    monkeypatch.setattr(Path, "is_file", is_file)
    own = [Path("//nas/papers"), tmp_path]
    assert attached_pdfs(field, tmp_path, own) == ()
    assert [name for name in asked if name.startswith(("//", "/??"))] == []
    assert attached_pdfs(field, tmp_path) == ()
    assert [name for name in asked if name.startswith(("//", "/??"))], "of the user's own source all count"
    asked.clear()
    attached_pdfs("//nas/papers/a.pdf", tmp_path, own)
    assert "//nas/papers/a.pdf" in asked


@pytest.mark.parametrize(
    "paper",
    [
        Paper("2104.12255", "Any title"),
        Paper("hep-th/9901001", "Any title"),
        Paper("bib:lewis", "Retrieval-Augmented Generation for Knowledge-Intensive {NLP} Tasks"),
    ],
)
def test_papers_in_folders_are_found_by_id_and_by_title(paper: Paper, library: Path) -> None:
    (text,) = LocalSource((library / "papers",)).pages(paper)
    assert text.startswith("These are the words")


def test_a_papers_own_files_come_first(library: Path) -> None:
    own = library / "storage/AB12/Smith - 2020 - On things.pdf"
    paper = Paper("2104.12255", "T", files=(str(library / "gone.pdf"), str(own)))
    source = LocalSource((library / "papers",))
    assert [path.name for path in source.files(paper)] == [own.name, "2104.12255v2.pdf"]
    assert LocalSource().pages(Paper("bib:a", "T", files=(str(own),)))


class Down(PaperSource):
    def metadata(self, ids: object, monitor: object = None) -> dict[str, Paper]:
        raise SourceUnavailable("arXiv does not answer.")

    def pages(self, paper: Paper, monitor: object = None) -> list[str]:
        raise SourceUnavailable("arXiv does not answer.")


def test_a_chain_takes_the_first_that_has_it(library: Path) -> None:
    chain = ChainSource([LocalSource((library / "papers",)), Down()])
    assert chain.pages(Paper("2104.12255", "T"))
    with pytest.raises(SourceUnavailable, match="does not answer"):
        chain.pages(Paper("2101.00001", "Not here at all"))
    with pytest.raises(SourceUnavailable):
        chain.metadata(["2101.00001"])
    assert ChainSource([EmptySource()]).metadata(["x"]) == {}
    with pytest.raises(PaperUnreadable, match="switched off"):
        EmptySource().pages(Paper("x", "T"))
    with pytest.raises(PaperUnreadable):
        ChainSource([]).pages(Paper("x", "T"))
