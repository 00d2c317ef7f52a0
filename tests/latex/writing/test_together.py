"""Document, bibliography and the record beside them change together or not at all."""

from __future__ import annotations

import json
import os
import random
import sys
from hashlib import sha256
from pathlib import Path
from types import FrameType

import pytest
from texgeist_latex.disk.journal import journal_of, recover
from texgeist_latex.errors import Unwritable
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.edits import apply_plan, plan_related_work

from .conftest import ADAM_BIB, PAPERS, SECTION, Project
from .test_apply import _module
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
    replace, targets = Path.replace, []

    def replaced(self: Path, target: Path) -> Path:
        if self.name.endswith(".texgeist") and Path(target) not in targets:
            targets.append(Path(target))
            if len(targets) == failing:
                raise OSError(28, "No space left on device", str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replaced)
    with pytest.raises(Unwritable, match="Nothing was changed"):
        apply_plan(plan, draft, beside)
    assert _state(here) == FILES
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
    """As `test_apply`'s: a process that is gone before its next call to the operating system."""
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that dies at will is forked")
def test_two_hundred_kills_leave_nothing_half_done(project):
    """Killed at any call: after the next start all three files are old or all new."""
    here = project(FILES)
    plan, draft, beside, texts = _planned(here)
    chance, halves, seen, last, kills = random.Random(1), 0, set(), 1000, 0
    while kills < 200:
        for name, text in FILES.items():
            (here.folder / name).write_text(text, "utf-8")
        step = chance.randrange(last)
        if _killed_after(step, plan, draft, beside) == 0:
            last = min(last, step)  # it needs fewer calls than that
            continue
        kills += 1
        halves += _state(here) not in (FILES, texts)
        recover(here.root)
        assert _state(here) in (FILES, texts), f"half done after a kill at call {step}"
        assert not journal_of(here.root).exists()
        seen.add(_state(here) == texts)
    assert seen == {False, True} and halves > 5, halves


def test_what_the_author_changed_after_a_crash_is_kept(project):
    here = project(FILES)
    plan, draft, beside, _ = _planned(here)
    step = 0
    while here.text("refs.bib") == ADAM_BIB:
        step += 1
        _killed_after(step, plan, draft, beside)
    assert here.text("main.tex") == NATBIB and journal_of(here.root).exists()
    here.root.write_text(NATBIB + "% mine\n", "utf-8")
    assert not recover(here.root)
    assert here.text("main.tex") == NATBIB + "% mine\n" and here.text(RECORD) == "old"
    assert not journal_of(here.root).exists()


@pytest.mark.parametrize("target", ["../outside.tex", "/{}/outside.tex", "link.tex", "notes.sh"])
def test_a_journal_that_a_stranger_wrote_leads_nowhere(project, target: str, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "outside.tex"
    outside.write_text("theirs", "utf-8")
    here = project({"main.tex": NATBIB, "notes.sh": "theirs"})
    (here.folder / "link.tex").symlink_to(outside)
    named = {"../outside.tex": os.path.relpath(outside, here.folder), "/{}/outside.tex": str(outside)}
    goal = Path(os.path.realpath(here.folder / named.get(target, target)))
    chance = random.Random(target).randrange(1000)
    temporary = goal.with_name(f".{goal.name}.{chance}.texgeist")
    temporary.write_text("evil", "utf-8")
    step = {"temporary": temporary.name, "target": named.get(target, target)}
    step |= {"old": sha256(b"theirs").hexdigest(), "new": sha256(b"evil").hexdigest()}
    journal_of(here.root).write_text(json.dumps([step]), "utf-8")
    assert not recover(here.root)
    assert goal.read_text("utf-8") == "theirs" and temporary.exists()
    assert not journal_of(here.root).exists()


@pytest.mark.parametrize(
    "text",
    ["", "[", "{}", "[1]", '[{"target": 1}]', '[{"target": "\\u0000", "temporary": "x"}]', "[" * 50_000],
)
def test_a_broken_journal_is_let_go(project, text: str):
    here = project(FILES)
    journal_of(here.root).write_text(text, "utf-8")
    assert not recover(here.root) and _state(here) == FILES
