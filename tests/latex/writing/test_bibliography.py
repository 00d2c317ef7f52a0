"""The `.bib` scanner: what it reads, and what it does with what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.bib.embedded import read_thebibliography
from texgeist_latex.bib.parser import read_bib

PATH = Path("/library.bib")


def read(text: str):
    return read_bib(PATH, text)


def test_values_in_braces_quotes_numbers_and_strings_joined():
    bib = read(
        """
        @string{acl = "Annual Meeting"} @STRING(pub = {Press})
        @InProceedings{smith2024, Author = {Smith, {J}ohn and Lee, A.},
          title = "The {"}quoted{"}   title
                   goes on", year = 2024, month = mar,
          booktitle = acl # " of the " # {ACL}, publisher = pub }
        """
    )
    [entry] = bib.entries
    assert (entry.key, entry.type, entry.line) == ("smith2024", "inproceedings", 3)
    assert entry.fields == {
        "author": "Smith, {J}ohn and Lee, A.",
        "title": 'The {"}quoted{"} title goes on',
        "year": "2024",
        "month": "March",
        "booktitle": "Annual Meeting of the ACL",
        "publisher": "Press",
    }
    assert not bib.problems


def test_comments_preambles_and_commented_entries_are_no_entries():
    text = """
    @comment{jabref-meta: databaseType:bibtex; @misc{hidden, title={x}}}
    @preamble{"\\newcommand{\\x}{y}" # {z}}
    % @misc{off, title={x}}
    @misc{on, title={Costs 100\\% @ home}}
    """
    assert [entry.key for entry in read(text).entries] == ["on"]


def test_crossref_gives_what_is_missing_but_not_the_parents_title():
    text = """
    @inproceedings{paper, title={A}, crossref={Conf24}, pages={1--2}}
    @proceedings{conf24, title={The Conference}, year=2024, pages={900}, doi={10.1000/conf}}
    """
    paper = read(text).entries[0]
    assert paper.fields["booktitle"] == "The Conference"
    assert paper.fields["year"] == "2024"
    assert (paper.fields["title"], paper.fields["pages"]) == ("A", "1--2")
    assert "doi" not in paper.fields


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("@misc{broken, title = {never closed", "never closed"),
        ('@misc{broken, title = "never closed', "never closed"),
        ("@misc{broken title = {x}}", "comma is missing"),
        ("@misc{, title = {x}}", "no key"),
        ("@misc{broken, title {x}}", "cannot be read"),
        ("@misc{broken, title = , year = 1}", "value is missing"),
        ("@misc{broken", "cut off"),
        ("@misc{broken, title = {x}", "never closed"),
        ("@string{broken}", "needs a name"),
    ],
)
def test_a_broken_entry_is_reported_with_its_place_and_skipped(broken: str, words: str):
    text = f"@misc{{before, title={{a}}}}\n{broken}\n@misc{{after, title={{b}}}}\n"
    bib = read(text)
    assert [entry.key for entry in bib.entries] == ["before", "after"]
    [problem] = bib.problems
    assert problem.code == "broken-entry"
    assert words in problem.message
    assert text[problem.span.start] == "@" and text[problem.span.start :].startswith(broken[:8])


def test_thebibliography():
    text = r"""
% \bibitem{commented} no
\begin{thebibliography}{99}
\bibitem[Smith et~al.(2020)]{smith} J. Smith. % a note \bibitem{x}
  A title. 2020.
\bibitem{lee}
Lee. Another, arXiv:2001.00001.
\end{thebibliography}
\bibitem{outside} no
\begin{thebibliography}{9} \bibitem{lee} Lee again. \bibitem{roe} Roe. \end{thebibliography}"""
    bib = read_thebibliography(Path("/a.tex"), text)
    assert bib is not None and bib.kind == "thebibliography"
    assert [(e.key, e.type, e.line) for e in bib.entries] == [
        ("smith", "bibitem", 4),
        ("lee", "bibitem", 6),
        ("roe", "bibitem", 10),
    ]
    assert bib.entries[0].fields == {"text": "J. Smith. A title. 2020.", "label": "Smith et~al.(2020)"}
    assert text[bib.entries[1].span.start : bib.entries[1].span.end].endswith("arXiv:2001.00001.")
    assert read_thebibliography(Path("/a.tex"), "no list") is None
    style = r"\renewenvironment{thebibliography}[1]{\section*{References}}{}"
    assert read_thebibliography(Path("/a.tex"), style) is None


def test_agrees_with_bibtexparser_on_the_real_files(shared_data: Path):
    """The well-kept library reads the same keys and titles, two orders of magnitude slower."""
    import bibtexparser

    compared = 0
    for name in (
        "convex-vins-ieee/references",
        "symbolic-tophat-acmart/bibliography",
        "sybil-usenix/literature",
    ):
        text = (shared_data / "latex" / f"{name}.bib").read_text("utf-8")
        plain = bibtexparser.middlewares.RemoveEnclosingMiddleware()
        theirs = bibtexparser.parse_string(text, parse_stack=[plain])
        refused = {getattr(block.ignore_error_block, "key", "") for block in theirs.failed_blocks}
        mine = {entry.key: entry for entry in read(text).entries}
        assert set(mine) == {entry.key for entry in theirs.entries} | refused
        for other in theirs.entries:
            if title := other.fields_dict.get("title"):
                assert mine[other.key].fields["title"] == " ".join(title.value.split())
                compared += 1
    assert compared > 60


_BIB_PARTS = ["@misc{", "@article{k", "@string{", "@comment{", "@preamble{", "key", "title", "2024", "\r\n"]
_BIBLIKE = st.lists(st.sampled_from([*_BIB_PARTS, *',={}"#()\n x%\\@é\x00']), max_size=60).map("".join)


@settings(max_examples=400, deadline=None)
@given(st.one_of(_BIBLIKE, st.text(max_size=200)))
def test_never_raises_and_places_point_into_the_text(text: str):
    bib = read(text)
    for entry in bib.entries:
        assert 0 <= entry.span.start < entry.span.end <= len(text)
        assert text[entry.span.start] == "@" and text[entry.span.end - 1] in "})"
        assert entry.line == text.count("\n", 0, entry.span.start) + 1
    for problem in bib.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    starts = [entry.span.start for entry in bib.entries]
    assert starts == sorted(starts)
    items = read_thebibliography(PATH, "\\begin{thebibliography}{9}" + text)
    assert items is not None


@settings(max_examples=200, deadline=None)
@given(_BIBLIKE)
def test_a_broken_entry_never_hides_the_next_one(text: str):
    """Whatever stands before it, an entry that opens on a line of its own is read, unless a comment
    block that is closed behind it holds it."""
    whole = text.replace("@comment", "@misc") + "\n@misc{last, title = {x}}\n"
    assert read(whole).entries[-1].key == "last"
