"""Reads comments in which a text names its root document (`% !TEX root = ../main.tex`), and gives the reason
if they are not followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..disk.gate import Gate
from ..disk.paths import tidy
from ..types import Problem, Span
from .files import FileStore, Parsed


def beside(store: FileStore, path: Path, name: str) -> Path | None:
    """The file with this `name` relative to the text at `path`; None if there is no such file."""
    name = name.strip().strip('"')
    for candidate in (name, name + ".tex"):
        try:
            target = tidy(path.parent / candidate)
        except ValueError:
            return None
        if store.exists(target):
            return target
    return None


def unfollowed(parsed: Parsed, root: Path, doubt: str, store: FileStore) -> Iterator[Problem]:
    """Reports why the root document named in a comment is not used. `root`: the project's root document;
    `doubt`: its `Root.doubt`."""
    if (comment := parsed.root_comment) is None:
        return
    if reason := (doubt if parsed.path == root else "") or not_there(parsed, store):
        yield Problem("root-comment", reason, Span(parsed.path, comment.start(1), comment.end(1)))


def not_there(parsed: Parsed, store: FileStore) -> str:
    """A message if the root document in a comment does not exist; "" if it does, or if there is no
    comment."""
    comment = parsed.root_comment
    if comment is None or beside(store, parsed.path, comment[1]) is not None:
        return ""
    return f"{parsed.path.name} names {comment[1]} as its root document, which does not exist."


def named_outside(path: Path, target: Path, gate: Gate) -> str:
    why = "is not a .tex file" if gate.inside(target) else f"is outside the project ({gate.bounds})"
    return f"{path.name} names {target} as its root document, which {why} and is neither read nor written to."


def not_by(path: Path, root: Path) -> str:
    return (
        f"{path.name} names {root} as its root document, which is in another folder and does not include it."
    )
