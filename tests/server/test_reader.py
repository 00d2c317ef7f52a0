"""The reading model belongs to the reading thread, and what crosses to it are values."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from texgeist_latex.errors import NoRoot, OutOfBounds, WrongThread
from texgeist_latex.reading.workspace import Workspace
from texgeist_server.lsp.connection.documents import Documents
from texgeist_server.lsp.connection.reader import Reader

TEXT = "\\documentclass{article}\n\\begin{document}\n%s\n\\bibliography{refs}\n\\end{document}\n"


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    (tmp_path / "main.tex").write_text(TEXT % "Words \\cite{a}.")
    (tmp_path / "refs.bib").write_text("@misc{a, title = {T}}\n")
    made = Reader(lambda loaded: Workspace([tmp_path], programs=False, loaded=loaded))
    yield made
    made.close()


async def test_the_model_is_out_of_reach_of_every_other_thread(reader: Reader, tmp_path: Path) -> None:
    leaked = await reader.read(lambda workspace: workspace)
    main = tmp_path / "main.tex"
    draft = await reader.draft(main)
    attacks: tuple[Callable[[], object], ...] = (
        lambda: leaked.open(main, ""),
        lambda: leaked.change(main, ""),
        lambda: leaked.close(main),
        lambda: leaked.changed_on_disk(main),
        lambda: leaked.look_again(),
        lambda: leaked.text(main),
        lambda: leaked.root(main),
        lambda: leaked.draft(main),
        lambda: leaked.is_settled,
        lambda: leaked.abstract_span(main),
        lambda: leaked.problems(main),
        lambda: leaked.complete(main, 0),
        lambda: leaked.prepare(main),
        lambda: leaked.cited_entries(main),
        lambda: leaked.offer(main, 0),
        lambda: leaked.citation_at(main, 0),
        lambda: leaked.cited_at(main, "a"),
        lambda: leaked.citations_in(main),
        lambda: leaked.key_at(main, 0),
        lambda: leaked.entry(main, "a"),
        lambda: leaked.definition(main, 0),
        lambda: leaked.references(main, 0),
        lambda: leaked.sharing(draft, "a"),
        lambda: leaked.loose(draft, "a"),
        lambda: leaked.one_look().__enter__(),
    )
    public = {name for name in vars(Workspace) if not name.startswith("_")} - {"stop"}
    assert len(attacks) == len(public)
    for attack in attacks:
        with pytest.raises(WrongThread, match="texgeist-reader"):
            attack()
        with pytest.raises(WrongThread):
            await asyncio.to_thread(attack)
    assert await reader.read(lambda workspace: workspace.text(main)) == main.read_text()


async def test_drafts_are_whole_while_documents_change(reader: Reader, tmp_path: Path) -> None:
    """Two files change together, letter by letter and with other files opened and closed beside them; every
    draft is of one moment."""
    main, part = tmp_path / "main.tex", tmp_path / "part.tex"
    part.write_text("Part 0.")
    documents, done, reads = Documents(), asyncio.Event(), [0, 0]

    def tell(path: Path, text: str) -> None:
        document = documents.open(path.as_uri(), text, 1)
        reader.post(lambda workspace: workspace.change(document.path, document.text))

    async def type_on() -> int:
        count = 0
        while count < 400 or min(reads) < 2:
            count += 1
            tell(main, TEXT % f"\\input{{part}} Main {count}. \\cite{{a}}")
            tell(part, f"Part {count}.")
            other = tmp_path / f"other{count % 7}.tex"
            documents.open(other.as_uri(), "x", 1)
            documents.close((tmp_path / f"other{(count + 3) % 7}.tex").as_uri())
            if count >= 400:  # the storm is over; typing goes on until enough was read
                await asyncio.sleep(0.05)
            elif count % 3 == 0:
                await asyncio.sleep(0)
        done.set()
        return count

    async def read_on(which: int) -> None:
        while not done.is_set():
            opened = documents.now
            seen = len(opened)
            draft = await reader.draft(main)
            texts = {path.name: source.text for path, source in draft.sources.items()}
            if "Main " in texts["main.tex"]:
                count = texts["main.tex"].split("Main ")[1].split(".")[0]
                assert texts["part.tex"] == f"Part {count}."
                prose = " ".join(page.text for page in draft.pages)
                assert f"Main {count}." in prose and f"Part {count}." in prose
            assert len(opened) == len(list(opened)) == seen
            reads[which] += 1

    last, *_ = await asyncio.gather(type_on(), read_on(0), read_on(1))
    assert f"Main {last}." in (await reader.draft(main)).sources[main].text


async def test_a_draft_is_of_the_disk_as_it_is(reader: Reader, tmp_path: Path) -> None:
    """Also where the editor does not tell of files that come and go."""
    main = tmp_path / "main.tex"
    main.write_text(TEXT % "\\input{later}")
    assert (await reader.draft(main)).missing
    (tmp_path / "later.tex").write_text("Come later.")
    draft = await reader.draft(main)
    assert not draft.missing and "Come later" in draft.pages[0].text
    (tmp_path / "refs.bib").write_text("@misc{b, title = {T}}\n")
    assert [e.key for b in (await reader.draft(main)).bibliographies for e in b.entries] == ["b"]


async def test_a_draft_waits_for_what_is_read_in_the_background(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A big bibliography: its keys are known before anything is planned; the model answers meanwhile."""
    monkeypatch.setattr("texgeist_latex.reading.kept_projects.BIG_BIBLIOGRAPHY", 10)
    main, let_go = tmp_path / "main.tex", threading.Event()

    def hold_back(workspace: Workspace) -> None:
        load = workspace._store._load_big
        monkeypatch.setattr(workspace._store, "_load_big", lambda path: (let_go.wait(20), load(path)))

    await reader.read(hold_back)
    task = asyncio.create_task(reader.draft(main))
    await asyncio.sleep(0.2)
    assert not task.done()
    assert await reader.read(lambda workspace: workspace.citation_at(main, TEXT.index("%s") + 12))
    let_go.set()
    draft = await task
    assert [entry.key for b in draft.bibliographies for entry in b.entries] == ["a"]


