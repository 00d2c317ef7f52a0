"""The query for a draft: what it cites, what the author has written in the section, and the room for more."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import Paper, Query, QueryPart
from texgeist_server.sections.queries import MOST_PAGES, cited, section_query
from texgeist_server.sections.section_texts import LEAST, LEAST_MORE, words_of_section, written_in_section


def test_entries_are_told_by_title_first_author_and_year(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(
        '@article{a, title = {{S}chr\\"odinger}, author = {M{\\"u}ller, Anna and Bo Li}, date = {2019-05}}\n'
        "@misc{b, title = {Unsigned}, eprint = {2101.00001}}\n@misc{c, title = {Not cited}}\n",
        "utf-8",
    )
    root = tmp_path / "main.tex"
    root.write_text(
        "\\documentclass{article}\\begin{document}\\cite{a,b}\\bibliography{refs}\\end{document}", "utf-8"
    )
    ids, works = cited(read_draft(root))
    assert ids == {"2101.00001"}
    assert works == (Paper("", "Schrödinger", authors=("Müller, Anna",), year=2019), Paper("", "Unsigned"))
    query = Query("abstract", (QueryPart("words", "abstract"),), cited_ids=ids, cited_works=works)
    assert from_plain(Query, to_plain(query)) == query


def test_works_of_the_authors_own_related_work_are_known_apart(tmp_path: Path) -> None:
    entries = "".join(
        f"@misc{{{key}, title = {{On {key}}}, eprint = {{2101.0000{n}}}}}\n" for n, key in enumerate("abc")
    )
    (tmp_path / "refs.bib").write_text(entries)
    root = tmp_path / "main.tex"
    root.write_text(
        HEAD + "\\cite{a}. \\section{Related Work} Words.\n% texgeist:begin related-work\n"
        "Of \\cite{c}.\n% texgeist:end related-work\nSaid of \\cite{b}.\n\\bibliography{refs}\\end{document}"
    )
    query = section_query(read_draft(root), "abstract")
    assert [work.id for work in query.discussed] == ["2101.00001"]
    assert query.cited_ids == {"2101.00000", "2101.00001"}


HEAD = r"""\documentclass{article}
\begin{document}
\begin{abstract}We study how retrieval helps writers to find what their draft stands on, part by part.\end{abstract}
\section{Introduction}
Writers cite. """
OWN = r"""
\section{Related Work}
Early systems \emph{ranked} papers by their words.
% texgeist:begin related-work
Generated words stand here.
% texgeist:end related-work
Later ones use vectors.
"""
REST = r"""
\section{Method}
We search.
\bibliography{refs}
\end{document}
"""


@pytest.fixture
def draft_of(tmp_path: Path):
    def make(text: str):
        (tmp_path / "main.tex").write_text(text)
        return read_draft(tmp_path / "main.tex")

    return make


def test_the_authors_own_words_are_read_and_no_others(draft_of) -> None:
    written = written_in_section(draft_of(HEAD + OWN + REST))
    assert written == "Early systems ranked papers by their words. Later ones use vectors."


def test_a_section_at_the_end_stops_at_the_bibliography(draft_of) -> None:
    text = HEAD + OWN + "\\bibliography{refs}\n\\end{document}\n"
    assert written_in_section(draft_of(text)).endswith("use vectors.")


def test_room_follows_from_the_draft_and_from_what_stands_there(draft_of) -> None:
    begun = draft_of(HEAD + REST)
    assert words_of_section(begun, "") == 0, "a draft that is only begun has no habits yet"
    long = draft_of(HEAD + "Words of a text. " * 600 + REST)
    assert LEAST <= words_of_section(long, "") <= 800
    assert words_of_section(long, "word " * 700) == LEAST_MORE


def test_the_query_knows_sentences_that_lost_a_name(draft_of) -> None:
    named = "For this, \\citet{lu2020} cast fish in nets, and others do so too. Others do not \\citep{gao}.\n"
    query = section_query(draft_of(HEAD + named + REST), "abstract")
    assert query.unquotable == ("For this, cast fish in nets, and others do so too.",)


def test_the_query_knows_sentences_that_lost_a_number(draft_of) -> None:
    referring = (
        "In Section~\\ref{sec:fish}, we cast fish. We sell fish (Section~\\ref{sec:shop}). We eat fish.\n"
    )
    query = section_query(draft_of(HEAD + referring + REST), "abstract")
    assert query.unquotable == ("In Section, we cast fish.",)


def test_a_generated_section_with_its_heading_is_not_the_authors(draft_of) -> None:
    whole = "% texgeist:begin related-work\n\\section{Related Work}\nGenerated words.\n% texgeist:end related-work\n"
    assert written_in_section(draft_of(HEAD + "\n" + whole + REST)) == ""
    assert written_in_section(draft_of(HEAD + "\n" + whole + "My own end.\n" + REST)) == "My own end."
    elsewhere = "% texgeist:begin other\nGenerated words.\n% texgeist:end other\n\\bibliography{refs}\n\\end{document}"
    own = HEAD + "\\section{Related Work}\nMy words.\n\\section{Method}\nOther words.\n"
    assert written_in_section(draft_of(own + elsewhere)) == "My words."


def test_a_draft_of_thousands_of_pages_is_searched_with_a_bounded_number(tmp_path: Path) -> None:
    paragraph = "We study retrieval of passages and rank papers by their words and vectors. " * 60
    body = "\n\n".join(f"{paragraph} Number {n}." for n in range(1_500))
    text = f"\\documentclass{{article}}\\begin{{document}}\\section{{A}}\n{body}\n\\end{{document}}"
    (tmp_path / "main.tex").write_text(text)
    draft = read_draft(tmp_path / "main.tex", programs=False)
    assert len(draft.pages) > MOST_PAGES
    parts = section_query(draft, "draft").parts
    assert len(parts) == MOST_PAGES and parts[0].text == draft.pages[0].text
    lines = [int(part.label.rpartition(":")[2]) for part in parts]
    assert lines == sorted(set(lines)) and lines[-1] > 0.95 * draft.pages[-1].line
