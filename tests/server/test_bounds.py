"""What a project or a workspace may not have done: attacks, refused before any
search (there is no model, of which a search would speak first), and with nothing outside touched."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.types import Paper, Query, QueryPart, Result, Section
from texgeist_server.lsp.edits.applying import _checked, _make_files
from texgeist_server.sections import provenance
from texgeist_server.sections.recording import RecordedEdit, remember

from .editor import editor
from .test_cli import texgeist

TEXT = r"""\documentclass{article}
\begin{document}
\begin{abstract}
Dense retrievers encode questions and passages into vectors and search the nearest ones of a collection.
\end{abstract}
\section{Introduction} Words.
%s
\end{document}
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """`project` is what was opened; `outside` is somebody else's."""
    for name in ("project", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "project" / "main.tex").write_text(TEXT % "")
    (tmp_path / "outside" / "thesis.tex").write_text(TEXT % "A secret.")
    (tmp_path / "outside" / "victim.bib").write_text("@misc{a, title = {A}}\n")
    (tmp_path / "outside" / "profile").write_text("export PATH\n")
    return tmp_path


def held(world: Path) -> dict[str, bytes]:
    own = world / "no-data"  # what texgeist keeps for itself: its log
    files = (path for path in world.rglob("*") if path.is_file() and own not in path.parents)
    return {str(path): path.read_bytes() for path in files}


def refused(world: Path, env: dict[str, str], *arguments: str) -> str:
    """What `related-work --apply` says when nothing at all was touched."""
    before = held(world)
    done = texgeist(env, "related-work", *arguments, "--apply")
    assert done.returncode == 1 and done.stdout == "", done.stderr
    assert held(world) == before and "Traceback" not in done.stderr
    return done.stderr


# -- the command line --------------------------------------------------------------------------------


def test_a_record_that_leads_outside(world: Path, env: dict[str, str]) -> None:
    main = world / "project" / "main.tex"
    (world / "project" / ".texgeist").symlink_to(world / "outside", target_is_directory=True)
    said = refused(world, env, str(main))
    assert ".texgeist" in said and "outside" in said and len(said.splitlines()) == 1
    (world / "project" / ".texgeist").unlink()
    (world / "project" / ".texgeist").mkdir()
    (world / "project" / ".texgeist" / "provenance.json").symlink_to(world / "outside" / "profile")
    said = refused(world, env, str(main))
    assert "Replace the link provenance.json by a file of that name" in said


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        (".texgeist", Path.touch, ".texgeist is not a folder"),
        (".texgeist", os.mkfifo, ".texgeist is not a folder"),
        (".texgeist/provenance.json", Path.mkdir, "provenance.json is not a file"),
        (".texgeist/provenance.json", os.mkfifo, "provenance.json is not a file"),
    ],
)
def test_a_record_that_could_not_be_kept(
    world: Path, env: dict[str, str], name: str, make: Callable[[Path], None], words: str
) -> None:
    """Said before anything is searched or sent."""
    place = world / "project" / name
    if place.parent != world / "project":
        place.parent.mkdir()
    make(place)
    said = refused(world, env, str(world / "project" / "main.tex"))
    assert words in said and "Move it away" in said and len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ("% texgeist:begin related-work\nOld words.", "“% texgeist:end related-work” is missing"),
        ("Old words.\n% texgeist:end related-work", "“% texgeist:begin related-work” is missing"),
    ],
)
def test_marks_that_are_not_whole(world: Path, env: dict[str, str], marks: str, words: str) -> None:
    main = world / "project" / "main.tex"
    main.write_text(TEXT % marks)
    for more in ((), ("--force",)):
        assert words in refused(world, env, str(main), *more)


def test_a_bibliography_that_is_none(world: Path, env: dict[str, str]) -> None:
    main = world / "project" / "main.tex"
    main.write_text(TEXT % f"\\bibliography{{{world}/outside/profile}}")
    assert f"{world}/outside/profile" in refused(world, env, str(main))
    main.write_text(TEXT % "\\bibliography{references}")
    (world / "project" / "references.bib").symlink_to(world / "outside" / "profile")
    assert f"{world}/outside/profile" in refused(world, env, str(main))


