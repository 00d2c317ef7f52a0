"""A project read from the disk, from nothing but a path: as the command line and the worker do it, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from ..disk.paths import tidy
from ..types import Draft
from .bounds import gate_of
from .files import FileStore
from .project import Project
from .resolve import TexSearch
from .roots import RootFinder
from .sharing import with_neighbours


class Opening(TypedDict, total=False):
    """How a project is read."""

    overlay: Mapping[Path, str] | None  # open buffers, which win over the disk
    root: Path | None  # the root document, within the workspace; None: it is looked for
    workspace: Path | None  # nothing outside it (or the project's own folder) is taken for text
    programs: bool  # False runs no kpsewhich
    own: Sequence[Path]  # bibliographies elsewhere that the user's own settings name


def read_draft(path: Path, **how: Unpack[Opening]) -> Draft:
    """Read the project that `path` belongs to. Raises NoRoot, OutOfBounds or Unreadable."""
    project = open_project(path, **how)
    return with_neighbours(project.draft(), project.store)


def open_project(path: Path, **how: Unpack[Opening]) -> Project:
    """As `read_draft`, with nothing read yet but the root. Without a workspace a file may name any document in
    the current folder as its root."""
    store, search = FileStore(how.get("overlay")), TexSearch(how.get("programs", True))
    workspace = how.get("workspace")
    finder = RootFinder(store, search, Path().absolute() if workspace is None else None)
    path, named = tidy(path), how.get("root")
    found = finder.find(path, workspace) if named is None else finder.named(tidy(named), path, workspace)
    return Project(store, found, gate_of(found.path, workspace, how.get("own", ())), search)
