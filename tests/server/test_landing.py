"""An edit on its way to the editor: typing that overtakes it must never move it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types as lsp
from texgeist_latex.reading.project import read_draft
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import plan_related_work
from texgeist_server.errors import EditRefused
from texgeist_server.lsp import applying
from texgeist_server.lsp.clients import Client
from texgeist_server.lsp.documents import Documents
from texgeist_server.lsp.session import Session
from texgeist_server.sections import provenance
from texgeist_server.sections.outcome import Ask, Chosen, Outcome

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


def pending_of(main: Path, title: str = "A Paper") -> applying.Pending:
    outcome = Outcome(
        ask=Ask("abstract", (("Text.", "abstract"),)),
        section=SECTION,
        sentence_proofs=((),),
        chosen=(Chosen(replace(PAPERS[0], title=title), 0.7, 1, 0.7, "first"),),
    )
    return applying.Pending(
        outcome,
        lambda draft, made: plan_related_work(draft, made.section, made.references()),
        main,
        "Related work",
    )


async def test_what_cannot_be_kept_is_not_inserted(tmp_path: Path) -> None:
    """Document, bibliography and record change together or not at all."""
    session, server, main = session_of(tmp_path)
    session.draft = lambda path: read_draft(path, programs=False)  # type: ignore[method-assign]
    (tmp_path / ".texgeist").write_text("a file in the way")
    with pytest.raises(EditRefused, match="could not be kept"):
        await applying.land(session, pending_of(main))
    assert server.sent == [] and list(tmp_path.glob("*.bib")) == []


async def test_halves_of_letters_lose_no_reasons(tmp_path: Path) -> None:
    session, server, main = session_of(tmp_path)
    session.draft = lambda path: read_draft(path, programs=False)  # type: ignore[method-assign]
    landed = await applying.land(session, pending_of(main, "Half \ud800 a Paper"))
    assert landed.lost == "" and len(server.sent) == 1
    (kept,) = provenance.read(main)["citations"].values()
    assert kept["paper"]["title"] == "Half ? a Paper"
    assert [path.name for path in (tmp_path / ".texgeist").iterdir()] == ["provenance.json"]
