"""Drawn projects whose texts, bibliographies, links, settings and records name paths that lead out.

A project is read, a section planned and written as the command line does it, and the record kept. Texts outside hold
a secret that must not be in what was read; nothing outside may change (`fuzz.run` looks).
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.types import Query, QueryPart, Result, Section
from texgeist_server.sections.recording import RecordedEdit, remember

from benchmarks.latex.fuzz import OUTSIDE, SECRET, Tally

PAPER = Reference("1", "On Testing", ("Ada Lovelace",), 2024, arxiv_id="2401.00001")
SECTION = ProseSection("Related Work", ((ProseSentence("They test it.", ("1",)),),))
RESULT = Result(Query("abstract", (QueryPart("Text.", "abstract"),)), Section("", ()), ())
STEMS = ["victim", "thesis", "notes", "passwd", ".profile", "new", "references", "main", "provenance", "part"]
FOLDERS = [
    *("", "", "./", "../", "../outside/", "../outside/deep/", "sub/", "sub/../", "../project/../outside/"),
    *("WORLD/outside/", "WORLD/", "WORLD//outside/./", ".texgeist/", "\\jobname/../../outside/"),
    *("~/", "~/../", "~/../outside/"),  # the home is the world's own, like all else that is attacked
]
SUFFIXES = ["", "", ".bib", ".bib", ".tex", ".txt", ".json", ".bib.tex", ".BIB", ".bib "]


def attack(chance: random.Random, world: Path, tally: Tally) -> Iterator[None]:
    """One project, drawn, read and written to."""
    project = world / "project"
    opened = _project(chance, project, world)
    yield
    workspace = chance.choice((project, project, None))
    root = Path(_name(chance, world)) if workspace and chance.random() < 0.1 else None
    draft = read_draft(opened, workspace=workspace, root=project / root if root else None, programs=False)
    if SECRET in json.dumps([draft.title, draft.abstract, [page.text for page in draft.pages]]):
        tally.failures.append(f"a secret was read by way of {draft.root}")
    wanted = Path(_name(chance, world)) if chance.random() < 0.15 else None
    plan = plan_related_work(draft, SECTION, [PAPER], bibliography=wanted)
    swapped = _swap(chance, project, world) if chance.random() < 0.15 else ""
    apply_plan(plan, draft)
    remember(RecordedEdit(draft, plan, RESULT, date="2026-01-01"))
    tally.counts["written"] += not swapped


def _project(chance: random.Random, project: Path, world: Path) -> Path:
    """The stranger's project; the file in it that is opened."""
    project.mkdir()
    for _ in range(chance.randint(0, 4)):
        _link(chance, project, world)
    names = ",".join(_name(chance, world) for _ in range(chance.randint(0, 2)))
    loads = chance.random() < 0.3
    preamble = "\\usepackage{biblatex}" if loads else ""
    preamble += f"\\addbibresource{{{_name(chance, world)}}}" if loads else ""
    end = f"\\bibliography{{{names}}}" if names and not loads else ""
    inputs = "".join(f"\\input{{{_name(chance, world)}}}" for _ in range(chance.randint(0, 2)))
    magic = f"% !TEX root = {_name(chance, world)}\n" if chance.random() < 0.2 else ""
    text = (
        f"{magic}\\documentclass{{article}}{preamble}\n\\begin{{document}}\n\\begin{{abstract}}About.\\end{{abstract}}\n"
        f"\\section{{Introduction}} Words. {inputs}\n{end}\n\\end{{document}}\n"
    )
    _put(project / "main.tex", text)
    if chance.random() < 0.3:
        _put(project / "part.tex", f"% !TEX root = {_name(chance, world)}\nWords.\n")
        return project / "part.tex"
    return project / "main.tex"


def _put(path: Path, text: str) -> None:
    """Where no link stands already: what the attacker's own files hold is not ours to write through one."""
    if not os.path.lexists(path):
        path.write_text(text)


def _link(chance: random.Random, project: Path, world: Path) -> None:
    """A link in the project, to a file or folder outside, or to one that is not there yet."""
    name = chance.choice(
        ["references.bib", "main.tex", "part.tex", ".texgeist", "sub", "texgeist.bib", "victim.bib"]
    )
    to = chance.choice([*OUTSIDE, "outside", "outside/deep", "outside/new.bib", "outside/newfolder", "."])
    where = project / name
    if chance.random() < 0.2:
        if not os.path.lexists(project / ".texgeist"):
            (project / ".texgeist").mkdir()
        where = project / ".texgeist" / "provenance.json"
    if not os.path.lexists(where) and not where.parent.is_symlink():
        where.symlink_to(chance.choice([world / to, Path(os.path.relpath(world / to, where.parent))]))


def _swap(chance: random.Random, project: Path, world: Path) -> str:
    """Between planning and writing, something is exchanged for a link that leads out."""
    there = [path for path in project.iterdir() if not path.is_symlink()]
    if not there:
        return ""
    path = chance.choice(there)
    to = chance.choice(["outside", "outside/victim.bib", "outside/thesis.tex", "outside/new.bib"])
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to(world / to)
    return path.name


def _name(chance: random.Random, world: Path) -> str:
    """A path as a stranger would name it."""
    stem = chance.choice(STEMS) + chance.choice(SUFFIXES)
    folder = chance.choice([each.replace("WORLD", str(world)) for each in FOLDERS])
    return folder + stem
