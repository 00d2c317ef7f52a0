"""What the tests drive on a machine: each program, font and TeX file, with the Debian package that brings it.

    python tests/needs.py            what is missing here, a line for each package; ends with 1 if anything is
    python tests/needs.py packages   the packages of the whole table, for an installer

The table stands in `needs.tsv`; `scripts/tex-files` writes its `tex` rows from what the tests' TeX runs open.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("needs.tsv")
KINDS = ("program", "emacs", "tex")


@dataclass(frozen=True)
class Need:
    """`program`: a command; `emacs`: a library that Emacs loads; `tex`: a file that TeX finds by its name."""

    kind: str
    name: str
    package: str


def read_needs(text: str) -> list[Need]:
    needs = []
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != 3 or fields[0] not in KINDS or not all(fields):
            raise ValueError(
                f"line {number} of the table is not a kind ({', '.join(KINDS)}), a name and a package"
            )
        needs.append(Need(*fields))
    return needs


def missing(needs: Iterable[Need]) -> list[Need]:
    """Those that are not on this machine, as the programs themselves look for them."""
    needs = list(needs)
    there = {
        "emacs": _emacs_finds([need.name for need in needs if need.kind == "emacs"]),
        "tex": _tex_finds([need.name for need in needs if need.kind == "tex"]),
        "program": {need.name for need in needs if need.kind == "program" and shutil.which(need.name)},
    }
    return [need for need in needs if need.name not in there[need.kind]]


def describe(needs: Iterable[Need]) -> str:
    """A line for each package: what of it is missing."""
    packages: dict[str, list[str]] = {}
    for need in needs:
        packages.setdefault(need.package, []).append(need.name)
    return "\n".join(f"{package}: {', '.join(names)}" for package, names in sorted(packages.items()))


def _tex_finds(names: list[str]) -> set[str]:
    return {Path(line).name for line in _output(["kpsewhich", *names]).splitlines()}


def _emacs_finds(names: list[str]) -> set[str]:
    look = '(dolist (name command-line-args-left) (when (locate-library name) (princ (concat name "\n"))))'
    look = f"(progn (package-initialize) {look} (kill-emacs 0))"
    return set(_output(["emacs", "--batch", "--no-init-file", "--eval", look, *names]).splitlines())


def _output(command: list[str]) -> str:
    """What a program prints; nothing where it is not installed."""
    if not shutil.which(command[0]):
        return ""
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout


def main(arguments: list[str]) -> int:
    needs = read_needs(TABLE.read_text("utf-8"))
    if arguments == ["packages"]:
        sys.stdout.write("".join(f"{package}\n" for package in sorted({need.package for need in needs})))
        return 0
    if lacking := missing(needs):
        sys.stdout.write(f"Missing, by the Debian package that brings it:\n{describe(lacking)}\n")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