async def test_a_draft_waits_for_kpsewhich(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds may name more that it has to find."""
    shared, project, program = tmp_path / "shared", tmp_path / "project", tmp_path / "bin" / "kpsewhich"
    for folder in (shared, project, program.parent):
        folder.mkdir()
    (shared / "far.bib").write_text("@misc{a, title = {T}}\n")
    program.write_text(
        f"#!/bin/sh\nsleep 0.1\ncase $2 in far.bib) echo {shared}/far.bib;; *) exit 1;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    (project / "main.tex").write_text(TEXT.replace("refs", "far,gone") % "Words \\cite{a}.")
    reader = Reader(lambda loaded: Workspace([project], loaded=loaded))
    draft = await reader.draft(project / "main.tex")
    reader.close()
    assert [entry.key for b in draft.bibliographies for entry in b.entries] == ["a"]
    assert [problem.code for problem in draft.problems] == ["missing-file"]


async def test_a_draft_keeps_to_the_gate(tmp_path: Path) -> None:
    """The root that a setting names, and the bibliographies that the user's own settings name."""
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    shared, victim = outside / "shared.bib", outside / "victim.bib"
    for file in (shared, victim):
        file.write_text("@misc{a, title = {T}}\n")
    (outside / "thesis.tex").write_text(TEXT % "Theirs.")
    main = project / "main.tex"
    main.write_text(TEXT.replace("refs", "../outside/shared,../outside/victim") % "Words.")

    async def drafted(root: Path | None) -> bool:
        reader = Reader(lambda _: Workspace([project], root, programs=False, own=[shared]))
        try:
            gate = (await reader.draft(main)).gate
        finally:
            reader.close()
        return gate.may_write(shared) and not gate.may_write(victim) and gate.may_write(main)

    assert await drafted(None) and await drafted(main)
    with pytest.raises(OutOfBounds, match="outside the project"):
        await drafted(outside / "thesis.tex")
    with pytest.raises(NoRoot, match=r"gone\.tex does not exist"):
        await drafted(project / "gone.tex")


async def test_a_reading_that_fails_is_told_to_whom_it_concerns(reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(NoRoot):
        await reader.draft(tmp_path / "not-there.tex")
    reader.post(lambda workspace: workspace.root(tmp_path / "not-there.tex"))
    assert (await reader.draft(tmp_path / "main.tex")).root == tmp_path / "main.tex"


async def test_a_huge_open_bibliography_is_read_from_its_file(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing the buffer of 59 MB delayed a hover by 18 s; the file is read in the background."""
    monkeypatch.setattr("texgeist_server.lsp.connection.reader.LARGEST_BUFFER", 100)
    documents, uri = Documents(), (tmp_path / "refs.bib").as_uri()

    async def keys() -> set[str]:
        return {
            entry.key
            for each in (await reader.draft(tmp_path / "main.tex")).bibliographies
            for entry in each.entries
        }

    small, large = "@misc{typed, title = {T}}\n", "@misc{typed, title = {T}}\n" * 5
    reader.open(documents.open(uri, small, 1))
    assert await keys() == {"typed"}
    reader.change(documents.open(uri, large, 2))
    assert await keys() == {"a"}
    reader.change(documents.open(uri, small, 3))
    assert await keys() == {"typed"}
    reader.close_document(tmp_path / "refs.bib")
    assert await keys() == {"a"}
