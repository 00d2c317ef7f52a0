"""Document, bibliography and the record beside them change together or not at all."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from texgeist_latex.disk.folder import Folder
from texgeist_latex.disk.journal import journal_of, recover
from texgeist_latex.errors import Changed, Unwritable
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.edits import apply_plan, plan_related_work, plan_removal

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
def test_two_hundred_kills_leave_nothing_half_done(project):
    """Killed at any call: each file is the old or the new one, no document cites what its bibliography does not hold,
    and after the next start all three files are old or all new."""
    here = project(FILES)
    plan, draft, beside, texts = _planned(here)
    chance, halves, seen, last, kills = random.Random(1), 0, set(), 1000, 0
    while kills < 200:
        _reset(here)
        step = chance.randrange(last)
        if _killed_after(step, plan, draft, beside) == 0:
            last = min(last, step)  # it needs fewer calls than that
            continue
        kills += 1
        new = {name: here.text(name) == texts[name] for name in FILES}
        assert all(new[name] or here.text(name) == FILES[name] for name in FILES), step
        assert new["refs.bib"] or not new["main.tex"], step
        halves += _state(here) not in (FILES, texts)
        recover(here.root, here.draft().gate, here.folder / RECORD)
        assert _state(here) in (FILES, texts), f"half done after a kill at call {step}"
        assert not journal_of(here.root).exists()
        seen.add(_state(here) == texts)
    assert seen == {False, True} and halves > 5, halves


def _reset(here: Project) -> None:
    for name, text in FILES.items():
        (here.folder / name).write_text(text, "utf-8")


def _left(here: Project) -> list[str]:
    return sorted(str(path.relative_to(here.folder)) for path in here.folder.rglob(".texgeist-*"))


def _aged(here: Project, seconds: float) -> None:
    for name in _left(here):
        os.utime(here.folder / name, (time.time() - seconds,) * 2, follow_symlinks=False)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that dies at will is forked")
def test_what_kills_left_is_swept_at_the_next_write(project):
    here = project(FILES)
    plan, draft, beside, texts = _planned(here)
    chance, most = random.Random(2), 0
    for _ in range(40):
        _reset(here)
        _killed_after(chance.randrange(400), plan, draft, beside)
        recover(here.root, here.draft().gate, here.folder / RECORD)
        most = max(most, len(_left(here)))
    _reset(here)
    assert most >= 3
    apply_plan(plan, draft, beside)
    assert len(_left(here)) == most, "too young: another texgeist might be at work"
    _aged(here, 3600)
    _reset(here)
    apply_plan(plan, draft, beside)
    assert _left(here) == [] and _state(here) == texts


def test_nothing_but_what_was_left_is_swept(project):
    """Of living processes, of other names, links, folders; and nothing while a journal waits."""
    here = project({**FILES, "mine.txt": "mine"})
    dead, alive = ".texgeist-fffffff012345678", f".texgeist-{os.getpid():08x}01234567"
    kept = [alive, ".texgeist-mine", ".texgeist-0123456789ABCDEF", f"{dead}0", ".texgeist-fffffff0deadbeef"]
    for name in (dead, *kept[:-1], f".texgeist/{dead}"):
        (here.folder / name).write_text("left")
    (here.folder / kept[-1]).symlink_to(here.folder / "mine.txt")
    (here.folder / ".texgeist-fffffff0facade00").mkdir()
    other = journal_of(here.folder / "other.tex")
    other.write_text("[]")
    _aged(here, 3600)
    plan, draft, beside, _ = _planned(here)
    apply_plan(plan, draft, beside)
    assert (here.folder / dead).exists() and (here.folder / ".texgeist" / dead).exists()
    other.unlink()
    here.write(plan_removal(here.draft(), "related-work"))
    assert _left(here) == sorted([*kept, ".texgeist-fffffff0facade00"])
    assert (here.folder / "mine.txt").read_text() == "mine"


def test_what_the_author_changed_after_a_crash_is_kept(project):
    here = project(FILES)
    plan, draft, beside, _ = _planned(here)
    step = 0
    while here.text("refs.bib") == ADAM_BIB:
        step += 3  # more calls than these lie between the two replacements
        _killed_after(step, plan, draft, beside)
    assert here.text("main.tex") == NATBIB and journal_of(here.root).exists()
    here.root.write_text(NATBIB + "% mine\n", "utf-8")
    assert not recover(here.root, here.draft().gate, here.folder / RECORD)
    assert here.text("main.tex") == NATBIB + "% mine\n" and here.text(RECORD) == "old"
    assert not journal_of(here.root).exists()


TEMPORARY = ".texgeist-0123456789abcdef"


def _forged(target: str, **given: object) -> str:
    """A journal that says that `target` is to become evil."""
    step = {"temporary": TEMPORARY, "target": target, "old": sha256(b"theirs").hexdigest()}
    return json.dumps([{**step, "new": sha256(b"evil").hexdigest(), **given}])


@pytest.mark.parametrize(
    "target",
    [
        *("OUTSIDE", "RELATIVE", "link.tex", "folder/outside.tex", "notes.sh", "sub/../main.tex"),
        *(".texgeist/other.json", "a\0.tex", "\ud800.tex"),
    ],
)
def test_a_journal_that_a_stranger_wrote_leads_nowhere(project, target: str, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    inside = dict.fromkeys(["main.tex", "notes.sh", ".texgeist/other.json", "sub/a.tex"], "theirs")
    here = project(inside)
    for folder in (outside, here.folder, here.folder / ".texgeist"):
        (folder / TEMPORARY).write_text("evil", "utf-8")
    victim = outside / "outside.tex"
    victim.write_text("theirs", "utf-8")
    (here.folder / "link.tex").symlink_to(victim)
    (here.folder / "folder").symlink_to(outside, target_is_directory=True)
    target = {"OUTSIDE": str(victim), "RELATIVE": os.path.relpath(victim, here.folder)}.get(target, target)
    journal_of(here.root).write_text(_forged(target), "utf-8")
    assert not recover(here.root, read_draft(here.root).gate, here.folder / RECORD)
    assert {name: here.text(name) for name in inside} == inside and victim.read_text("utf-8") == "theirs"
    assert not journal_of(here.root).exists()


@pytest.mark.parametrize(
    "temporary", ["notes.sh", "../evil", "sub/.texgeist-0123456789abcdef", "", 7, None, TEMPORARY]
)
def test_a_journal_takes_no_file_but_our_own(project, temporary: object, tmp_path_factory):
    """Nor one of our name that is a link."""
    outside = tmp_path_factory.mktemp("outside") / "secret"
    outside.write_text("evil", "utf-8")
    here = project({"main.tex": "theirs", "notes.sh": "evil", f"sub/{TEMPORARY}": "evil"})
    (here.folder / TEMPORARY).symlink_to(outside)
    journal_of(here.root).write_text(_forged("main.tex", temporary=temporary), "utf-8")
    assert not recover(here.root, read_draft(here.root).gate, here.folder / RECORD)
    assert here.text("main.tex") == "theirs" and here.text("notes.sh") == "evil"


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_a_journal_that_is_no_file(project, kind: str, tmp_path_factory):
    """Nor does it stand in the way of writing, but for a folder of that name, which is named."""
    outside = tmp_path_factory.mktemp("outside") / "journal"
    here = project(FILES)
    outside.write_text(_forged("main.tex"), "utf-8")
    journal = journal_of(here.root)
    if kind == "link":
        journal.symlink_to(outside)
    elif kind == "folder":
        journal.mkdir()
    else:
        os.mkfifo(journal)
    assert not recover(here.root, here.draft().gate, here.folder / RECORD) and _state(here) == FILES
    assert outside.read_text("utf-8") == _forged("main.tex")
    plan, draft, beside, texts = _planned(here)
    if kind == "folder":
        with pytest.raises(Unwritable, match=r"\.texgeist-journal"):
            apply_plan(plan, draft, beside)
        assert _state(here) == FILES
    else:
        apply_plan(plan, draft, beside)
        assert _state(here) == texts and not journal.exists()


def test_a_recovery_beside_a_living_write_does_no_harm(project, monkeypatch: pytest.MonkeyPatch):
    """Another process that starts meanwhile takes the journal for a crash's, and finishes the work."""
    here = project(FILES)
    plan, draft, beside, texts = _planned(here)
    put = Folder.replace
    finished: list[Any] = []

    def replaced(self: Folder, temporary: str, name: str) -> None:
        put(self, temporary, name)
        if name == "refs.bib" and not finished:
            finished.append(name)
            assert recover(here.root, draft.gate, here.folder / RECORD)

    monkeypatch.setattr(Folder, "replace", replaced)
    apply_plan(plan, draft, beside)
    assert finished and _state(here) == texts


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


@pytest.mark.parametrize(
    "text",
    ["", "[", "{}", "[1]", '[{"target": 1}]', '[{"target": "\\u0000", "temporary": "x"}]', "[" * 50_000],
)
def test_a_broken_journal_is_let_go(project, text: str):
    here = project(FILES)
    journal_of(here.root).write_text(text, "utf-8")
    assert not recover(here.root, here.draft().gate, here.folder / RECORD) and _state(here) == FILES