def test_a_document_that_names_one_outside(world: Path, env: dict[str, str]) -> None:
    part = world / "project" / "part.tex"
    part.write_text(f"% !TEX root = {world}/outside/thesis.tex\nWords.\n")
    assert f"{world}/outside/thesis.tex" in refused(world, env, str(part))
    done = texgeist(env, "draft", str(part), "--json")
    assert "secret" not in done.stdout and json.loads(done.stdout)["root"] == "part.tex"
    done = texgeist(env, "ask", "What is dense retrieval?", "--draft", str(part), "--dry-run")
    assert done.returncode == 1 and "thesis.tex" in done.stderr


def test_a_text_that_no_document_includes(world: Path, env: dict[str, str]) -> None:
    """Its neighbour is not written to, and its neighbour's abstract is not sent."""
    (world / "project" / ".latexmkrc").write_text("")
    notes = world / "project" / "notes.tex"
    notes.write_text("\\section{Notes}\nWords of another paper, which nothing includes.\n")
    said = refused(world, env, str(notes))
    assert "No document includes notes.tex" in said and "main.tex" in said
    done = texgeist(env, "related-work", str(notes), "--dry-run")
    assert done.returncode == 1 and done.stdout == ""


WRITTEN = "% texgeist:begin related-work\n\\section{Related Work}\n\nAs it was written.\n% texgeist:end related-work"


def record(text: str | None) -> dict[str, object]:
    section = {"query": "abstract", "papers": 1, **({"text": text} if text is not None else {})}
    return {"version": 1, "citations": {}, "sections": {"related-work": section}}


@pytest.mark.parametrize("recorded", [WRITTEN, None, "torn"])
def test_a_section_that_the_author_edited(world: Path, env: dict[str, str], recorded: str | None) -> None:
    """Where it is known which words are the author's, they are merged; what anew discards is said first."""
    main = world / "project" / "main.tex"
    main.write_text(TEXT % WRITTEN.replace("As it was written.", "As it was written.\nMy own words."))
    provenance.file_of(main).parent.mkdir()
    provenance.file_of(main).write_text(json.dumps(record(recorded)))
    said = refused(world, env, str(main))
    if recorded == WRITTEN:
        assert "model" in said and "own words" not in said, "on to the search"
    else:
        assert "There is no record" in said and "--anew" in said
    for option in ("--anew", "--force"):
        said = refused(world, env, str(main), option)
        assert "model" in said and ("+My own words." in said) == (recorded == WRITTEN)


@pytest.mark.parametrize(
    "body",
    [
        WRITTEN,
        WRITTEN.replace("\n", "\r\n"),
        WRITTEN.replace("written.", "written.  "),
        WRITTEN.replace("{Related Work}", "{Prior Art}\\label{sec:mine}"),
    ],
)
def test_a_section_as_it_was_written_is_replaced(world: Path, env: dict[str, str], body: str) -> None:
    """Line ends and spaces at the ends of lines are the editor's; the heading is kept whatever it is."""
    main = world / "project" / "main.tex"
    main.write_text(TEXT % body, newline="")
    provenance.file_of(main).parent.mkdir()
    provenance.file_of(main).write_text(json.dumps(record(WRITTEN)))
    assert "model" in refused(world, env, str(main))


def test_the_users_own_settings_open_a_master_bibliography(world: Path, env: dict[str, str]) -> None:
    """And no other; what is no whole path opens none."""
    main = world / "project" / "main.tex"
    for named, opens in ((f"{world}/outside/victim.bib", True), ("../outside/victim.bib", False)):
        Path(env["TEXGEIST_CONFIG"]).write_text(
            f'[papers]\nbibliographies = ["{named}"]\n[project]\nbibliography = "../outside/victim.bib"\n'
        )
        said = refused(world, env, str(main))
        assert ("model" in said) == opens and ("outside the project" in said) != opens


