"""What commands write because it was named on the command line: never over a file of the author's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from texgeist_latex.errors import Unwritable
from texgeist_server.command_line.common import new_file

from ..local_index import called

ROOT = r"\documentclass{article}\begin{document}\cite{a}\bibliography{%s}\end{document}"
ENTRY = "@misc{a, title={Mine}}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / "sections").mkdir(parents=True)
    (folder / "main.tex").write_text(ROOT % "references,../shared/all")
    (folder / "sections" / "intro.tex").write_text("Words.")
    (tmp_path / "shared").mkdir()
    for name in ("project/references.bib", "shared/all.bib", "free.bib", "old.jsonl", "mine.bib"):
        (tmp_path / name).write_text(ENTRY)
    config = tmp_path / "config.toml"
    config.write_text(f"[papers]\nbibliographies = ['{tmp_path / 'mine.bib'}']\n")
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(config))
    monkeypatch.chdir(folder)
    return folder


def held(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and "data" not in path.parts)
    return {str(path): path.read_text() for path in files}


def test_no_command_writes_over_a_file_of_the_project(project: Path) -> None:
    """A file with a suffix that the command does not write is refused as a mistake in the command line."""
    before = held(project.parent)
    for name, code in {
        "main.tex": 2,
        "references.bib": 1,
        "../shared/all.bib": 1,
        "new.tex": 2,
        "none/x.bib": 2,
    }.items():
        called(["index", "export", name, "--force"], code)
    assert "--force" in called(["index", "export", "../free.bib"], 1).stderr
    assert "--force" in called(["export-training", "main.tex", "--out", "../old.jsonl"], 1).stderr
    assert held(project.parent) == before


@pytest.mark.parametrize("name", ["references.bib", "../shared/all.bib", "../mine.bib", "link.bib"])
def test_a_bibliography_of_a_project_or_of_the_settings_is_never_replaced(project: Path, name: str) -> None:
    (project / "link.bib").symlink_to(project / "references.bib")
    with pytest.raises(Unwritable, match="is a bibliography of"), new_file(Path(name), (".bib",), force=True):
        pass


def test_a_file_appears_when_it_is_whole_and_only_where_there_is_none(project: Path) -> None:
    """The author may make a file of that name while a long export runs."""
    names = sorted(project.iterdir())
    with pytest.raises(ValueError), new_file(Path("all.bib"), (".bib",), force=False) as target:
        target.write_text("half")
        raise ValueError
    assert sorted(project.iterdir()) == names
    with pytest.raises(Unwritable), new_file(Path("all.bib"), (".bib",), force=False) as target:
        target.write_text("whole")
        Path("all.bib").write_text("the author's")
    assert Path("all.bib").read_text() == "the author's"
    with new_file(Path("all.bib"), (".bib",), force=True) as target:
        target.write_text("whole")
    assert Path("all.bib").read_text() == "whole" and sorted(project.iterdir()) == sorted(
        [*names, project / "all.bib"]
    )
    assert Path("all.bib").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    os.umask(mask := os.umask(0))
    return mask


def test_a_folder_is_said_to_hold_several_documents(project: Path) -> None:
    """The choice is told before anything is searched; documents that are as near as each other are listed."""
    words = ROOT.replace(
        "\\cite",
        r"\\begin{abstract}What these papers are about, in twelve words or a few more.\\end{abstract}\\cite",
    )
    for name in ("one/main.tex", "two/main.tex"):
        (project / name).parent.mkdir()
        (project / name).write_text(words % "refs")
    said = called(["related-work", str(project)], 1).stderr
    assert "The root document is main.tex. The folder also contains one/main.tex, two/main.tex." in " ".join(
        said.split()
    )
    (project / "main.tex").unlink()
    said = called(["related-work", str(project), "--apply"], 1).stderr
    assert "several documents (one/main.tex, two/main.tex)" in " ".join(said.split())
