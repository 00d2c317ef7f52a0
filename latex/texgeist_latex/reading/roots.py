"""Finds the root document of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from ..disk.gate import DOCUMENTS, MARKDOWN, Gate, check_root
from ..disk.paths import real, tidy, unread_because
from ..errors import NoRoot
from ..tex.markdown import QUARTO, is_markdown
from ..types import Problem, Span
from .bounds import gate_around, gate_of, known_bounds
from .files import FileStore, Parsed, begins_document, document_class
from .resolve import Resolver, TexSearch, bibliography_names
from .walk import walk

_USUAL_NAMES = "main paper thesis article manuscript ms dissertation report document root".split()
SKIPPED = frozenset(  # folders with built or installed files
    "node_modules __pycache__ build out _build venv .venv target dist _minted".split()
)
_LATEX = (".tex", ".ltx", ".latex")
MAX_FOLDERS = 2000
MAX_TEXTS = 1500
_MOST_NAMED = 5  # documents listed for a folder
_LEVELS_UP = 2  # without known bounds, a text may name a root document at most this many folders above it


@dataclass(frozen=True, slots=True)
class Root:
    path: Path
    doubt: str = ""  # why another document may be meant; the root is then not written to
    note: str = ""  # other documents in the folder, if a folder was given
    starts: tuple[Path, ...] = ()  # the texts that are put together, if more than one


class RootFinder:
    """Finds root documents inside `workspace`; reads each version of a text at most once."""

    def __init__(self, store: FileStore, search: TexSearch) -> None:
        self.store = store
        self.search = search

    def find(self, path: Path, workspace: Path | None = None) -> Root:
        """The root document of `path` (a text, a bibliography or a folder). Raises NoRoot, and OutOfBounds if
        the root document is outside of the project."""
        path = tidy(path)
        is_folder = path.is_dir()
        if is_folder and path.suffix.lower() in DOCUMENTS:  # usually a link, not what the user means
            raise NoRoot(f"{path.name} is a folder.", "Name the root .tex file.")
        if is_folder:
            found, gate = self._in_folder(path), gate_around(path / "x", workspace)
        else:
            found, gate = self._of_file(path, workspace)
        check_root(gate, found.path)
        return found

    def named(self, root: Path, path: Path, workspace: Path | None) -> Root:
        """The root document that a setting names for `path`. Raises NoRoot, OutOfBounds."""
        if not self.store.exists(root):
            raise NoRoot(
                f"The root document {root} {unread_because(root)}.",
                "Check the setting or the option that names it.",
            )
        gate = gate_around(path, workspace)
        check_root(gate, root)
        return root_of_document(root, gate)

    def _of_file(self, path: Path, workspace: Path | None) -> tuple[Root, Gate]:
        """The root document, and the gate that limited the search for it to certain folders."""
        parsed = self.store.read(path)
        if parsed is None:
            if reason := self.store.refused.get(path, ""):
                raise NoRoot(f"{path.name} {reason}.", "Open another .tex file of the project.")
            raise NoRoot(f"{path.name} {unread_because(path)}.", "Name a .tex file.")
        if is_markdown(path):
            gate = gate_around(path, workspace)
            return markdown_root(path, gate), gate
        gate, sure = self._reach(parsed, workspace)
        declared = self._declared(parsed, gate, sure) if path.suffix.lower() != ".bib" else None
        return declared or self._including(path, parsed, gate, sure), gate

    def _reach(self, parsed: Parsed, workspace: Path | None) -> tuple[Gate, bool]:
        """The gate for searching the root document of a text, and whether the text may name a root that does
        not include it. Without known bounds, a text may only name a document that includes it, at most two
        folders up."""
        path = parsed.path
        gate = gate_around(path, workspace)
        sure = gate == gate_of(path, workspace)
        target = self._named_root(parsed)
        if target is None or target.parent not in path.parents or known_bounds(path, workspace) is not None:
            return gate, sure
        above = Gate(real(target.parent))
        near = target.parent in path.parents[: _LEVELS_UP + 1]
        return (above, False) if near and above.may_read(target) and above.inside(path) else (gate, sure)

    def _declared(self, parsed: Parsed, gate: Gate, sure: bool) -> Root | None:
        """The root document that the file declares: by a magic comment, as a subfile, or by its own class. It
        must be inside the project and, if no marker gives the project's folder (`sure` is false), include the
        file: otherwise a text could cause edits of any document."""
        path, seen = parsed.path, {parsed.path}
        while (target := self._named_root(parsed)) is not None:
            if not gate.may_read(target):
                why = (
                    "is not a .tex file" if gate.inside(target) else f"is outside the project ({gate.bounds})"
                )
                return Root(path, f"{_named(path, target)} {why} and is neither read nor written to.")
            following = self.store.read(target)
            if following is None or target in seen:
                break
            seen.add(target)
            parsed = following
        if len(seen) > 1 and (sure or parsed.path == path or self._reaches(parsed.path, path, gate)):
            return Root(parsed.path)
        if len(seen) > 1:
            return Root(path, f"{_named(path, parsed.path)} is in another folder and does not include it.")
        name = document_class(parsed)
        if name and name not in ("subfiles", "standalone") and begins_document(parsed):
            return Root(parsed.path)
        return None

    def _named_root(self, parsed: Parsed) -> Path | None:
        if comment := parsed.root_comment:
            return beside(self.store, parsed.path, comment[1])
        if document_class(parsed) == "subfiles":
            item = next(i for i in parsed.scan.items if i.name == "documentclass")
            if item.options:
                return beside(self.store, parsed.path, parsed.scan.words(item.options[0]))
        return None

    def _including(self, path: Path, parsed: Parsed, gate: Gate, sure: bool) -> Root:
        """The nearest document that includes this file; else the nearest document, with a reason in
        `Root.doubt`, so that nothing is written into it. If no marker gives the project's folder (`sure` is
        false), a document in a folder above may be another paper and is not used."""
        candidates = self._nearest_first(self.candidates(gate, path), path)
        nearest = next((c for c in candidates if c == path or self._reaches(c, path, gate)), None)
        if nearest is None and path.suffix.lower() == ".bib":
            others = self._nearest_first(self.markdown(gate, path), path)
            nearest = next((other for other in others if self._reaches(other, path, gate)), None)
        if nearest is not None:
            return root_of_document(nearest, gate)
        if document_class(parsed):
            return Root(path)
        if candidates and sure:
            root = candidates[0]
            doubt = f"No document includes {path.name}, and it is not clear whether {root.name}, the nearest document, is the right one."
            return Root(root, f"{not_there(parsed, self.store)} {doubt}".strip())
        if path.suffix.lower() == ".bib":
            raise NoRoot(f"No document uses {path.name}.", "Open the .tex file that cites from it.")
        return Root(path, not_there(parsed, self.store))

    def candidates(self, gate: Gate, near: Path) -> list[Path]:
        """All documents within the bounds, also those whose class is in an included preamble."""
        return [
            p
            for p in self.texts(gate, near)
            if (t := self.store.read(p))
            and ((name := document_class(t)) or begins_document(t))
            and name != "subfiles"
        ]

    def texts(self, gate: Gate, near: Path) -> list[Path]:
        """The LaTeX files within the gate; if there are too many, those nearest to `near`."""
        return [path for path in _texts(Path(gate.bounds), near) if gate.may_read(path)]

    def markdown(self, gate: Gate, near: Path) -> list[Path]:
        """The Markdown files within the gate, if one of them or Quarto's project file names a bibliography."""
        found = [p for p in _texts(Path(gate.bounds), near, tuple(MARKDOWN)) if gate.inside(p)]
        starts = (p for path in found for p in (path, *markdown_root(path, gate).starts))
        return found if any((t := self.store.read(p)) and t.scan.leading for p in starts) else []

    def _nearest_first(self, roots: list[Path], path: Path) -> list[Path]:
        r"""Documents with \begin{document} first, then the nearest, then those with usual names."""

        def rank(root: Path) -> tuple[bool, int, int, str]:
            parsed, stem = self.store.read(root), root.stem.lower()
            usual = _USUAL_NAMES.index(stem) if stem in _USUAL_NAMES else len(_USUAL_NAMES)
            unfinished = parsed is None or not begins_document(parsed)
            return unfinished, _distance(path.parent, root.parent), usual, root.name

        return sorted(roots, key=rank)

    def _reaches(self, root: Path, path: Path, gate: Gate) -> bool:
        parsed = self.store.read(root)
        if parsed is None:
            return False
        resolver = Resolver(self.store, root.parent, gate, TexSearch(False))
        starts = (self.store.read(start) for start in root_of_document(root, gate).starts)
        found = walk(self.store, parsed, resolver, tuple(filter(None, starts)))
        goal = real(path)
        if path.suffix.lower() == ".bib":
            texts = (*found.parsed, *found.packages)
            named = ((t, name) for t in texts for name, _ in bibliography_names(t, root.stem))
            paths = (resolver.bib(name, [resolver.folder, t.path.parent]).path for t, name in named)
            return any(path is not None and real(path) == goal for path in paths)
        return any(real(p.path) == goal for p in (*found.parsed, *found.packages))

    def _in_folder(self, folder: Path) -> Root:
        """The nearest document of a folder. The choice is in doubt if another folder at the same distance has
        a document, or if the document's name is unusual for a root document."""
        found = self._nearest_first(self.candidates(Gate(real(folder)), folder / "x"), folder / "x")
        if not found:
            message = f"There is no LaTeX document in {folder.name or folder}."
            raise NoRoot(message, "Name the root .tex file.")
        first, read = found[0], ((path, self.store.read(path)) for path in found)
        whole = [p for p, t in read if t and begins_document(t) and document_class(t) != "standalone"]
        if len(whole) < 2:
            return Root(first)
        near = _distance(folder, first.parent)
        as_near = any(p.parent != first.parent and _distance(folder, p.parent) == near for p in whole)
        if as_near or first.stem.lower() not in _USUAL_NAMES:
            doubt = f"The folder contains several documents ({_listed(whole, folder)}), and it is not clear which of them you mean."
            return Root(first, doubt)
        others = _listed([path for path in whole if path != first], folder)
        note = f"The root document is {_listed([first], folder)}. The folder also contains {others}."
        return Root(first, note=note)


