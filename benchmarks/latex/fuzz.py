"""Drawn attacks on projects, counted: a failure is what must never happen.

    python -m benchmarks.latex.fuzz files|paths|keys [--count 2000] [--seed 1]

Each round makes a world of its own: a project, and folders outside of it that hold bibliographies, texts and start-up
files. Whatever the attack (`fuzz_files`, `fuzz_paths`, `fuzz_keys`), every file outside must then be what it was and no
other be there, and no exception but a `LatexError` may be raised.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from texgeist_latex.errors import LatexError

SECRET = "confidential-words"
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


@dataclass
class Tally:
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


Attack = Callable[[random.Random, Path, Tally], Iterator[None]]
"""Draws what the world holds, yields, and acts."""


def run(attack: Attack, count: int, seed: int) -> Tally:
    """`count` rounds of an attack, each in a world of its own."""
    tally = Tally()
    for number in range(count):
        with tempfile.TemporaryDirectory(prefix="texgeist-fuzz-") as folder, at_home(Path(folder)):
            _round(attack, random.Random(f"{seed}:{number}"), Path(os.path.realpath(folder)), number, tally)
    return tally


def _round(attack: Attack, chance: random.Random, world: Path, number: int, tally: Tally) -> None:
    for name, text in OUTSIDE.items():
        (world / name).parent.mkdir(parents=True, exist_ok=True)
        (world / name).write_text(text)
    known, steps = len(tally.failures), attack(chance, world, tally)
    next(steps)
    before = held(world)
    try:
        next(steps, None)
    except LatexError:
        tally.counts["refused"] += 1
    except Exception:  # noqa: BLE001 - to count them is what this is for
        tally.failures.append(traceback.format_exc(limit=-4))
    after = held(world)
    changed = [name for name in before if before[name] != after.get(name)]
    if changed := changed + [name for name in after if name not in before]:
        tally.failures.append(f"changed outside: {changed}")
    tally.failures[known:] = [f"{number}: {failure}" for failure in tally.failures[known:]]


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attack", choices=("files", "paths", "keys"))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    attack = importlib.import_module(f"benchmarks.latex.fuzz_{options.attack}").attack
    tally = run(attack, options.count, options.seed)
    print(json.dumps({**tally.counts, "failures": len(tally.failures), "first": tally.failures[:5]}))
    return bool(tally.failures)


if __name__ == "__main__":
    sys.exit(main())
