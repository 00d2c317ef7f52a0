"""What is on record of a section, when its keys get other names, or nearly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Draft
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.blocks import find_blocks, place_of
from texgeist_latex.writing.renaming import plan_renaming
from texgeist_server.lsp.features.hover import explain
from texgeist_server.sections import provenance
from texgeist_server.sections.provenance_changes import (
    called_now,
    has_gone_on,
    keys_in,
    offers_of,
    with_new_owners,
    with_renaming,
)
from texgeist_server.sections.safeguards import discarded

from .records import provenance_with

BLOCK = "% texgeist:begin related-work\nAs \\citet{old} and \\citep[p. 2]{a, old} say.\n% texgeist:end related-work"
GONE, STANDS = "This was taken out \\citep{old}.", "As \\citet{old} and \\citep[p. 2]{a, old} say."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}\n\\begin{{document}}\n{BLOCK}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    )
    (tmp_path / "refs.bib").write_text("@misc{old, title={T}}\n@misc{a, title={A}}\n")
    section: dict[str, Any] = {
        "text": BLOCK,
        "gone": [GONE],
        "offers": [
            {"stands": STANDS, "new": "Anew \\citet{old}.", "papers": {"old": {"paper": {"id": "1"}}}}
        ],
    }
    provenance.write(main, provenance_with(provenance.read(main), sections={"related-work": section}))
    return main


def draft_of(root: Path) -> Draft:
    return read_draft(root, programs=False)


def note(root: Path, old: str, new: str) -> None:
    provenance.write(root, with_renaming(provenance.read_to_write(root), old, new))


def rename(root: Path, old: str, new: str) -> None:
    note(root, old, new)
    draft = draft_of(root)
    apply_plan(plan_renaming(draft, old, new), draft)


def check(root: Path, key: str) -> None:
    """All that is on record speaks of the key that stands, and no edit of the author's is seen."""
    draft = draft_of(root)
    assert discarded(draft, "related-work") is None
    before = provenance.before(draft, "related-work")
    assert before and before.written == BLOCK.replace("old", key)
    assert before.gone == (GONE.replace("{old}", f"{{{key}}}"),)
    now = called_now(provenance.read(root), keys_in(draft))
    [offer] = offers_of(now, "related-work")
    [block] = find_blocks(draft.sources.values())
    assert place_of(draft.sources[root], block, offer.stands) and offer.papers == ((key, "1"),)


def test_a_renaming_that_is_declined_leaves_all_as_it_was(root: Path) -> None:
    note(root, "old", "new")
    check(root, "old")


def test_a_renaming_that_is_taken_is_followed_and_its_undo_too(root: Path) -> None:
    rename(root, "old", "new")
    check(root, "new")
    rename(root, "new", "newer")
    check(root, "newer")
    note(root, "newer", "declined")
    check(root, "newer")
    for file in (root, root.with_name("refs.bib")):
        file.write_text(file.read_text().replace("newer", "old"))  # by the editor's undo
    check(root, "old")


def test_an_undo_after_the_section_was_written_again(root: Path) -> None:
    rename(root, "old", "new")
    data = called_now(provenance.read(root), keys_in(draft_of(root)))
    provenance.write(root, data)  # as it is written by the keys of then
    for file in (root, root.with_name("refs.bib")):
        file.write_text(file.read_text().replace("new", "old"))
    check(root, "old")


def test_nothing_is_noted_where_nothing_is_on_record(root: Path) -> None:
    data = provenance.read(root)
    assert with_renaming(data, "nowhere", "else") is data
    empty = provenance_with(data, sections={}, citations={})
    assert with_renaming(empty, "e", "f") is empty


def told(root: Path, key: str) -> str:
    model = Workspace([root.parent], programs=False)
    found = explain(model, root, root.read_text().index(f"{{{key}}}") + 1, {})
    model.stop()
    return found.markdown if found else ""


def second_paper(root: Path, key: str) -> None:
    """The author's own, under a key that is free."""
    refs = root.with_name("refs.bib")
    refs.write_text(refs.read_text() + f"@misc{{{key}, title={{Another Paper}}}}\n")
    root.write_text(root.read_text().replace("\\bibliography", f"\\cite{{{key}}}\n\\bibliography"))


def reasons(id: str, title: str) -> dict[str, Any]:
    return {"paper": {"id": id, "title": title}, "why": f"Why {title}."}


@pytest.mark.parametrize("names", [("old", "new"), ("old", "new", "newer"), ("old", "new", "old", "newer")])
def test_a_second_paper_under_the_old_key_is_another(root: Path, names: tuple[str, ...]) -> None:
    data = provenance.read(root)
    provenance.write(root, provenance_with(data, citations={"old": reasons("1", "The First")}))
    assert "Why The First" in told(root, "old")
    for old, new in pairwise(names):
        rename(root, old, new)
        assert "Why The First" in told(root, new)
    second_paper(root, "old")
    assert "Why The First" in told(root, names[-1])
    assert "Another Paper" in told(root, "old") and "The First" not in told(root, "old")
    check(root, names[-1])


def test_a_key_that_came_back_keeps_its_reasons(root: Path) -> None:
    data = provenance.read(root)
    provenance.write(root, provenance_with(data, citations={"old": reasons("1", "The First")}))
    rename(root, "old", "new")
    rename(root, "new", "old")
    second_paper(root, "new")
    assert "Why The First" in told(root, "old") and "Another Paper" in told(root, "new")
    check(root, "old")
    both = provenance_with(data, renamed={"old": "new", "new": "old"})
    assert not has_gone_on(both, "old", {"old"}) and not has_gone_on(both, "none", {"old"})


def test_a_key_that_is_given_to_another_paper_is_that_one_s(root: Path) -> None:
    data = provenance.read(root)
    provenance.write(root, provenance_with(data, citations={"old": reasons("1", "The First")}))
    rename(root, "old", "new")
    second_paper(root, "old")
    data = provenance.read(root)
    assert with_new_owners(data, {"1": "old"}) is data, "the same paper: the renaming was undone"
    given = with_new_owners(data, {"2": "old"})
    citations = {**given.model_dump()["citations"], "old": reasons("2", "The Second")}
    provenance.write(root, provenance_with(given, citations=citations))
    assert "Why The Second" in told(root, "old") and "Why The First" in told(root, "new")
    check(root, "new")
