"""An edit on its way to the editor: typing that overtakes it must never move it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types as lsp
from texgeist_latex.errors import OutOfBounds
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Draft, Edit, ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Passage,
    Query,
    QueryPart,
    Result,
    Section,
    Selected,
    Sentence,
)
from texgeist_server.config.settings import Settings
from texgeist_server.errors import EditRefused, NothingToCite
from texgeist_server.lsp.connection.configuration import Client
from texgeist_server.lsp.connection.documents import Documents
from texgeist_server.lsp.connection.editor import Editor
from texgeist_server.lsp.connection.reader import Reader
from texgeist_server.lsp.edits import applying, landed
from texgeist_server.lsp.edits.applying import to_the_end
from texgeist_server.lsp.jobs.jobs import cancelled
from texgeist_server.sections import provenance, recording
from texgeist_server.sections.edit_requests import Pending, RelatedWorkEdit
from texgeist_server.sections.safeguards import check_cites

from .records import provenance_with

TEXT = "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\nWords.\n\\end{document}\n"
SECTION = ProseSection("Related Work", ((ProseSentence("Words.", ("a",)),),))
PAPERS = [Reference("a", "A Paper", ("Ann Ash",), 2020, "2001.00001")]


class Server:
    """An editor that takes every edit, or none."""

    def __init__(self) -> None:
        self.sent: list[lsp.ApplyWorkspaceEditParams] = []
        self.taken = asyncio.Event()
        self.answers = self.takes = True

    async def workspace_apply_edit_async(self, params: Any) -> lsp.ApplyWorkspaceEditResult:
        self.sent.append(params)
        self.taken.set()
        if not self.answers:
            await asyncio.Event().wait()
        return lsp.ApplyWorkspaceEditResult(applied=self.takes)


def editor_in(folder: Path) -> tuple[Editor, Server, Path]:
    main = folder / "main.tex"
    main.write_text(TEXT)
    server, documents = Server(), Documents()
    documents.open(main.as_uri(), TEXT, 1)
    settings = SimpleNamespace(editor=SimpleNamespace(review="off"))
    configuration = SimpleNamespace(client=Client(document_changes=True), settings=settings)

    async def draft(path: Path) -> Draft:
        return read_draft(path, programs=False)

    made = (server, configuration, documents, SimpleNamespace(draft=draft))
    return Editor(*cast(Any, made)), server, main


async def test_typing_between_the_last_look_and_the_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, server, main = editor_in(tmp_path)
    draft = read_draft(main, programs=False)
    plan = plan_related_work(draft, SECTION, PAPERS)
    make = applying._make_files

    def make_slowly(plan: Any) -> Any:
        editor.documents.open(main.as_uri(), "% typed\n" + TEXT, 2)
        return make(plan)

    monkeypatch.setattr(applying, "_make_files", make_slowly)
    assert not await applying.apply_plan(editor, plan, draft, "texgeist")
    assert server.sent == [] and list(tmp_path.glob("*.bib")) == []


async def test_cancelled_while_the_editor_has_the_edit(tmp_path: Path) -> None:
    """It may yet be taken: nobody may say that nothing was changed."""
    editor, server, main = editor_in(tmp_path)
    server.answers = False
    draft = read_draft(main, programs=False)
    task = asyncio.create_task(
        applying.apply_plan(editor, plan_related_work(draft, SECTION, PAPERS), draft, "texgeist")
    )
    await server.taken.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError) as caught:
        await task
    assert caught.value.args == (applying.UNDER_WAY,)
    assert list(tmp_path.glob("*.bib"))


async def test_cancelled_after_the_edit_has_landed() -> None:
    """What belongs to the edit is done to its end, and nobody says that nothing was changed."""
    begun, done = threading.Event(), threading.Event()
    go_on = threading.Event()

    def remember() -> None:
        begun.set()
        go_on.wait(10)
        done.set()

    task = asyncio.create_task(to_the_end(remember))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError) as caught:
        await task
    assert done.is_set() and "too late" in cancelled(caught.value)
    assert cancelled(asyncio.CancelledError()) == "cancelled, nothing was changed."


async def test_no_edit_goes_outside_and_none_without_a_paper(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    draft = read_draft(main, programs=False)
    victim = tmp_path.parent / "victim.bib"
    plan = plan_related_work(draft, SECTION, PAPERS)
    for edits, made in (
        ((*plan.edits, Edit(victim, 0, 0, "x")), ()),
        ((Edit(victim, 0, 0, "x"),), (victim,)),
    ):
        with pytest.raises(OutOfBounds, match=r"victim\.bib"):
            await applying.apply_plan(editor, replace(plan, edits=edits, new_files=made), draft, "texgeist")
    with pytest.raises(NothingToCite):
        check_cites(replace(plan, keys={}))
    assert server.sent == [] and not victim.exists()


def pending_of(main: Path, title: str = "A Paper") -> Pending:
    paper = Paper("a", title, authors=("Ann Ash",), year=2020)
    evidence = Evidence("1", Passage("a", None, "Words."), 0.7)
    result = Result(
        query=Query("abstract", (QueryPart("Text.", "abstract"),)),
        section=Section("Related Work", ((Sentence("Words.", ("1",)),),)),
        selected=(Selected(Candidate(paper, 0.7, 1), (evidence,), 0.7),),
    )
    asked = RelatedWorkEdit(path=main, source="abstract", settings=Settings())
    return Pending(asked, read_draft(main, programs=False), result)


async def test_what_cannot_be_kept_is_not_inserted(tmp_path: Path) -> None:
    """Document, bibliography and record change together or not at all."""
    editor, server, main = editor_in(tmp_path)
    (tmp_path / ".texgeist").write_text("a file in the way")
    with pytest.raises(OutOfBounds, match="cannot be stored"):
        await applying.land(editor, pending_of(main))
    assert server.sent == [] and list(tmp_path.glob("*.bib")) == []


async def test_halves_of_letters_lose_no_reasons(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    done = await applying.land(editor, pending_of(main, "Half \ud800 a Paper"))
    assert len(server.sent) == 1 and provenance.read(main).citations == {}
    assert recording.land(done) == ""
    (kept,) = provenance.read(main).citations.values()
    assert kept.paper.title == "Half ? a Paper"
    names = {path.name for path in (tmp_path / ".texgeist").iterdir()}
    assert names == {".gitattributes", "provenance.json"}


async def test_an_edit_that_was_declined_leaves_no_record(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    server.takes = False
    with pytest.raises(EditRefused):
        await applying.land(editor, pending_of(main))
    assert not (tmp_path / ".texgeist").exists() and list(tmp_path.glob("*.bib")) == []


async def test_what_was_recorded_while_the_editor_asked_stays(tmp_path: Path) -> None:
    editor, _, main = editor_in(tmp_path)
    done = await applying.land(editor, pending_of(main))
    plan = replace(done.plan, section_id="answer-1", keys={"a": "another"})
    recording.save(replace(done, plan=plan))
    assert recording.land(done) == ""
    assert provenance.read(main).sections.keys() == {"answer-1", "related-work"}
    names = {path.name for path in (tmp_path / ".texgeist").iterdir()}
    assert names == {".gitattributes", "provenance.json"}


def noted(main: Path, **parts: Any) -> None:
    data = provenance.read_to_write(main)
    held = data.model_dump(exclude_unset=True)
    both = {part: {**held.get(part, {}), **new} for part, new in parts.items()}
    provenance.write(main, provenance_with(data, **both))


@pytest.mark.parametrize("when", ["while the editor asked", "afterwards", "before", "never"])
async def test_taking_back_keeps_what_else_was_recorded(tmp_path: Path, when: str) -> None:
    editor, _, main = editor_in(tmp_path)
    others = {"citations": {"k": {"paper": {"title": "K"}}}}
    if when == "before":
        noted(main, **others)
    file = provenance.file_of(main)
    before = file.read_bytes() if file.exists() else None
    done = await applying.land(editor, pending_of(main))
    if when == "while the editor asked":
        noted(main, **others)
    assert recording.land(done) == "" and "related-work" in provenance.read(main).sections
    if when == "afterwards":
        noted(main, **others)
    recording.take_back(done)
    now = provenance.read(main)
    assert now.sections == {} and now.citations.keys() == (set() if when == "never" else {"k"})
    if when in ("before", "never"):
        assert (file.read_bytes() if file.exists() else None) == before, "as if nothing had been"


async def test_a_record_that_was_written_again_since_stays(tmp_path: Path) -> None:
    editor, _, main = editor_in(tmp_path)
    done = await applying.land(editor, pending_of(main))
    recording.land(done)
    noted(main, sections={"related-work": {"text": "% texgeist:begin related-work\nNewer.\n", "papers": 0}})
    recording.take_back(done)
    assert "Newer." in provenance.read(main).sections["related-work"].text


async def test_a_new_bibliography_stays_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the record follows the text, though somebody cancels then."""
    editor, server, main = editor_in(tmp_path)
    one = await applying.land(editor, pending_of(main))
    recording.land(one)
    main.write_text(one.after[main])
    editor.documents.open(main.as_uri(), one.after[main], 2)
    begun, go_on, take_back = threading.Event(), threading.Event(), recording.take_back

    def slowly(staged: Any) -> None:
        begun.set()
        go_on.wait(10)
        take_back(staged)

    monkeypatch.setattr(recording, "take_back", slowly)
    [bib] = tmp_path.glob("*.bib")
    task = asyncio.create_task(landed.take_back(editor, one))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError, match="too late"):
        await task
    assert len(server.sent) == 2 and provenance.read(main).sections == {}
    monkeypatch.setattr(recording, "take_back", take_back)
    said = await landed.take_back(editor, one)
    assert bib.name in said and "not its entries" in said and "@" in bib.read_text()


