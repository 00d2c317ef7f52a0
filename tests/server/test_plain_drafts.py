"""A PDF, or plain text, as the draft: what is read of it, what it cites, and what cannot be read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft
from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.identity import is_cited, is_own
from texgeist_retrieval.types import Paper
from texgeist_server.config.values import read_settings
from texgeist_server.plain_drafts import GivenDraft, draft_of_pdf_data, draft_of_text
from texgeist_server.sections.edit_requests import RelatedWorkEdit
from texgeist_server.sections.queries import section_query

from ..retrieval.arxiv_server import typeset
from .test_cli import texgeist
from .test_command_line import fed

ABSTRACT = (
    "We ask how language models cite & invent papers, and ground each sentence in a passage (95% hold)."
)
BODY = ["Abstract", *(f"{ABSTRACT} Sentence {n}." for n in range(3)), "1 Introduction"] + [
    f"Sentence number {n} of the introduction speaks of retrieval." for n in range(40)
]
REFERENCES = [
    "References",
    "[1] Tianyu Gao, Howard Yen, Jiatong Yu, and Danqi Chen. Enabling large language models to gene-",
    "rate text with citations. In Proceedings of EMNLP, pages 6465-6488, 2023.",
    "[2] Jakub Lala and Andrew White. Some other title. arXiv:2312.07559v1, 2023. doi:10.1000/p2.",
    "[3] A. Author. Neural machine translation by jointly learning to align. ICLR, 2015.",
    *(
        f"[{n}] B. Writer. A paper with number {n}. In Proc. of the Conference, pp. 1-{n}, 2019."
        for n in range(4, 9)
    ),
]


def read(given: GivenDraft) -> Draft:
    return read_draft(given.path, overlay=given.texts, programs=False)


def test_a_pdf_gives_abstract_sections_and_what_it_cites() -> None:
    given = draft_of_pdf_data("d.pdf", typeset([BODY, REFERENCES], columns=2))
    draft = read(given)
    assert (
        draft.abstract.startswith("We ask how language models cite & invent")
        and "(95% hold)" in draft.abstract
    )
    assert [heading.title for heading in draft.headings] == ["Introduction"]
    assert "Gao" not in " ".join(page.text for page in draft.pages) and not given.note
    query = replace(section_query(draft, "abstract"), references=given.references)
    title = "Enabling Large Language Models to Generate Text with Citations"
    assert is_cited(Paper("2305.14627", title, authors=("Tianyu Gao", "Howard Yen")), query)
    assert is_cited(Paper("2312.07559v2", "PaperQA", authors=("Someone Else",)), query)
    assert is_cited(Paper("doi:10.1000/p2", "Other", doi="10.1000/P2"), query)
    assert not is_cited(Paper("doi:10.1000/p", "Other", doi="10.1000/p"), query), "the beginning of another"
    own = Paper("own", title, authors=("Whoever Wrote",))
    assert is_own(own, replace(query, title=title)), "the names in a PDF are often affiliations"
    assert not is_cited(Paper("x", title, authors=("Ada Lovelace",)), query)
    assert not is_cited(Paper("y", "Neural Machine Translation", authors=("Dzmitry Bahdanau",)), query)
    assert not is_cited(Paper("z", "A paper", authors=("B. Writer",)), query), "too short to tell"


@pytest.mark.parametrize(
    ("text", "title", "abstract"),
    [
        (f"Citing with evidence\n\n{ABSTRACT}", "Citing with evidence", ABSTRACT),
        (f"Citing with evidence\nAbstract: {ABSTRACT}\n", "Citing with evidence", ABSTRACT),
        (ABSTRACT, "", ABSTRACT),
        (f"{ABSTRACT}\n{ABSTRACT}", "", f"{ABSTRACT} {ABSTRACT}"),
    ],
)
def test_a_short_first_line_of_plain_text_is_the_title(text: str, title: str, abstract: str) -> None:
    draft = read(draft_of_text(text))
    assert (draft.title, draft.abstract) == (title, abstract)


def test_no_text_becomes_a_command() -> None:
    draft = read(
        draft_of_text(
            "A title\n\n\\write18{rm} \\include{secret} \\cite{x} $x_1$ {% of 20 words } " + ABSTRACT
        )
    )
    assert not draft.inclusions and not draft.citations and not draft.problems
    assert "% of 20 words" in draft.abstract


LOCK = (
    b"/ID[<00><00>]/Encrypt <</Filter/Standard/V 1/R 2/P -4/O<"
    + b"ab" * 32
    + b">/U<"
    + b"cd" * 32
    + b">>>/Root"
)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (typeset([[]]), "no text"),
        (typeset([BODY]).replace(b"/Root", LOCK), "locked with a password"),
        (typeset([BODY])[:900], "damaged"),
        (b"hello", "no PDF"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_a_way_out(data: bytes, why: str) -> None:
    with pytest.raises(PaperUnreadable) as caught:
        draft_of_pdf_data("d.pdf", data)
    assert why in str(caught.value) and "d.pdf" in str(caught.value) and "plain text" in caught.value.help


def test_of_300_pages_the_first_are_read_and_it_says_so() -> None:
    given = draft_of_pdf_data("d.pdf", typeset([BODY] + [[f"Page {n} of a long book."] for n in range(299)]))
    assert "first 150 of 300 pages" in given.note and "no list of references" in given.note
    assert read(given).abstract


@pytest.mark.model
def test_the_commands_take_a_pdf_and_text(searching: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "d.pdf"
    file.write_bytes(typeset([BODY, REFERENCES]))
    made = json.loads(texgeist(searching, "related-work", str(file), "--json", "--breadth", "5").stdout)
    titles = {one["paper"]["title"] for one in made["citations"]}
    assert titles and not made["edits"] and made["entries"].count("@") == len(titles)
    assert not any(title.startswith("Enabling Large Language Models") for title in titles), "cited already"
    refused = texgeist(searching, "related-work", str(file), "--apply")
    assert refused.returncode == 2 and ".tex" in refused.stderr
    asked = ("related-work", "-", "--format", "markdown", "--breadth", "3")
    shown = fed(searching, f"Citing\n\n{ABSTRACT}", *asked, cwd=tmp_path)
    assert shown.stdout.startswith("## Related Work\n\n> ") and "\\cite" not in shown.stdout
    lines = [line[:6] for line in shown.stdout.splitlines() if line.startswith("- ")]
    assert lines and lines == [f"- [{n}] " for n in range(1, len(lines) + 1)]
    assert "references.bib" not in shown.stderr and list(tmp_path.iterdir()) == [file]


def test_the_length_of_a_pdfs_own_related_work_does_not_limit_the_new_section() -> None:
    related = "\\section{Related Work}\n" + "Earlier work on citations is long and rich. " * 60
    abstract = ABSTRACT.replace("&", "and").replace("%", "")
    text = (
        f"\\begin{{abstract}}{abstract}\\end{{abstract}}\n{related}\n\\section{{Method}}\n"
        + "We read. " * 1500
    )
    draft = read(draft_of_text(f"\\documentclass{{article}}\\begin{{document}}{text}\\end{{document}}"))
    settings, _ = read_settings({})
    asked = {
        given: RelatedWorkEdit(
            path=draft.root, source="abstract", settings=settings, written_by="nobody", references=given
        )
        for given in ("", "[1] A. Writer. A paper.")
    }
    lengths = {given: one.request(draft).query.words for given, one in asked.items()}
    assert lengths[""] < lengths["[1] A. Writer. A paper."]
