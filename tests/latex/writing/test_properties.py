"""Whatever the document and the papers hold, an applied plan parses back to the same document plus the
section, and the bibliography to its old bytes plus the entries."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from texgeist_latex.errors import NoPlace
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, EditPlan, ProseSection, ProseSentence, Reference
from texgeist_latex.writing.apply import apply_plan, edited
from texgeist_latex.writing.blocks import find_blocks
from texgeist_latex.writing.edits import plan_answer, plan_citation, plan_related_work, plan_removal

from .conftest import ADAM_BIB

_PIECES = [
    "\\section{Introduction}\n", "\\section{Related Work}\n", "\\section{Method}\\label{sec:m}\n", "Words \\cite{kingma2015adam}.\n",
    "More words, e.g. these. And\nthose \\citep[see][p.~3]{kingma2015adam,other}.\n\n", "% a comment \\section{no}\n", "\\begin{figure}\nx\n\\end{figure}\n",
    "\\begin{itemize}\n\\item one\n", "\\end{itemize}\n", "$x. y$ ", "{", "}", "\\", "% texgeist:begin related-work\n", "% texgeist:end related-work\n",
    "\\appendix\n", "\\bibliography{refs}\n", "\\begin{thebibliography}{9}\n\\bibitem{x} Y.\n", "\\end{thebibliography}\n", "\\iffalse\n", "\\fi\n",
    "\\verb|%|", "é", "\r\n", "\n\n", "\x00", "中文", "\\end{document}\n", "\\chapter{X}\n", "\\addbibresource{refs.bib}\n", "~", "\t",
]  # fmt: skip
_BEGIN, _END = "\\documentclass{article}\n\\begin{document}\n", "\n\\bibliography{refs}\n\\end{document}\n"
_DOCUMENTS = st.lists(st.sampled_from(_PIECES), max_size=25).map(lambda parts: _BEGIN + "".join(parts) + _END)
_BIB_PIECES = [
    *(ADAM_BIB, "@misc{a, title={x}}\n", "@misc{broken title={x}}\n", "@comment{x}\n"),
    *("% words\n", "\r\n", "@string{a = {b}}\n", "\n"),
]
_BIBS = st.lists(st.sampled_from(_BIB_PIECES), max_size=6).map("".join)
_WORDS = st.text(max_size=40)
_REFERENCES = st.lists(
    st.builds(
        Reference,
        id=st.uuids().map(str),
        title=_WORDS,
        authors=st.lists(_WORDS, max_size=3).map(tuple),
        year=st.one_of(st.none(), st.integers(1990, 2026)),
        arxiv_id=st.sampled_from(["", "1412.6980", "2001.00001", "2001.00002v3", "garbage"]),
        doi=st.sampled_from(["", "10.1000/a_b", "junk"]),
        venue=_WORDS,
        kind=st.sampled_from(["preprint", "article", "inproceedings"]),
        url=_WORDS,
    ),
    min_size=1,
    max_size=4,
)


@st.composite
def _sections(draw: st.DrawFn) -> tuple[ProseSection, list[Reference]]:
    references = draw(_REFERENCES)
    ids = [reference.id for reference in references]
    sentence = st.builds(
        ProseSentence,
        text=_WORDS,
        references=st.lists(st.sampled_from(ids), max_size=3).map(tuple),
        textual=st.booleans(),
        lead=_WORDS,
    )
    paragraphs = draw(st.lists(st.lists(sentence, max_size=3).map(tuple), max_size=3).map(tuple))
    return ProseSection(draw(st.sampled_from(["", "Related Work", "Work & \\more"])), paragraphs), references


_EXAMPLES = int(os.environ.get("TEXGEIST_EXAMPLES", "120"))  # more for a longer hunt
_SETTINGS = settings(max_examples=_EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _check(draft: Draft, plan: EditPlan, bib: str) -> None:
    for edit in plan.edits:
        text = draft.sources[edit.file].text if edit.file in draft.sources else ""
        assert 0 <= edit.start <= edit.end <= len(text)
    by_file = sorted((str(edit.file), edit.start, edit.end) for edit in plan.edits)
    for (file, _, end), (other, start, _) in pairwise(by_file):
        assert file != other or end <= start
    assert len({key.lower() for key in plan.keys.values()}) == len(set(plan.keys.values()))
    in_bib = [edit for edit in plan.edits if edit.file.name == "refs.bib"]
    assert all(edit.start == edit.end == len(bib) for edit in in_bib)


@contextmanager
def _project(document: str, bib: str = ADAM_BIB) -> Iterator[tuple[Path, Draft]]:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name, "main.tex")
        root.write_bytes(document.encode())
        Path(name, "refs.bib").write_bytes(bib.encode())
        yield root, read_draft(root)


@_SETTINGS
@given(_DOCUMENTS, _BIBS, _sections())
def test_a_section_parses_back(document: str, bib: str, wanted: tuple[ProseSection, list[Reference]]):
    section, references = wanted
    with _project(document, bib) as (root, draft):
        try:
            plan = plan_related_work(draft, section, references)
        except NoPlace:
            return
        _check(draft, plan, bib)
        before = draft.sources[root].text
        after = edited(before, [edit for edit in plan.edits if edit.file == root])
        apply_plan(plan, draft)
        assert root.read_bytes().decode() == after
        assert root.with_name("refs.bib").read_bytes().startswith(bib.encode())
        again = read_draft(root)
        blocks = [block for block in find_blocks([again.sources[root]]) if block.id == "related-work"]
        assert blocks
        old, new = (
            [entry.key for each in read.bibliographies if each.kind == "bib" for entry in each.entries]
            for read in (draft, again)
        )
        assert new[: len(old)] == old
        fresh = {key for reference, key in plan.keys.items() if reference not in plan.reused}
        everywhere = {entry.key for each in again.bibliographies for entry in each.entries}
        assert not again.bibliographies or fresh <= everywhere
        try:
            removed = plan_removal(again, "related-work")
        except NoPlace:  # a bibliography stands between the comments
            return
        [edit] = removed.edits
        rest = edited(after, [edit])
        assert rest.count("texgeist:begin") == max(0, after.count("texgeist:begin") - 1)


@_SETTINGS
@given(_DOCUMENTS, st.integers(0, 600), _REFERENCES)
def test_a_citation_adds_its_keys_and_nothing_else(document: str, offset: int, references: list[Reference]):
    with _project(document) as (root, draft):
        text = draft.sources[root].text
        try:
            plan = plan_citation(draft, root, offset, references)
        except NoPlace:
            return
        _check(draft, plan, ADAM_BIB)
        written = [edit for edit in plan.edits if edit.file == root]
        if written:
            place = written[0].start
            assert edited(text, written)[:place] == text[:place]
            assert any(key in written[0].text for key in plan.keys.values())


@_SETTINGS
@given(_DOCUMENTS, st.integers(0, 600), _sections())
def test_an_answer_stands_in_no_environment(
    document: str, offset: int, wanted: tuple[ProseSection, list[Reference]]
):
    section, references = wanted
    with _project(document) as (root, draft):
        try:
            plan = plan_answer(draft, root, offset, section, references)
        except NoPlace:
            return
        _check(draft, plan, ADAM_BIB)
        text = edited(draft.sources[root].text, [edit for edit in plan.edits if edit.file == root])
        assert f"% texgeist:begin {plan.section_id}" in text
        block = text.index(f"% texgeist:begin {plan.section_id}")
        assert text[:block].endswith("\n") or block == 0