# -- nothing to cite -----------------------------------------------------------------------------------


@pytest.mark.model
def test_with_no_paper_to_cite_nothing_is_replaced(
    world: Path, env: dict[str, str], model_folder: Path
) -> None:
    from texgeist_retrieval.index import open_index

    data = world / "data"
    data.mkdir()
    (data / "model").symlink_to(model_folder.resolve(), target_is_directory=True)
    row = np.full((1, 768), 768**-0.5, np.float32)
    with contextlib.closing(open_index(str(data / "library.db"), create=True)) as index:
        index.upsert([Paper("1", "Books", "We judge books by their covers.", year=2020)], row)
    config = world / "before.toml"
    config.write_text('[relatedWork]\nuntil = "1900"\n')
    main = world / "project" / "main.tex"
    main.write_text(TEXT % WRITTEN)
    provenance.file_of(main).parent.mkdir()
    provenance.file_of(main).write_text(json.dumps(record(WRITTEN)))
    before = {path: path.read_bytes() for path in (world / "project").rglob("*") if path.is_file()}
    env = {**env, "TEXGEIST_DATA": str(data), "TEXGEIST_CONFIG": str(config)}
    done = texgeist(env, "related-work", str(main), "--apply")
    assert done.returncode == 5 and "Nothing was written" in done.stderr
    assert {path: path.read_bytes() for path in before} == before


# -- the language server -------------------------------------------------------------------------------


async def complaint(world: Path, env: dict[str, str], name: str, settings: dict[str, object]) -> str:
    """What the language server says, with a workspace that has these settings, when it touches nothing."""
    path = world / "project" / name
    before = held(world)
    async with editor(world / "project", env=env, settings=settings) as one:
        one.open(path)
        await one.execute("relatedWork", {"uri": one.uri(path), "from": "abstract"})
        await one.until(lambda: any("texgeist:" in m.message for m in one.messages))
        said = one.messages[-1].message
    assert one.edits == [] and one.questions == [] and held(world) == before
    return said


@pytest.mark.parametrize(
    "settings",
    [
        {"project": {"root": "../outside/thesis.tex"}},
        {"project": {"bibliography": "../outside/victim.bib"}},
        {"project": {"bibliography": "../outside/new.bib"}},
    ],
)
async def test_a_workspaces_settings_name_nothing_outside(
    world: Path, env: dict[str, str], settings: dict[str, object]
) -> None:
    said = await complaint(world, env, "main.tex", settings)
    assert "outside the project" in said and str(world / "outside") in said


async def test_links_and_roots_outside_are_refused_by_the_server_too(
    world: Path, env: dict[str, str]
) -> None:
    project = world / "project"
    (project / "part.tex").write_text(f"% !TEX root = {world}/outside/thesis.tex\nWords.\n")
    assert "thesis.tex" in await complaint(world, env, "part.tex", {})
    (project / "alone.tex").write_text("\\section{Notes} Words that no document includes.\n")
    assert "No document includes" in await complaint(world, env, "alone.tex", {})
    (project / "references.bib").symlink_to(world / "outside" / "profile")
    (project / "main.tex").write_text(TEXT % "\\bibliography{references}")
    assert f"{world}/outside/profile" in await complaint(world, env, "main.tex", {})
    (project / "references.bib").unlink()
    (project / ".texgeist").symlink_to(world / "outside", target_is_directory=True)
    assert ".texgeist" in await complaint(world, env, "main.tex", {})


async def test_a_root_of_one_folder_is_not_that_of_another(world: Path, env: dict[str, str]) -> None:
    """A file opened from elsewhere keeps its own document."""
    other = world / "elsewhere" / "paper.tex"
    other.parent.mkdir()
    other.write_text("\\newcommand{\\a}{no place}\n")
    async with editor(world / "project", env=env, settings={"project": {"root": "main.tex"}}) as one:
        one.open(other)
        await one.execute("relatedWork", {"uri": one.uri(other), "from": "abstract"})
        assert "paper.tex has no place" in await one.said("no place for a section")


