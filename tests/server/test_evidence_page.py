"""The page that shows gathered evidence: what strangers wrote stays text, and PDFs open at their page."""

from __future__ import annotations

from pathlib import Path

from texgeist_retrieval.types import AskedQuery, Evidence, EvidenceRun, Paper, Passage
from texgeist_server.review.pages import page_of, write_page

NASTY = "<script>alert(1)</script> & \"'"


def run_of(file: str = "") -> EvidenceRun:
    files = (file,) if file else ()
    paper = Paper("doi:10.5555/a", NASTY, year=2020, files=files)
    passage = Passage(paper.id, 7, NASTY, None, "results", NASTY, 1)
    one = Evidence("1", passage, 0.51, 0.83, NASTY, 0.9, "first")
    asked = (
        AskedQuery("first", "default", "your note on the findings", ("1",)),
        AskedQuery("second " + NASTY, "model", "the other side", ("1",)),
        AskedQuery("third", "model", "", (), "It says again what was asked."),
    )
    return EvidenceRun(asked, (one,), (paper,), "The model has enough: " + NASTY, 1)


def test_what_others_wrote_is_text_and_nothing_is_loaded() -> None:
    page = page_of("Discussion " + NASTY, "main.tex", run_of())
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "default-src 'none'" in page and "http" not in page.replace("http-equiv", "")
    assert "score 0.83: cosine 0.51, by the model 0.90" in page and "page 7" in page
    assert "asked by the model: the other side" in page and "Not run: It says again" in page
    assert page.count("<blockquote>") == 1 and "Found again: 1" in page


def test_the_pdf_opens_at_its_page_where_it_is_there(tmp_path: Path) -> None:
    pdf = tmp_path / "a paper.pdf"
    assert "open the PDF" not in page_of("A", "main.tex", run_of(str(pdf)))
    pdf.write_bytes(b"%PDF-")
    assert 'a%20paper.pdf#page=7">open the PDF' in page_of("A", "main.tex", run_of(str(pdf)))
    assert "open the PDF" not in page_of("A", "main.tex", run_of("paper.pdf"))


def test_a_section_has_one_page(tmp_path: Path) -> None:
    first = write_page(tmp_path / "pages", "A", Path("/x/main.tex"), run_of())
    second = write_page(tmp_path / "pages", "A", Path("/x/main.tex"), EvidenceRun((), (), (), "Stopped."))
    assert first == second and "Nothing was found." in second.read_text()
    assert write_page(tmp_path / "pages", "B", Path("/x/main.tex"), run_of()) != first