def _listed(paths: list[Path], folder: Path) -> str:
    names = ", ".join(path.relative_to(folder).as_posix() for path in paths[:_MOST_NAMED])
    more = len(paths) - _MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names


def markdown_root(path: Path, gate: Gate) -> Root:
    """A Markdown file is a document by itself; Quarto's project file above it may name its bibliographies."""
    projects = (folder / QUARTO for folder in path.parents if gate.inside(folder))
    project = next((file for file in projects if file.is_file() and gate.inside(file)), None)
    return Root(path, starts=(project, path) if project is not None else ())


def root_of_document(path: Path, gate: Gate) -> Root:
    """The root of a file that is a document itself."""
    return markdown_root(path, gate) if is_markdown(path) else Root(path)


def _distance(one: Path, other: Path) -> int:
    pairs = zip(one.parts, other.parts, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return len(one.parts) + len(other.parts) - 2 * common


def _texts(bounds: Path, near: Path, suffixes: tuple[str, ...] = _LATEX) -> list[Path]:
    """The files with these suffixes below `bounds`. If there are too many, those nearest to `near` are kept."""
    found: list[Path] = []
    for folders, (here, below, names) in enumerate(os.walk(bounds)):
        below[:] = sorted(n for n in below if not n.startswith(".") and n not in SKIPPED)
        found += [Path(here) / n for n in sorted(names) if n.lower().endswith(suffixes)]
        if folders > MAX_FOLDERS:
            break
    if near.suffix.lower() in (".tex", ".ltx") and near not in found and near.is_file():
        found.append(near)
    if len(found) > MAX_TEXTS:
        found.sort(key=lambda p: _distance(near.parent, p.parent))
    return found[:MAX_TEXTS]


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
    """Reports why the root document named in a comment is not used. `doubt`: that of the project's `root`."""
    if (comment := parsed.root_comment) is None:
        return
    if reason := (doubt if parsed.path == root else "") or not_there(parsed, store):
        yield Problem("root-comment", reason, Span(parsed.path, comment.start(1), comment.end(1)))


def not_there(parsed: Parsed, store: FileStore) -> str:
    """A message if the root document in a comment does not exist, else ""."""
    comment = parsed.root_comment
    if comment is None or beside(store, parsed.path, comment[1]) is not None:
        return ""
    return f"{_named(parsed.path, comment[1])} does not exist."


def _named(path: Path, root: Path | str) -> str:
    return f"{path.name} names {root} as its root document, which"
