"""Edits onto the disk: each file is the old one or the new one, whatever happens."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest
from texgeist_latex.errors import Changed, Unwritable
from texgeist_latex.writing.apply import check_writable
from texgeist_latex.writing.edits import apply_plan, plan_related_work

from .conftest import ADAM_BIB, PAPERS, SECTION
from .test_edits import NATBIB

FILES = {"main.tex": NATBIB, "refs.bib": ADAM_BIB}


def test_permissions_and_links_stay(project, tmp_path: Path):
    here = project({"main.tex": NATBIB, "shared/library.bib": ADAM_BIB})
    (tmp_path / "refs.bib").symlink_to("shared/library.bib")
    (tmp_path / "shared/library.bib").chmod(0o640)
    here.root.chmod(0o600)
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    assert (tmp_path / "refs.bib").is_symlink()
    assert (tmp_path / "shared/library.bib").read_text("utf-8").startswith(ADAM_BIB)
    assert "devlin2018bert" in (tmp_path / "shared/library.bib").read_text("utf-8")
    assert stat.S_IMODE((tmp_path / "shared/library.bib").stat().st_mode) == 0o640
    assert stat.S_IMODE(here.root.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["main.tex", "refs.bib", "shared"]


@pytest.mark.parametrize(
    ("files", "name", "content", "words"),
    [
        (FILES, "main.tex", NATBIB + "% more\n", "main.tex"),
        (FILES, "refs.bib", ADAM_BIB + "% more\n", "refs.bib"),
        (FILES, "refs.bib", None, "no longer exists"),
        ({"main.tex": NATBIB}, "refs.bib", "@misc{mine}", "created in the meantime"),
    ],
)
def test_a_file_changed_meanwhile_stops_it_all(project, files, name: str, content: str | None, words: str):
    here = project(files)
    draft = here.draft()
    plan = plan_related_work(draft, SECTION, PAPERS)
    (here.folder / name).unlink(missing_ok=True) if content is None else (here.folder / name).write_text(
        content
    )
    before = {path.name: path.read_text() for path in here.folder.iterdir()}
    with pytest.raises(Changed, match=words) as caught:
        apply_plan(plan, draft)
    assert caught.value.retryable
    assert {path.name: path.read_text() for path in here.folder.iterdir()} == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written(project):
    here = project(FILES)
    (here.folder / "main.tex").chmod(0o400)
    draft = here.draft()
    with pytest.raises(Unwritable, match=r"main\.tex"):
        apply_plan(plan_related_work(draft, SECTION, PAPERS), draft)
    assert here.text("refs.bib") == ADAM_BIB


@pytest.mark.parametrize("locked", ["main.tex", "refs.bib", "."])
def test_what_may_not_be_written_is_known_beforehand(project, locked: str, monkeypatch: pytest.MonkeyPatch):
    here = project(FILES)
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    check_writable(plan)
    forbidden = (here.folder / locked).resolve()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != forbidden)  # the tests may run as root
    with pytest.raises(Unwritable, match=re.escape(forbidden.name)):
        check_writable(plan)
    if locked == ".":
        check_writable(plan, replaced=False)


def test_a_folder_that_takes_no_new_bibliography(project, monkeypatch: pytest.MonkeyPatch):
    here = project({"main.tex": NATBIB})
    plan = plan_related_work(here.draft(), SECTION, PAPERS)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != here.folder.resolve())
    with pytest.raises(Unwritable, match=r"refs\.bib cannot be created"):
        check_writable(plan, replaced=False)


def test_a_full_disk_leaves_everything(project, monkeypatch: pytest.MonkeyPatch):
    here = project(FILES)
    draft = here.draft()
    plan = plan_related_work(draft, SECTION, PAPERS)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unwritable, match="No space left"):
        apply_plan(plan, draft)
    assert {name: here.text(name) for name in FILES} == FILES
    assert sorted(path.name for path in here.folder.iterdir()) == sorted(FILES)


def test_bom_and_bytes_outside_of_the_edits_stay(project):
    bib = b"\xef\xbb\xbf" + ADAM_BIB.replace("\n", "\r\n").encode() + b"\r\nstray \r and \x00 bytes"
    here = project({"main.tex": b"\xef\xbb\xbf" + NATBIB.encode(), "refs.bib": bib})
    here.write(plan_related_work(here.draft(), SECTION, PAPERS))
    assert (here.folder / "refs.bib").read_bytes().startswith(bib)
    written = here.root.read_bytes()
    assert written.startswith(b"\xef\xbb\xbf\\documentclass") and written.count(b"\xef\xbb\xbf") == 1
