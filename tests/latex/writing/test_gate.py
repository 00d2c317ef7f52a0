"""Attacks on the gate: whatever a project names, nothing outside of it is touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from texgeist_latex.disk.folder import Folder, opened
from texgeist_latex.disk.gate import Gate
from texgeist_latex.errors import LatexError, OutOfBounds, Unwritable
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.types import Draft
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_related_work

from .conftest import ADAM_BIB, PAPERS, SECTION

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights there")
TEXT = r"""\documentclass{article}
%s
\begin{document}
\begin{abstract} What it is about. \end{abstract}
\section{Introduction} Words.
%s
\end{document}
"""
SECRET = "The secret thesis of somebody else."


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """`project` is what was opened; everything beside it is somebody else's."""
    (tmp_path / "project").mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim.bib").write_text(ADAM_BIB)
    (outside / "passwd").write_text("root:x:0:0\n")
    (outside / "notes.txt").write_text("@misc{a, title = {A}}\n")
    (outside / "profile").write_text("export PATH\n")
    (outside / "thesis.tex").write_text(TEXT % ("", SECRET))
    return tmp_path


def held(world: Path) -> dict[str, bytes]:
    """All that lies outside of the project, by name; links by what they are, not by what they lead to."""
    found = {}
    for path in sorted(world.rglob("*")):
        if not path.is_relative_to(world / "project") and path.is_file():
            found[str(path)] = path.read_bytes()
    return found


@pytest.mark.parametrize(
    ("name", "reads", "writes"),
    [
        ("project/new.tex", True, True),
        ("project/new.bib", False, True),
        ("project/new.sty", True, False),
        ("project/new.sh", False, False),
        ("project-b/new.tex", False, False),  # its name begins like the project's
        ("new.tex", False, False),
    ],
)
def test_what_may_be_read_and_written(world: Path, name: str, reads: bool, writes: bool) -> None:
    gate = Gate(str(world / "project"))
    assert (gate.may_read(world / name), gate.may_write(world / name)) == (reads, writes)


def attack(
    world: Path, preamble: str = "", end: str = "", bibliography: Path | None = None
) -> tuple[Draft | None, str]:
    """Reads, plans and writes as the command line does. The draft as it is then, or what was refused."""
    main = world / "project" / "main.tex"
    main.write_text(TEXT % (preamble, end.replace("OUT", str(world / "outside"))))
    before = held(world)
    try:
        draft = read_draft(main, workspace=world / "project", programs=False)
        apply_plan(plan_related_work(draft, SECTION, PAPERS, bibliography=bibliography), draft)
    except LatexError as error:
        assert held(world) == before
        assert main.read_text() == TEXT % (preamble, end.replace("OUT", str(world / "outside")))
        return None, error.sentence()
    assert held(world) == before
    return read_draft(main, workspace=world / "project", programs=False), ""


@pytest.mark.parametrize(
    "name",
    ["OUT/victim", "../outside/victim", "OUT/new", "../outside/new", "nested/../../outside/victim"],
)
@pytest.mark.parametrize("biblatex", [False, True])
def test_a_master_bibliography_outside_is_read_and_never_written(
    world: Path, name: str, biblatex: bool
) -> None:
    """A new bibliography is made beside it, and only the first time the author is told so."""
    named = f"\\bibliographystyle{{plain}}\\bibliography{{{name}}}"
    if biblatex:
        named = (
            f"\\usepackage{{biblatex}}\n\\addbibresource{{{name.replace('OUT', str(world / 'outside'))}.bib}}"
        )
    draft, refused = attack(world, preamble=named) if biblatex else attack(world, end=named)
    assert draft is not None, refused
    made = world / "project" / "references.bib"
    assert "devlin2018bert" in made.read_text("utf-8")
    assert made in [each.path for each in draft.bibliographies]
    if "victim" in name:
        assert "adam" not in made.read_text("utf-8").lower(), "what the master holds is cited from there"
    again = plan_related_work(draft, SECTION, PAPERS)
    assert not [note for note in again.notes if "papers.bibliographies" in note]


