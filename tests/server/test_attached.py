"""Local files that a source names: a stranger's count for nothing, the user's own inside named folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.records import Record
from texgeist_retrieval.types import Paper
from texgeist_server.adapters import build_source
from texgeist_server.config.settings import PapersSettings, Settings
from texgeist_server.library.harvest_sources import open_source

LINE = {"id": "1", "title": "A Paper", "abstract": "Words."}


class Table:
    def last_run(self, source: str) -> str:
        return ""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    for name in ("mine/paper.pdf", "private/diary.pdf", "downloads/trap.pdf"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"%PDF-1.4")
    (tmp_path / "mine" / "link.pdf").symlink_to(tmp_path / "private" / "diary.pdf")
    return tmp_path


def settings_of(world: Path, *folders: str) -> Settings:
    return Settings(papers=PapersSettings(folders=tuple(str(world / folder) for folder in folders)))


def taken(source: Path, settings: Settings) -> tuple[str, ...]:
    items = list(open_source(str(source), settings, Table(), Silent()))  # type: ignore[arg-type]
    return tuple(file for item in items if isinstance(item, Record) for file in item.paper.files)


def write(world: Path, folder: str, kind: str, *files: Path) -> Path:
    path = world / folder / f"papers.{kind}"
    if kind == "jsonl":
        path.write_text(json.dumps({**LINE, "files": [str(file) for file in files]}))
    else:
        path.write_text(f"@misc{{a, title={{T}}, abstract={{Words.}}, file={{{';'.join(map(str, files))}}}}}")
    return path


@pytest.mark.parametrize("kind", ["jsonl", "bib"])
def test_a_strangers_source_names_no_files(world: Path, kind: str) -> None:
    """Neither a private one, nor one inside of the user's folders, nor one of its own."""
    named = [world / "private/diary.pdf", world / "mine/paper.pdf", world / "downloads/trap.pdf"]
    source = write(world, "downloads", kind, *named)
    for folders in ((), ("mine",)):
        assert taken(source, settings_of(world, *folders)) == ()


@pytest.mark.parametrize("kind", ["jsonl", "bib"])
def test_the_users_own_source_names_those_inside_the_folders(world: Path, kind: str) -> None:
    named = [world / "mine/paper.pdf", world / "private/diary.pdf", world / "mine/link.pdf"]
    source = write(world, "mine", kind, *named, world / "mine/../private/diary.pdf")
    assert taken(source, settings_of(world, "mine")) == (str(world / "mine/paper.pdf"),)
    elsewhere = write(world, "downloads", kind, *named)
    own = settings_of(world, "mine", f"downloads/papers.{kind}")
    assert taken(elsewhere, own) == (str(world / "mine/paper.pdf"),)


@pytest.mark.parametrize("files", [5, "abc", [5, None, {"a": 1}], ["\0", "a" * 9000], [["x.pdf"]]])
def test_odd_files_are_none(world: Path, files: object) -> None:
    source = world / "mine" / "odd.jsonl"
    source.write_text(json.dumps({**LINE, "files": files}))
    assert taken(source, settings_of(world, "mine")) == ()


def test_what_an_index_names_is_read_inside_the_folders_alone(world: Path) -> None:
    """Whatever an index holds, perhaps from before, or of a server that others fill."""
    settings = settings_of(world, "mine")
    own = Paper("doi:1", "Something Else Altogether", files=(str(world / "mine/paper.pdf"),))
    with pytest.raises(PaperUnreadable, match=r"paper\.pdf: "):  # it was opened, and is a torn one
        build_source(settings, remote_index=False).pages(own)
    outside = [world / "private/diary.pdf", world / "mine/link.pdf", world / "mine/../private/diary.pdf"]
    for paper in (Paper("doi:1", "Something Else Altogether", files=(str(file),)) for file in outside):
        with pytest.raises(PaperUnreadable, match="no PDF of it"):
            build_source(settings, remote_index=False).pages(paper)
    never = Settings(papers=PapersSettings(folders=(str(world / "mine"),), arxiv="never"))
    with pytest.raises(PaperUnreadable, match="no PDF of it"):  # an index on another machine names none
        build_source(never, remote_index=True).pages(own)
