"""What is on record of a section, when its keys get other names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Draft, EditPlan, ProseSection, ProseSentence
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_related_work
from texgeist_latex.writing.renaming import plan_renaming
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart, Reasons, Result, Section, Selected
from texgeist_server.lsp.features.hover import explain
from texgeist_server.references import reference_of
from texgeist_server.sections import provenance, recording
from texgeist_server.sections.provenance import called_now, cited_entries
from texgeist_server.sections.provenance_model import PaperRecord
from texgeist_server.sections.recording import RecordedEdit, record
from texgeist_server.sections.safeguards import discarded

from .records import provenance_with

BLOCK = "% texgeist:begin related-work\nAs \\citet{old} and \\citep[p. 2]{a, old} say.\n% texgeist:end related-work"
GONE = "This was taken out \\citep{old}."
FIRST = {"id": "1", "title": "Sleep and the Recall of Words", "authors": ["Ada Moon"], "year": 2019}
ENTRY = "@misc{%s, title={%s}, author={Ada Moon}, year={2019}}\n"
SECOND = "Naps and the Recall of Words"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}\n\\begin{{document}}\n{BLOCK}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    )
    (tmp_path / "refs.bib").write_text(ENTRY % ("old", FIRST["title"]) + "@misc{a, title={A}}\n")
    section: dict[str, Any] = {
        "text": BLOCK,
        "gone": [GONE],
    }
    citations = {"old": {"paper": FIRST, "why": "Why the first.", "section": "related-work"}}
    held = provenance_with(provenance.read(main), sections={"related-work": section}, citations=citations)
    provenance.write(main, held)
    return main


def draft_of(root: Path) -> Draft:
    return read_draft(root, programs=False)


def rename(root: Path, old: str, new: str) -> None:
    draft = draft_of(root)
    apply_plan(plan_renaming(draft, old, new), draft)


def add_second_paper(root: Path, key: str) -> None:
    """The author's own, under a key that is free."""
    refs = root.with_name("refs.bib")
    refs.write_text(refs.read_text() + ENTRY % (key, SECOND))
    root.write_text(root.read_text().replace("\\bibliography", f"\\cite{{{key}}}\n\\bibliography"))


def shown(root: Path, key: str) -> str:
    model = Workspace([root.parent], programs=False)
    found = explain(model, root, root.read_text().index(f"{{{key}}}") + 1, {})
    model.stop()
    return found.markdown if found else ""


def check(root: Path, key: str) -> None:
    """All that is on record speaks of the key that stands, and no edit of the author's is seen."""
    draft = draft_of(root)
    assert discarded(draft, "related-work") is None
    before = provenance.before(draft, "related-work")
    assert before and before.text == BLOCK.replace("old", key)
    assert before.gone == [GONE.replace("{old}", f"{{{key}}}")]
    assert "Why the first" in shown(root, key)


def test_a_renaming_is_followed_and_its_undo_too(root: Path) -> None:
    check(root, "old")
    for old, new in (("old", "new"), ("new", "newer")):
        rename(root, old, new)
        check(root, new)
    for file in (root, root.with_name("refs.bib")):
        file.write_text(file.read_text().replace("newer", "old"))  # by the editor's undo
    check(root, "old")


def test_a_second_paper_under_the_old_key_is_another(root: Path) -> None:
    rename(root, "old", "new")
    add_second_paper(root, "old")
    check(root, "new")
    assert SECOND in shown(root, "old") and "Why the first" not in shown(root, "old")


def test_keys_that_were_exchanged(root: Path) -> None:
    add_second_paper(root, "other")
    for old, new in (("old", "x"), ("other", "old"), ("x", "other")):
        rename(root, old, new)
    check(root, "other")
    assert SECOND in shown(root, "old") and "Why the first" not in shown(root, "old")


def test_a_corrected_entry_keeps_its_reasons(root: Path) -> None:
    refs = root.with_name("refs.bib")
    refs.write_text(refs.read_text().replace("Recall of Words", "Recall of Word Pairs"))
    check(root, "old")


def test_a_key_that_is_given_to_another_paper_is_that_papers(root: Path) -> None:
    rename(root, "old", "new")
    draft, paper = draft_of(root), Paper("2", SECOND, authors=("Ada Moon",), year=2019)
    query = Query("question", (QueryPart("Naps?", "the question"),))
    result = Result(query, Section("", ()), (Selected(Candidate(paper, 0.5, 1), (), 0.5),))
    plan = EditPlan((), "", "", {"2": "old"}, section_id="answer-1")
    made = record(provenance.read(root), RecordedEdit(draft, plan, result))
    assert {key: why.paper.id for key, why in made.citations.items()} == {"old": "2", "new": "1"}
    provenance.write(root, made)
    check(root, "new")


def test_a_key_of_a_paper_that_is_gone_is_the_renamed_papers(root: Path) -> None:
    held = provenance.read(root)
    gone = held.citations["old"].model_copy(
        update={"paper": PaperRecord.made_of(id="2", title=SECOND), "why": "Why the second"}
    )
    provenance.write(root, held.model_copy(update={"citations": {**held.citations, "other": gone}}))
    rename(root, "old", "other")
    assert "Why the first" in shown(root, "other")


@pytest.mark.parametrize(("title", "authors"), [("CLIP", ("Ada Moon",)), (FIRST["title"], ())])
def test_an_item_of_the_document_keeps_its_reasons(
    tmp_path: Path, title: str, authors: tuple[str, ...]
) -> None:
    r"""A `\bibitem` has no fields: a short title, or a paper without authors, is known by the text that was written."""
    root = tmp_path / "main.tex"
    root.write_text(
        "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\nWords.\n"
        "\\begin{thebibliography}{9}\n\\bibitem{own} Own.\n\\end{thebibliography}\n\\end{document}\n"
    )
    draft, paper = draft_of(root), Paper("1", title, authors=authors, year=2019)
    section = ProseSection("Related Work", ((ProseSentence("It is so.", ("1",)),),))
    plan = plan_related_work(draft, section, [reference_of(paper)])
    result = Result(
        Query("question", (QueryPart("Naps?", "the question"),)),
        Section("", ()),
        (Selected(Candidate(paper, 0.5, 1), (), 0.5, reasons=Reasons(numbers="Why the first")),),
    )
    recording.write(draft, plan, result)
    [key] = plan.keys.values()
    rename(root, key, "new")
    now = called_now(provenance.read(root), cited_entries(draft_of(root)))
    assert now.citations["new"].why == "Why the first"