@pytest.mark.parametrize("name", ["OUT/passwd", "../outside/passwd", "OUT/notes.txt", "OUT/profile"])
def test_a_file_of_another_kind_is_refused_by_its_name(world: Path, name: str) -> None:
    draft, refused = attack(world, end=f"\\bibliography{{{name}}}")
    assert draft is None and Path(name).name in refused and "outside" in refused
    assert [path.name for path in (world / "project").iterdir()] == ["main.tex"]
    path = Path(name.replace("OUT", str(world / "outside")))
    assert not Gate(str(world / "project"), frozenset([str(path)])).may_write(path), (
        "nor if the user names it"
    )


@pytest.mark.parametrize("target", ["victim.bib", "gone.bib", "profile"])
def test_a_bibliography_that_is_a_link_to_one_outside(world: Path, target: str) -> None:
    (world / "project" / "references.bib").symlink_to(world / "outside" / target)
    draft, refused = attack(world, end="\\bibliography{references}")
    if target == "profile":
        assert draft is None and "references.bib" in refused and str(world / "outside" / target) in refused
    else:
        assert draft is not None, refused
        assert "devlin2018bert" in (world / "project" / "texgeist.bib").read_text("utf-8")


def test_texts_outside_are_named_and_not_read(world: Path) -> None:
    (world / "project" / "bib").symlink_to(world / "outside", target_is_directory=True)
    (world / "project" / "part.tex").symlink_to(world / "outside" / "thesis.tex")
    texts = "\\input{bib/thesis}\\input{part}\\input{../outside/thesis}"
    draft, refused = attack(world, end=f"{texts}\\bibliography{{bib/victim}}")
    assert draft is not None, refused
    assert [problem.code for problem in draft.problems] == ["outside-project"] * 3
    assert draft.files == (world / "project" / "main.tex",)
    assert SECRET not in str(draft.pages)


@pytest.mark.parametrize(
    "name", ["../outside/victim.bib", "OUT/victim.bib", "../outside/new.bib", "link.bib", "a\0.bib"]
)
def test_a_setting_cannot_name_a_bibliography_outside(world: Path, name: str) -> None:
    (world / "project" / "link.bib").symlink_to(world / "outside" / "new.bib")
    wanted = Path(name.replace("OUT", str(world / "outside")))
    draft, refused = attack(world, bibliography=wanted)
    assert draft is None and "outside" in refused


@pytest.mark.parametrize("name", [".git/hooks/x", "--help", "sub/-x", ".cache/refs", ".refs", "loop"])
def test_no_file_is_made_that_another_program_takes_for_its_own(world: Path, name: str) -> None:
    project = world / "project"
    (project / ".git" / "hooks").mkdir(parents=True)
    (project / "sub").mkdir()
    (project / "loop.bib").symlink_to("loop.bib")
    before = sorted(project.rglob("*"))
    draft, refused = attack(world, end=f"\\bibliography{{{name}}}")
    assert draft is None and f"{name}.bib" in refused
    assert sorted(project.rglob("*")) == sorted([*before, project / "main.tex"])
    with pytest.raises(OutOfBounds):  # before the search for papers
        draft = read_draft(project / "main.tex", workspace=project, programs=False)
        plan_related_work(draft, SECTION, PAPERS)


def test_hidden_folders_that_the_author_uses(world: Path) -> None:
    """A bibliography that is there is written to, and a project may itself lie in a hidden folder."""
    project = world / "project"
    (project / ".bib").mkdir()
    (project / ".bib" / "refs.bib").write_text(ADAM_BIB)
    draft, refused = attack(world, end="\\bibliography{.bib/refs}")
    assert draft is not None and "devlin2018bert" in (project / ".bib" / "refs.bib").read_text(), refused
    tree = project / ".worktrees" / "mine"
    tree.mkdir(parents=True)
    (tree / "main.tex").write_text(TEXT % ("", "\\bibliography{refs}"))
    draft = read_draft(tree / "main.tex", workspace=project, programs=False)
    apply_plan(plan_related_work(draft, SECTION, PAPERS), draft)
    assert "devlin2018bert" in (tree / "refs.bib").read_text()