async def test_an_edited_section_is_written_anew_only_when_the_author_says_so(
    world: Path, env: dict[str, str]
) -> None:
    main = world / "project" / "main.tex"
    main.write_text(TEXT % WRITTEN.replace("As it was written.", "My own words."))
    provenance.file_of(main).parent.mkdir()
    provenance.file_of(main).write_text(json.dumps(record(WRITTEN)))
    given = {"section": "related-work"}
    async with editor(world / "project", env=env) as one:
        uri = one.open(main)
        await one.execute("writeAnew", {**given, "uri": uri})
        await one.said("so it was kept")
        assert len(one.questions) == 1 and "+My own words." in one.questions[0]
        one.picks = "Write it again"
        await one.execute("writeAnew", {**given, "uri": uri})
        await one.until(lambda: len(one.questions) == 3)  # on to the search, which asks for the model
        await one.until(lambda: sum("model" in m.message for m in one.messages) >= 1)
        await one.execute("writeAnew", {**given, "uri": uri, "force": True})
        await one.until(lambda: len(one.questions) == 4)
        await one.until(lambda: sum("model" in m.message for m in one.messages) >= 2)
        await one.execute("updateSection", {**given, "uri": uri})
        await one.until(lambda: len(one.questions) == 5)
    assert not any("+My own words." in said for said in one.questions[3:]) and one.edits == []
    log = "".join(file.read_text() for file in world.rglob("texgeist.log"))
    assert "SectionEdited: related-work" in log and "My own words" not in log


async def test_an_undo_after_remove_finds_the_reasons(world: Path, env: dict[str, str]) -> None:
    main = world / "project" / "main.tex"
    body = WRITTEN.replace("As it was written.", "As it was \\cite{smith}.")
    main.write_text(TEXT % body)
    why = {"paper": {"title": "Things"}, "why": "2nd of 60", "section": "related-work", "evidence": []}
    file = provenance.file_of(main)
    file.parent.mkdir()
    file.write_text(json.dumps({**record(body), "citations": {"smith": why}}))
    async with editor(world / "project", env=env) as one:
        uri = one.open(main)
        text = one.texts[main]
        await one.execute("removeSection", {"uri": uri, "section": "related-work"})
        await one.said("was removed")
        assert "smith" not in one.texts[main]
        one.type(main, 0, text, replacing=len(one.texts[main]))  # the undo
        assert "2nd of 60" in await one.hover(main, "smith")


# -- the record, and files of our own making -----------------------------------------------------------


def test_a_record_is_never_read_or_written_through_a_link(world: Path) -> None:
    main = world / "project" / "main.tex"
    stolen = world / "outside" / "provenance.json"
    stolen.write_text(json.dumps({"version": 1, "citations": {"k": {"why": "a stranger's"}}, "sections": {}}))
    (world / "project" / ".texgeist").symlink_to(world / "outside", target_is_directory=True)
    before = held(world)
    assert provenance.read(main).citations == {}
    assert "outside" in remember(RecordedEdit(read_draft(main, programs=False), _plan(main), _result()))
    assert held(world) == before


def test_a_new_bibliography_is_made_where_it_was_looked_at(world: Path) -> None:
    """The folder is exchanged for a link after the look, before the file is made."""
    project = world / "project"
    draft = read_draft(project / "main.tex", programs=False)
    plan = _checked(_plan(project / "main.tex"), draft.gate)
    project.rename(world / "moved")
    project.symlink_to(world / "outside", target_is_directory=True)
    before = held(world / "outside")
    with pytest.raises(Exception, match="cannot be created"):
        _make_files(plan)
    assert held(world / "outside") == before


PAPER = Reference("a", "A Paper", ("Ann Ash",), 2020, "2001.00001")
SECTION = ProseSection("Related Work", ((ProseSentence("Words.", ("a",)),),))


def _result() -> Result:
    return Result(Query("abstract", (QueryPart("Text.", "abstract"),)), Section("", ()), ())


def _plan(main: Path):
    return plan_related_work(read_draft(main, programs=False), SECTION, [PAPER])
