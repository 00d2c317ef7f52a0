"""Body text: what belongs to the paper's own words, and what the printed page did to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from texgeist_retrieval.errors import Cancelled, PaperUnreadable
from texgeist_retrieval.fulltext import read_pdf
from texgeist_retrieval.fulltext.body import LOST, body_pages, mend_pages, plain_lines, split_page
from texgeist_retrieval.fulltext.pdf import PdfProcesses, extract
from texgeist_retrieval.monitor import SILENT

from ..arxiv_server import typeset

PROSE = [f"We study the matter of number {word} at some length here." for word in "abcdefghijklmnopqrst"]
ENTRIES = [
    line
    for i in range(1, 16)
    for line in (
        f"[{i}] A. Smith and B. Jones. On the matter of things.",
        "In Proc. of ICML, pp. 1-10, 2019.",
    )
]


def body(*pages: list[str]) -> list[list[str]]:
    return body_pages(list(pages))


@pytest.mark.parametrize(
    "heading",
    ["References", "REFERENCES", "R EFERENCES", "7 References", "VII. REFERENCES", "Bibliography",
     "Literature Cited", "8. Bibliography"],
)  # fmt: skip
def test_references_go_by_their_heading_and_what_follows(heading: str) -> None:
    last = [*PROSE[:5], heading, *ENTRIES[:10]]
    assert body(PROSE, PROSE, last, ENTRIES) == [PROSE, PROSE, PROSE[:5], []]


BRACKETS = [f"As shown [{i}], and by Smith et al. [{i + 1}], this is so [3, 4]." for i in range(40)]
CLAIMS = [f"{i}. We show that the matter is so in case {i} of them." for i in range(1, 9)]
BY_NAME = [
    f"{name}, S., and Goyal, N. 2011. Analysis of thompson sampling. arXiv preprint."
    for name in ("Agrawal", "Bubeck", "Chen", "Auer", "Zhou", "Miller", "Okada", "Perez")
]


@pytest.mark.parametrize(
    "page",
    [
        BRACKETS,
        [*PROSE[:3], "References", *PROSE],
        [*CLAIMS, *PROSE],
        [*PROSE[:9], "Appendix A shows that this holds for all of them,", *PROSE],
        [*PROSE[:3], "acknowledgement packets are sent at once, which is why", *PROSE[3:]],
        [*PROSE[:3], "acknowledgement and then sends the next frame to", *PROSE[3:]],
    ],
)
def test_a_page_of_the_body_stays(page: list[str]) -> None:
    assert body(PROSE, page, PROSE) == [PROSE, page, PROSE]


def test_a_list_is_found_by_its_numbers_or_names_and_an_appendix_on_either_side_goes() -> None:
    assert body(PROSE, PROSE, [*PROSE[:4], *ENTRIES]) == [PROSE, PROSE, PROSE[:4]]
    assert body(PROSE, [*PROSE, "References", *BY_NAME]) == [PROSE, PROSE]
    after = body(PROSE, PROSE, [*PROSE, "References", *ENTRIES], ["A Proofs", *PROSE])
    assert after == [PROSE, PROSE, PROSE, []]
    before = body(PROSE, PROSE, ["Appendix A: Further proofs", *PROSE], ["References", *ENTRIES])
    assert before == [PROSE, PROSE, [], []]


@pytest.mark.parametrize(
    "heading",
    [
        "Acknowledgments",
        "ACKNOWLEDGEMENT",
        "6 Acknowledgements",
        "A CKNOWLEDGMENTS",
        "Acknowledgments and Disclosure of Funding",
        "ACKNOWLEDGMENTS AND FUNDING",
    ],
)
def test_thanks_go_and_the_next_section_stays(heading: str) -> None:
    thanks = [heading, "We thank everybody for", "everything."]
    last = [*PROSE[:3], *thanks, "7 Limitations", *PROSE[:2], "References", *ENTRIES]
    assert body(PROSE, PROSE, last)[2] == [*PROSE[:3], "7 Limitations", *PROSE[:2]]


def test_thanks_that_run_into_their_text() -> None:
    last = [*PROSE[:3], "Acknowledgments. We thank everybody.", "And more.", "References", *ENTRIES]
    assert body(PROSE, PROSE, last)[2] == PROSE[:3]


def test_words_are_made_whole_as_the_paper_spells_them() -> None:
    pages = [
        "We use retrie-\nval here.\nA state-\nof-the-art well-\nknown method: well-known.",
        "Retrieval of non-\nEnglish.",
    ]
    assert mend_pages(plain_lines(pages)) == [
        "We use retrieval here. A state-of-the-art well-known method: well-known.",
        "Retrieval of non-English.",
    ]


def test_ligatures_and_stamps_and_running_heads() -> None:
    middle = "\n".join(f"More of it, line {line}." for line in "abcdef")
    pages = [
        f"A running head {n}\nThe ﬁrst eﬃcient ﬂow of page {x}.\n{middle}\nThe last of {x}.\n{n}"
        for n, x in enumerate("xyzw")
    ]
    pages[0] = "arXiv:2301.00001v2 [cs.CL] 3 Jan 2023\n" + pages[0]
    texts = mend_pages(plain_lines(pages))
    assert texts[0].startswith("The first efficient flow of page x. More of it, line a.")
    assert texts[0].endswith("line f. The last of x.")
    assert "running head" not in " ".join(texts)
    assert split_page("A de\x1cnition of e\x1eciency, 1\x159\nStraÿe, na\x81ve") == [
        "A definition of efficiency, 1–9",
        f"Straße, na{LOST}ve",
    ]
    ends = [f"The first of {x}.\n{middle}\n{3 * n}–{9 * n}, 202{n}." for n, x in enumerate("xyzw", 1)]
    assert mend_pages(plain_lines(ends))[3].endswith("12–36, 2024.")


def test_two_columns_are_read_one_after_the_other() -> None:
    lines = [f"Line {i} of the text." for i in range(40)]
    for row_by_row in (False, True):
        (text,) = read_pdf(typeset([lines], columns=2, row_by_row=row_by_row))
        assert text == " ".join(lines), row_by_row


def test_numbers_in_the_margin_of_a_submission_are_no_text() -> None:
    lines = [f"The year {1990 + i} was good." for i in range(20)]
    for numbered in (
        [f"{i} {line}" for i, line in enumerate(lines, 98)],
        [f"{t} {i}" for i, t in enumerate(lines)],
    ):
        (text,) = read_pdf(typeset([[*lines[:3], *numbered[3:]]]))
        assert text == " ".join(lines)
    table = [f"{i} {3 * i} {7 * i}" for i in range(1, 9)]
    (text,) = read_pdf(typeset([[*lines, *table]]))
    assert text == " ".join([*lines, *table])


def test_an_empty_a_locked_and_a_torn_pdf_are_unreadable() -> None:
    whole = typeset([PROSE])
    with pytest.raises(PaperUnreadable, match="only pictures"):
        read_pdf(typeset([[]]))
    with pytest.raises(PaperUnreadable, match="no PDF"):
        read_pdf(b"")
    with pytest.raises(PaperUnreadable, match="damaged or protected"):
        read_pdf(b"%PDF-1.4\n" + b"nonsense " * 1000)
    assert read_pdf(whole)


def test_a_pdf_that_takes_too_long_is_given_up() -> None:
    long = typeset([PROSE] * 100)  # a reader that is warm has read one page before anybody looks
    with pytest.raises(PaperUnreadable, match="within 0 s"):
        read_pdf(long, longest_s=0.0)


def test_a_huge_pdf_is_read_by_its_beginning() -> None:
    assert len(extract(typeset([PROSE[:2]] * 400)).pages) == 150


def test_the_reader_imports_nothing_from_the_folder_it_is_called_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pypdfium2.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "PYTHONPATH", str(tmp_path))
    assert read_pdf(typeset([PROSE]))


def test_one_process_reads_many_and_another_follows_when_it_dies() -> None:
    processes = PdfProcesses()
    with processes.process() as first:
        assert b"pages" in first.ask(typeset([PROSE]), SILENT, 30)
        assert b"error" in first.ask(b"%PDF-1.4 torn", SILENT, 30)
    with processes.process() as again:
        assert again is first
        assert b"pages" in again.ask(typeset([PROSE]), SILENT, 30)
        again._process.kill()
        again._process.wait()
        assert again.ask(typeset([PROSE]), SILENT, 30) == b""
    with processes.process() as fresh:
        assert fresh is not first and b"pages" in fresh.ask(typeset([PROSE]), SILENT, 30)
    processes.end_idle()
    assert not fresh.usable


def test_cancel_ends_the_reading_of_a_pdf() -> None:
    class Stopped:
        def report(self, message: str, done: int | None = None, total: int | None = None) -> None: ...

        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        extract(typeset([PROSE] * 100), Stopped())
    assert read_pdf(typeset([PROSE]))
