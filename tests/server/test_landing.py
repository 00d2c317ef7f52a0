"""An edit on its way to the editor: typing that overtakes it must never move it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import typer
from lsprotocol import types as lsp
from texgeist_latex.errors import OutOfBounds
from texgeist_latex.reading.project import read_draft
from texgeist_latex.types import Edit, ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.errors import Cancelled
from texgeist_server.commands.common import plainly
from texgeist_server.errors import NothingToCite
from texgeist_server.lsp import applying, writing_jobs
from texgeist_server.lsp.clients import Client
from texgeist_server.lsp.documents import Documents
from texgeist_server.lsp.session import Session
from texgeist_server.sections.keeping import check_cites

TEXT = "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\nWords.\n\\end{document}\n"
SECTION = ProseSection("Related Work", ((ProseSentence("Words.", ("a",)),),))
PAPERS = [Reference("a", "A Paper", ("Ann Ash",), 2020, "2001.00001")]


class Server:
    """An editor that takes every edit."""

    def __init__(self) -> None:
        self.sent: list[lsp.ApplyWorkspaceEditParams] = []
        self.taken = asyncio.Event()
        self.answers = True

    async def workspace_apply_edit_async(self, params: Any) -> lsp.ApplyWorkspaceEditResult:
        self.sent.append(params)
        self.taken.set()
        if not self.answers:
            await asyncio.Event().wait()
        return lsp.ApplyWorkspaceEditResult(applied=True)


def session_of(folder: Path) -> tuple[Session, Server, Path]:
    main = folder / "main.tex"
    main.write_text(TEXT)
    server, documents = Server(), Documents()
    documents.open(main.as_uri(), TEXT, 1)
    settings = SimpleNamespace(editor=SimpleNamespace(review="off"))
    made = SimpleNamespace(
        server=server, documents=documents, client=Client(document_changes=True), settings=settings
    )
    return cast(Session, made), server, main


async def test_typing_between_the_last_look_and_the_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, server, main = session_of(tmp_path)
    draft = read_draft(main, programs=False)
    plan = plan_related_work(draft, SECTION, PAPERS)
    make = applying._make_files

    def make_slowly(plan: Any) -> Any:
        session.documents.open(main.as_uri(), "% typed\n" + TEXT, 2)
        return make(plan)

    monkeypatch.setattr(applying, "_make_files", make_slowly)
    assert not await applying.apply_plan(session, plan, draft, "texgeist")
    assert server.sent == [] and list(tmp_path.glob("*.bib")) == []


async def test_cancelled_while_the_editor_has_the_edit(tmp_path: Path) -> None:
    """It may yet be taken: nobody may say that nothing was changed."""
    session, server, main = session_of(tmp_path)
    server.answers = False
    draft = read_draft(main, programs=False)
    task = asyncio.create_task(
        applying.apply_plan(session, plan_related_work(draft, SECTION, PAPERS), draft, "texgeist")
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

    task = asyncio.create_task(writing_jobs._to_the_end(remember))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError) as caught:
        await task
    assert done.is_set() and "too late" in writing_jobs.cancelled(caught.value)
    assert writing_jobs.cancelled(asyncio.CancelledError()) == "cancelled, nothing was changed."


async def test_no_edit_goes_outside_and_none_without_a_paper(tmp_path: Path) -> None:
    session, server, main = session_of(tmp_path)
    draft = read_draft(main, programs=False)
    victim = tmp_path.parent / "victim.bib"
    plan = plan_related_work(draft, SECTION, PAPERS)
    for edits, made in (
        ((*plan.edits, Edit(victim, 0, 0, "x")), ()),
        ((Edit(victim, 0, 0, "x"),), (victim,)),
    ):
        with pytest.raises(OutOfBounds, match=r"victim\.bib"):
            await applying.apply_plan(session, replace(plan, edits=edits, new_files=made), draft, "texgeist")
    with pytest.raises(NothingToCite):
        check_cites(replace(plan, keys={}))
    assert server.sent == [] and not victim.exists()


def test_a_broken_off_command_says_what_was_kept(capsys: pytest.CaptureFixture[str]) -> None:
    kept = Cancelled("Stopped: what was taken in so far is kept.")
    for stopped, words in ((Cancelled(), "nothing was changed"), (kept, "what was taken in so far is kept")):
        with pytest.raises(typer.Exit) as caught, plainly():
            raise stopped
        assert caught.value.exit_code == 130
        said = capsys.readouterr().err
        assert words in said and ("nothing was changed" in said) == (stopped is not kept)