def test_the_users_own_word_opens_a_master(world: Path) -> None:
    main, master = world / "project" / "main.tex", world / "outside" / "victim.bib"
    main.write_text(TEXT % ("", "\\bibliography{../outside/victim}"))
    (world / "mine.bib").symlink_to(master)
    draft = read_draft(main, workspace=world / "project", programs=False, own=[world / "mine.bib"])
    apply_plan(plan_related_work(draft, SECTION, PAPERS), draft)
    assert "devlin2018bert" in master.read_text("utf-8") and (world / "mine.bib").is_symlink()
    assert [path.name for path in (world / "project").iterdir()] == ["main.tex"]


MAGIC = [
    "% !TEX root = OUT/thesis.tex",
    "% !TEX root = ../outside/thesis.tex",
    "% !TEX root = link.tex",
    "% !TEX root = folder/thesis.tex",
    "\\documentclass[../outside/thesis.tex]{subfiles}",
    "% !TEX root = hop.tex",
]


@pytest.mark.parametrize("line", MAGIC)
@pytest.mark.parametrize("in_workspace", [True, False])
def test_a_text_cannot_name_a_document_outside(world: Path, line: str, in_workspace: bool) -> None:
    project = world / "project"
    (project / "link.tex").symlink_to(world / "outside" / "thesis.tex")
    (project / "folder").symlink_to(world / "outside", target_is_directory=True)
    (project / "hop.tex").write_text("% !TEX root = ../outside/thesis.tex\n")
    part = project / "part.tex"
    part.write_text(line.replace("OUT", str(world / "outside")) + "\nWords.\n")
    draft = read_draft(part, workspace=project if in_workspace else None, programs=False)
    assert draft.root == part and ("thesis.tex" in draft.doubt or "link.tex" in draft.doubt)
    assert SECRET not in str(draft) and not draft.gate.may_write(world / "outside" / "thesis.tex")
    if in_workspace:
        assert Workspace([project], programs=False).root(part) == part


def test_without_a_workspace_a_text_cannot_name_a_document_above_that_does_not_include_it(
    world: Path,
) -> None:
    """Where nobody said how far a project reaches, a folder above with a document is only a guess."""
    (world / "mine.tex").write_text(TEXT % ("", SECRET))
    part = world / "project" / "part.tex"
    part.write_text("% !TEX root = ../mine.tex\nWords.\n")
    draft = read_draft(part, programs=False)
    assert draft.root == part and "mine.tex" in draft.doubt and SECRET not in str(draft)
    (world / "mine.tex").write_text(TEXT % ("", "\\input{project/part}"))
    draft = read_draft(part, programs=False)
    assert draft.root == world / "mine.tex" and draft.doubt == ""


@pytest.mark.parametrize("root", ["../outside/thesis.tex", "link.tex"])
def test_a_setting_cannot_name_a_document_outside(world: Path, root: str) -> None:
    project = world / "project"
    (project / "main.tex").write_text(TEXT % ("", ""))
    (project / "link.tex").symlink_to(world / "outside" / "thesis.tex")
    with pytest.raises(OutOfBounds, match="outside"):
        read_draft(project / "main.tex", workspace=project, root=project / root, programs=False)
    workspace = Workspace([project], root=project / root, programs=False)
    assert workspace.root(project / "main.tex") == project / "main.tex"


def test_a_document_that_is_a_link_to_one_outside(world: Path) -> None:
    main = world / "project" / "main.tex"
    main.symlink_to(world / "outside" / "thesis.tex")
    with pytest.raises(OutOfBounds, match=r"thesis|main\.tex"):
        read_draft(main, workspace=world / "project", programs=False)
    workspace = Workspace([world / "project"], programs=False)
    text = "\\cite{a}\n" + main.read_text()
    workspace.open(main, text)
    assert workspace.problems(main) == [] and workspace.complete(main, 6) == []
    assert workspace.definition(main, 6) == workspace.references(main, 6) == []


