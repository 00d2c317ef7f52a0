"""Document, bibliography and the record beside them change together or not at all."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from types import FrameType

import pytest
from texgeist_latex.disk.folder import Folder
from texgeist_latex.errors import Changed, Unwritable
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.edits import apply_plan, plan_related_work

from .conftest import ADAM_BIB, PAPERS, SECTION, Project
from .test_edits import NATBIB

RECORD = ".texgeist/record.json"
FILES = {"main.tex": NATBIB, "refs.bib": ADAM_BIB, RECORD: "old"}


def _planned(here: Project) -> tuple[EditPlan, Draft, tuple[Path, bytes], dict[str, str]]:
    draft = here.draft()
    plan = plan_related_work(draft, SECTION, PAPERS)
    return plan, draft, (here.folder / RECORD, b"new"), {**here.after(plan), RECORD: "new"}


def _state(here: Project) -> dict[str, str]:
    return {name: here.text(name) for name in FILES}


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_write_that_fails_changes_nothing(project, failing: int, monkeypatch: pytest.MonkeyPatch):
    here = project(FILES)
    plan, draft, beside, _ = _planned(here)
    put, targets = Folder.replace, []

    def replaced(self: Folder, temporary: str, name: str) -> None:
        if name in ("main.tex", "refs.bib", "record.json") and name not in targets:
            targets.append(name)
            if len(targets) == failing:
                raise OSError(28, "No space left on device", temporary)
        put(self, temporary, name)

    monkeypatch.setattr(Folder, "replace", replaced)
    with pytest.raises(Unwritable, match=r"(main\.tex|refs\.bib|record\.json) cannot .* Nothing was changed"):
        apply_plan(plan, draft, beside)
    assert _state(here) == FILES and len(targets) == failing
    assert sorted(path.name for path in here.folder.iterdir()) == [".texgeist", "main.tex", "refs.bib"]


def test_a_folder_that_cannot_be_listed_afterwards_is_no_failure(project, monkeypatch: pytest.MonkeyPatch):
    here = project(FILES)
    plan, draft, beside, after = _planned(here)

    def refused(*_: object) -> list[str]:
        raise OSError(116, "Stale file handle")

    monkeypatch.setattr(os, "listdir", refused)
    apply_plan(plan, draft, beside)  # "nothing was changed" would be false
    assert _state(here) == after


def test_a_record_that_cannot_be_made_keeps_the_document(project):
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB, ".texgeist": "a file in the way"})
    plan, draft, beside, _ = _planned(here)
    with pytest.raises(Unwritable):
        apply_plan(plan, draft, beside)
    assert here.text("main.tex") == NATBIB and here.text("refs.bib") == ADAM_BIB


@pytest.mark.parametrize("link", [".texgeist", RECORD])
def test_no_record_is_written_through_a_link(project, link: str, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "record.json").write_text("theirs", "utf-8")
    here = project({"main.tex": NATBIB, "refs.bib": ADAM_BIB})
    if link == RECORD:
        (here.folder / ".texgeist").mkdir()
    (here.folder / link).symlink_to(outside if link == ".texgeist" else outside / "record.json")
    plan, draft, beside, _ = _planned(here)
    with pytest.raises(Unwritable, match="is a link"):
        apply_plan(plan, draft, beside)
    assert (outside / "record.json").read_text("utf-8") == "theirs" and here.text("main.tex") == NATBIB


def _killed_after(calls: int, plan: EditPlan, draft: Draft, beside: tuple[Path, bytes]) -> int:
    """In a process of its own: applies the plan and is gone, without clean-up or flush, after so many calls to the
    operating system, as if the power went. Gives its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = calls

    def watch(frame: FrameType, event: str, called: object) -> None:
        nonlocal left
        if event == "c_call" and _module(called) in ("posix", "_io", "io"):
            if left == 0:
                os._exit(9)
            left -= 1

    try:
        sys.setprofile(watch)
        apply_plan(plan, draft, beside)
        sys.setprofile(None)
        os._exit(0)
    except BaseException:
        os._exit(3)


def _module(called: object) -> str:
    """Of a built-in function, or of the object whose method it is."""
    owner = getattr(called, "__self__", None)
    return getattr(called, "__module__", None) or type(owner).__module__


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that dies at will is forked")
def test_two_hundred_kills_leave_whole_files(project):
    """Killed at any call: each file is the old or the new one, and no document cites what its bibliography does not
    hold. The temporary files that are left are removed a day later, at the next write."""
    here = project(FILES)
    plan, draft, beside, texts = _planned(here)
    chance, last, kills = random.Random(1), 1000, 0
    while kills < 200:
        for name, text in FILES.items():
            (here.folder / name).write_text(text, "utf-8")
        step = chance.randrange(last)
        if _killed_after(step, plan, draft, beside) == 0:
            last = min(last, step)  # it needs fewer calls than that
            continue
        kills += 1
        new = {name: here.text(name) == texts[name] for name in FILES}
        assert all(new[name] or here.text(name) == FILES[name] for name in FILES), step
        assert new["refs.bib"] or not new["main.tex"], step
    assert len(_left(here)) > 3
    _aged(here)
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    assert [name for name in _left(here) if not name.startswith(".texgeist/")] == []


def _left(here: Project) -> list[str]:
    return sorted(str(path.relative_to(here.folder)) for path in here.folder.rglob(".texgeist-*"))


def _aged(here: Project) -> None:
    for name in _left(here):
        os.utime(here.folder / name, (time.time() - 100_000,) * 2, follow_symlinks=False)


def test_nothing_but_what_was_left_is_swept(project):
    """Not the files of living processes, other names, links and folders."""
    here = project({**FILES, "mine.txt": "mine"})
    dead, alive = ".texgeist-fffffff012345678", f".texgeist-{os.getpid():08x}01234567"
    kept = [alive, ".texgeist-mine", ".texgeist-0123456789ABCDEF", f"{dead}0", ".texgeist-fffffff0deadbeef"]
    for name in (dead, *kept[:-1], f".texgeist/{dead}"):
        (here.folder / name).write_text("left")
    (here.folder / kept[-1]).symlink_to(here.folder / "mine.txt")
    (here.folder / ".texgeist-fffffff0facade00").mkdir()
    plan, draft, beside, _ = _planned(here)
    apply_plan(plan, draft, beside)
    assert (here.folder / dead).exists(), "too young: another texgeist might be at work"
    _aged(here)
    plan, draft, beside, _ = _planned(here)
    apply_plan(plan, draft, beside)
    assert _left(here) == sorted([*kept, ".texgeist-fffffff0facade00"])
    assert (here.folder / "mine.txt").read_text() == "mine"


def test_what_the_author_writes_meanwhile_is_not_rolled_back(project, monkeypatch: pytest.MonkeyPatch):
    here = project(FILES)
    plan, draft, beside, _ = _planned(here)
    put = Folder.replace

    def replaced(self: Folder, temporary: str, name: str) -> None:
        put(self, temporary, name)
        if name == "refs.bib":
            here.root.write_text(NATBIB + "% mine\n", "utf-8")

    monkeypatch.setattr(Folder, "replace", replaced)
    with pytest.raises(Changed, match=r"main\.tex was changed meanwhile"):
        apply_plan(plan, draft, beside)
    assert _state(here) == {**FILES, "main.tex": NATBIB + "% mine\n"}
