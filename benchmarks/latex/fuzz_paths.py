"""Attacks projects' paths, and counts what is written outside of them: it must be nothing.

    python -m benchmarks.latex.fuzz_paths [--count 2000] [--seed 1]

Each round makes a world of its own: a project, and folders outside of it that hold bibliographies, texts,
start-up files and links in all directions. The project's texts, bibliographies, links, settings and records
are drawn from names that lead out. It is read, a section planned and written as the command line does it,
and the record kept; every file outside must then be what it was, and no other must be there. Texts outside
hold a secret that must not be in what was read. A failure is also any exception but a `LatexError`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.types import Query, QueryPart, Result, Section
from texgeist_server.sections import provenance
from texgeist_server.sections.provenance_records import Applied

SECRET = "confidential-words"
PAPER = Reference("1", "On Testing", ("Ada Lovelace",), 2024, arxiv_id="2401.00001")
SECTION = ProseSection("Related Work", ((ProseSentence("They test it.", ("1",)),),))
RESULT = Result(Query("abstract", (QueryPart("Text.", "abstract"),)), Section("", ()), ())
OUTSIDE = {
    "outside/victim.bib": "@misc{v, title = {Victim}}\n",
    "outside/thesis.tex": "\\documentclass{book}\\begin{document}\\chapter{A}" + SECRET + "\\end{document}\n",
    "outside/notes.txt": SECRET + "\n",
    "outside/passwd": "root:x\n",
    "outside/.profile": "export PATH\n",
    "outside/deep/victim.bib": "@misc{w, title = {Victim}}\n",
    "outside/provenance.json": '{"version": 1, "citations": {}, "sections": {}}\n',
    "above.tex": "\\documentclass{book}\\begin{document}" + SECRET + "\\end{document}\n",
    "home/victim.bib": "@misc{h, title = {At home}}\n",
    "home/.profile": "export PATH\n",
    "references.bib": "@misc{above, title = {Above}}\n",
}
STEMS = ["victim", "thesis", "notes", "passwd", ".profile", "new", "references", "main", "provenance", "part"]
FOLDERS = [
    *("", "", "./", "../", "../outside/", "../outside/deep/", "sub/", "sub/../", "../project/../outside/"),
    *("WORLD/outside/", "WORLD/", "WORLD//outside/./", ".texgeist/", "\\jobname/../../outside/"),
    *("~/", "~/../", "~/../outside/"),  # the home is the world's own, like all else that is attacked
]
SUFFIXES = ["", "", ".bib", ".bib", ".tex", ".txt", ".json", ".bib.tex", ".BIB", ".bib "]


@dataclass
class Tally:
    rounds: int = 0
    written: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    outside_writes: list[str] = field(default_factory=list)
    secrets_read: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    tally = fuzz(options.count, options.seed)
    print(
        json.dumps(
            {
                "rounds": tally.rounds,
                "written": tally.written,
                "refused": dict(tally.refused),
                "outside_writes": len(tally.outside_writes),
                "secrets_read": len(tally.secrets_read),
                "crashes": len(tally.crashes),
                "seconds": round(time.perf_counter() - begun, 1),
                "first": (tally.outside_writes + tally.secrets_read + tally.crashes)[:5],
            }
        )
    )
    return 1 if tally.outside_writes or tally.secrets_read or tally.crashes else 0


def fuzz(count: int, seed: int) -> Tally:
    tally = Tally()
    for number in range(count):
        with tempfile.TemporaryDirectory(prefix="texgeist-paths-") as folder, at_home(Path(folder)):
            one(random.Random(f"{seed}:{number}"), Path(os.path.realpath(folder)), number, tally)
    return tally


def one(chance: random.Random, world: Path, number: int, tally: Tally) -> None:
    """One world, attacked once."""
    for name, text in OUTSIDE.items():
        (world / name).parent.mkdir(parents=True, exist_ok=True)
        (world / name).write_text(text)
    project = world / "project"
    opened = _project(chance, project, world)
    before, tally.rounds = held(world), tally.rounds + 1
    try:
        _attack(chance, opened, project, world, tally, number)
    except LatexError as error:
        tally.refused[type(error).__name__] += 1
    except Exception:  # noqa: BLE001 - to count them is what this is for
        tally.crashes.append(f"{number}: {traceback.format_exc(limit=-4)}")
    after = held(world)
    if after != before:
        changed = [name for name in {*before, *after} if before.get(name) != after.get(name)]
        tally.outside_writes.append(f"{number}: {changed}")


def _attack(
    chance: random.Random, opened: Path, project: Path, world: Path, tally: Tally, number: int
) -> None:
    workspace = chance.choice((project, project, None))
    root = Path(_name(chance, world)) if workspace and chance.random() < 0.1 else None
    draft = read_draft(opened, workspace=workspace, root=project / root if root else None, programs=False)
    read = json.dumps([draft.title, draft.abstract, [page.text for page in draft.pages]])
    if SECRET in read:
        tally.secrets_read.append(f"{number}: {draft.root}")
    wanted = Path(_name(chance, world)) if chance.random() < 0.15 else None
    plan = plan_related_work(draft, SECTION, [PAPER], bibliography=wanted)
    swapped = _swap(chance, project, world) if chance.random() < 0.15 else ""
    apply_plan(plan, draft)
    provenance.remember(draft.root, Applied(RESULT, plan, "main.tex", "2026-01-01"))
    tally.written += not swapped


@contextmanager
def at_home(world: Path) -> Iterator[None]:
    """`~` leads into the world, never into the home of whoever runs this."""
    before = os.environ.get("HOME")
    os.environ["HOME"] = str(world / "home")
    try:
        yield
    finally:
        os.environ.pop("HOME")
        if before is not None:
            os.environ["HOME"] = before


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
        folder = _name(chance, world)
        _put(
            project / ".latexmkrc",
            f"ensure_path('BIBINPUTS', '{folder}//');ensure_path('TEXINPUTS', '..//');",
        )
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


def held(world: Path) -> dict[str, str]:
    """What lies outside of the project: contents of files, and what links and folders are."""
    found = {}
    for path in sorted(world.rglob("*")):
        if path.is_relative_to(world / "project"):
            continue
        if path.is_symlink():
            found[str(path)] = f"-> {path.readlink()}"
        else:
            found[str(path)] = path.read_text("utf-8", "replace") if path.is_file() else "folder"
    return found


if __name__ == "__main__":
    sys.exit(main())