async def test_a_change_that_the_editor_tells_of_late_does_not_keep_it_from_being_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the reading and the edit, as Neovim 0.7's line end at the end of a file."""
    monkeypatch.setattr(applying, "_PAUSE", 0.01)
    editor, server, main = editor_in(tmp_path)
    one = await applying.land(editor, pending_of(main))
    recording.land(one)
    editor.documents.open(main.as_uri(), one.after[main], 2)
    drafts = editor.reader.draft

    async def told_after(path: Path) -> Draft:
        draft = await drafts(path)
        main.write_text(one.after[main])
        return draft

    main.write_text(one.after[main] + "\n")
    late = SimpleNamespace(draft=told_after)
    assert "not its entries" in await landed.take_back(replace(editor, reader=cast(Any, late)), one)
    assert len(server.sent) == 2 and provenance.read(main).sections == {}


@pytest.mark.parametrize("named", [False, True], ids=["found", "named by the setting"])
@pytest.mark.parametrize("by", ["nobody", "another document", "one with a bibliography of its own"])
async def test_taking_back_leaves_an_entry_that_another_document_cites(
    tmp_path: Path, by: str, named: bool
) -> None:
    editor, _, main = editor_in(tmp_path)
    text, refs = TEXT.replace("\\end{doc", "\\bibliography{refs}\n\\end{doc"), tmp_path / "refs.bib"
    main.write_text(text)
    refs.write_text("@misc{known, title = {Known}}\n")
    editor.documents.open(main.as_uri(), text, 2)
    one = await applying.land(editor, pending_of(main))
    recording.land(one)
    for file, after in one.after.items():
        file.write_text(after)
    (key,), written = one.keys, refs.read_text()
    editor.documents.open(main.as_uri(), main.read_text(), 3)
    if by != "nobody":
        supplement = text.replace("Words.", f"\\cite{{{key}}}")
        if by != "another document":
            supplement = supplement.replace("{refs}", "{own}")
            (tmp_path / "own.bib").write_text(written)
        (tmp_path / "supplement.tex").write_text(supplement)
    root = main if named else None
    reader = Reader(lambda loaded: Workspace([tmp_path], root, programs=False, loaded=loaded))
    server = Server()
    try:
        said = await landed.take_back(replace(editor, server=cast(Any, server), reader=reader), one)
    finally:
        reader.close()
    changed = {one.text_document.uri for one in server.sent[0].edit.document_changes or ()}  # type: ignore[union-attr]
    assert key in written and main.as_uri() in changed
    if by == "another document":
        assert refs.as_uri() not in changed and "cited elsewhere" in said
    else:
        assert refs.as_uri() in changed and said == "with its entries"