@pytest.mark.parametrize("name", ["main.tex", "part.tex"])
@pytest.mark.parametrize("in_workspace", [True, False])
def test_a_text_that_is_a_link_to_a_folder(world: Path, name: str, in_workspace: bool) -> None:
    path = world / "project" / name
    path.symlink_to(world / "outside", target_is_directory=True)
    with pytest.raises(LatexError, match="folder"):
        read_draft(path, workspace=world / "project" if in_workspace else None, programs=False)


def test_a_folder_of_the_workspace_that_leads_outside(world: Path) -> None:
    path = world / "project" / "sub"
    path.symlink_to(world / "outside", target_is_directory=True)
    with pytest.raises(OutOfBounds):
        read_draft(path, workspace=world / "project", programs=False)


def test_text_of_other_kinds_is_named_and_not_read(world: Path) -> None:
    (world / "project" / ".env").write_text("KEY=secret words\n")
    (world / "project" / "table.csv").write_text("secret words\n")
    draft, refused = attack(world, end="\\input{.env}\\input{table.csv}")
    assert draft is not None, refused
    assert [p.code for p in draft.problems] == ["outside-project"] * 2 and "secret" not in str(draft.pages)


# -- between looking and writing ---------------------------------------------------------------------


@pytest.mark.parametrize("step", ["stage", "replace"])
def test_a_folder_exchanged_for_a_link_before_writing(
    world: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the bibliography is moved away and a link put in its place, at the worst moment."""
    project, outside = world / "project", world / "outside"
    (project / "bib").mkdir()
    (project / "bib" / "victim.bib").write_text(ADAM_BIB)
    (project / "main.tex").write_text(TEXT % ("", "\\bibliography{bib/victim}"))
    draft = read_draft(project / "main.tex", workspace=project, programs=False)
    plan = plan_related_work(draft, SECTION, PAPERS)
    real_step: Callable[..., object] = getattr(Folder, step)
    before = held(world)

    def exchanged(self: Folder, *given: object) -> object:
        if not (project / "bib").is_symlink():
            (project / "bib").rename(project / "old")
            (project / "bib").symlink_to(outside, target_is_directory=True)
        return real_step(self, *given)

    monkeypatch.setattr(Folder, step, exchanged)
    apply_plan(plan, draft)
    assert held(world) == before
    assert "devlin2018bert" in (project / "old" / "victim.bib").read_text("utf-8")


def test_a_file_exchanged_for_a_link_before_writing(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world / "project"
    (project / "victim.bib").write_text(ADAM_BIB)
    (project / "main.tex").write_text(TEXT % ("", "\\bibliography{victim}"))
    draft = read_draft(project / "main.tex", workspace=project, programs=False)
    plan = plan_related_work(draft, SECTION, PAPERS)
    before, text = held(world), (project / "main.tex").read_text()
    check = Gate.check

    def exchanged(self: Gate, path: Path) -> Path:
        end = check(self, path)
        if path.suffix == ".bib":
            path.unlink()
            path.symlink_to(world / "outside" / "victim.bib")
        return end

    monkeypatch.setattr(Gate, "check", exchanged)
    with pytest.raises(Unwritable, match=r"victim\.bib"):
        apply_plan(plan, draft)
    assert held(world) == before and (project / "main.tex").read_text() == text


def test_a_held_folder_follows_no_link(world: Path) -> None:
    project, outside = world / "project", world / "outside"
    (project / "link").symlink_to(outside, target_is_directory=True)
    with pytest.raises(OSError), opened(project / "link"):
        pass
    with pytest.raises(OSError), opened(project / "link" / "deep", create=True):
        pass
    (project / "a.bib").symlink_to(outside / "victim.bib")
    with opened(project) as folder:
        for act in (lambda: folder.read("a.bib"), lambda: folder.create("a.bib", b"x")):
            with pytest.raises(OSError):
                act()
        os.mkfifo(project / "pipe.bib")
        with pytest.raises(OSError):
            folder.read("pipe.bib")
        folder.replace(folder.stage("a.bib", b"mine"), "a.bib")
    assert (project / "a.bib").read_bytes() == b"mine" and not (project / "a.bib").is_symlink()
    assert (outside / "victim.bib").read_text() == ADAM_BIB
