"""Resolves the names of inclusions and bibliographies to files, as TeX does, within the project's bounds."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ..bib.index import BibIndex
from ..disk.gate import Gate, is_bibliography
from ..disk.paths import real, tidy, unread_because
from ..tex.scan import makes_file
from ..types import Bibliography, Problem, Span
from .files import FileStore, Parsed

Format = Literal["tex", "bib"]
_Name = tuple[str, str, Format]  # folder, name and format
# Bibliographies of abbreviations that are part of TeX distributions.
DISTRIBUTED = frozenset("IEEEabrv IEEEfull IEEEexample acmabrv ACM-Reference-Format xampl plainnat".split())


@dataclass(frozen=True, slots=True)
class ResolvedFile:
    """The result of resolving a name. `path`: the file to read; None if there is no such file; `outside`: the
    file, if it is outside of the project or of a kind that is not read."""

    path: Path | None
    outside: Path | None = None
    installed: bool = False  # part of the TeX distribution


MOST_ASKED = 100  # names that kpsewhich looks up for a project, 20 ms each
UNKNOWN_YET = Path("?")  # kpsewhich has not answered yet, so the file is not reported as missing


class TexSearch:
    """Runs `kpsewhich`, if installed, which also searches TEXINPUTS and BIBINPUTS: once for each name that
    the project lacks, up to `MOST_ASKED` names. `enabled=False` runs no program. With `answered`, the program
    runs on another thread, because a name changes with every typed character; `answered` is called with every
    answer."""

    def __init__(self, enabled: bool = True, answered: Callable[[], None] | None = None) -> None:
        self.enabled = enabled
        self._answered = answered
        self._answers: dict[_Name, Path | None] = {}
        self._asked: set[_Name] = set()
        self._thread: ThreadPoolExecutor | None = None
        self.version = 0  # increases with every answer

    @property
    def asking(self) -> bool:
        return bool(self._asked)

    def find(self, name: str, format: Format, folder: Path) -> Path | None:
        """The file that TeX finds for `name`; None if none is found; UNKNOWN_YET before the answer."""
        key = (str(folder), name, format)
        if not self.enabled or key in self._answers:
            return self._answers.get(key)
        if key not in self._asked:
            if len(self._asked if self._answered else self._answers) >= MOST_ASKED:
                return None
            if self._answered is None:
                self._answers[key] = self._ask(name, format, folder)
                return self._answers[key]
            self._asked.add(key)
            self._thread = self._thread or ThreadPoolExecutor(1, "texgeist-kpsewhich")
            self._thread.submit(self._fetch, key, self._answered)
        return UNKNOWN_YET

    def _fetch(self, key: _Name, answered: Callable[[], None]) -> None:
        folder, name, format = key
        try:
            self._answers[key] = self._ask(name, format, Path(folder))
        finally:
            self.version += 1  # first, so that the answer is visible as soon as `asking` is False
            self._asked.discard(key)
            answered()

    def stop(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def _ask(self, name: str, format: Format, folder: Path) -> Path | None:
        program = shutil.which("kpsewhich") if self.enabled else None
        if program is None or name.startswith("-") or "\0" in name or len(name) > 500:
            return None
        suffix = ".bib" if format == "bib" else ".tex"
        wanted = name if name.endswith(suffix) else name + suffix
        try:
            answer = subprocess.run(
                [program, f"--format={format}", wanted],
                cwd=folder,
                capture_output=True,
                timeout=3,
                check=False,
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
        line = answer.stdout.decode("utf-8", "replace").strip().split("\n")[0]
        return tidy(folder / line) if line else None


class Resolver:
    """Finds files for a root document. Only files that `gate` accepts are read."""

    def __init__(self, store: FileStore, folder: Path, gate: Gate, search: TexSearch) -> None:
        self.store = store
        self.folder = folder
        self.gate = gate
        self.search = search
        self.asked_in = 0  # version of the background search that gave the answers
        self._texts: dict[tuple[str, tuple[str, ...]], ResolvedFile] = {}  # cached while a project is read

    def tex(self, name: str, folders: Sequence[Path], suffix: str = ".tex") -> ResolvedFile:
        """Resolves an included text. A text outside of the bounds is reported but not read."""
        key = (name, tuple(map(str, folders)))
        if key not in self._texts:
            found = self._first(_candidates(name, suffix), folders)
            if found is None:
                self._texts[key] = self._installed(name, "tex")
            else:
                read = self.gate.reads(self.store.real(found))
                self._texts[key] = ResolvedFile(found) if read else ResolvedFile(None, outside=found)
        return self._texts[key]

    def bib(self, name: str, folders: Sequence[Path]) -> ResolvedFile:
        """Resolves a bibliography. Shared bibliographies outside of the bounds are read but not written."""
        found = self._first(_candidates(name, ".bib"), folders)
        if found is not None:
            return self._bibliography(found)
        if name.removesuffix(".bib") in DISTRIBUTED:
            return ResolvedFile(None, installed=True)
        return self._installed(name, "bib")

    def _bibliography(self, path: Path) -> ResolvedFile:
        """Checks a `.bib` file. A link to any other file is refused, as TeX reads only `.bib` files."""
        if not is_bibliography(path):
            return ResolvedFile(None, outside=path)
        return ResolvedFile(path, outside=None if self.gate.inside(path) else path)

    def _first(self, names: Iterable[str], folders: Iterable[Path]) -> Path | None:
        for folder in folders:
            for name in names:
                try:
                    path = tidy(folder / name)
                except ValueError:
                    continue
                if self.store.exists(path):
                    return path
        return None

    def _installed(self, name: str, format: Format) -> ResolvedFile:
        path = self.search.find(name, format, self.folder)
        if path is UNKNOWN_YET:
            return ResolvedFile(None, installed=True)
        if path is None:
            return ResolvedFile(None)
        if format == "bib" and "texmf-dist" not in path.parts:
            return self._bibliography(path)
        return ResolvedFile(path) if self.gate.may_read(path) else ResolvedFile(None, installed=True)


def _candidates(name: str, suffix: str) -> tuple[str, ...]:
    """The file names in TeX's order: `name.tex`, then `name`."""
    name = os.path.expanduser(name) if name.startswith("~/") else name  # noqa: PTH111
    return (name,) if name.endswith(suffix) else (name + suffix, name)


_LONGEST_NAME = 500


@dataclass
class NamedBibliographies:
    """The bibliographies in the order in which the project names them. `pending`: at least one is still being
    loaded; `made_by_latex`: at least one does not exist until LaTeX has run (`filecontents`)."""

    found: dict[str, BibIndex] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    pending: bool = False
    made_by_latex: bool = False

    @property
    def indexes(self) -> tuple[BibIndex, ...]:
        return tuple(self.found.values())


def read_bibliographies(
    store: FileStore, resolver: Resolver, job: str, packages: Sequence[Parsed], texts: Sequence[Parsed]
) -> NamedBibliographies:
    """The bibliographies named in `packages` and `texts`, then each `thebibliography`."""
    named = NamedBibliographies()
    for parsed in (*packages, *texts):
        for name, span in bibliography_names(parsed, job):
            _add(named, name, span, store, resolver, (*packages, *texts))
    for parsed in texts:
        if (items := parsed.item_bibliography) is not None:
            named.found[real(parsed.path)] = items
    return named


def bibliography_names(parsed: Parsed, job: str) -> Iterator[tuple[str, Span]]:
    """The names in the text's bibliography commands, with their spans."""
    for item in parsed.scan.leading:
        if item.kind != "bib" or not item.groups:
            continue
        start = item.groups[0][0]
        for part in parsed.scan.words(item.groups[0]).split(","):
            name = part.strip()
            at = start + len(part) - len(part.lstrip())
            start += len(part) + 1
            span = Span(parsed.path, at, at + len(name))
            name = name.replace("\\jobname", job)
            if name and len(name) <= _LONGEST_NAME and "://" not in name and not set(name) & set("\\#\0\n"):
                yield name, span


def _add(
    named: NamedBibliographies,
    name: str,
    span: Span,
    store: FileStore,
    resolver: Resolver,
    texts: Sequence[Parsed],
) -> None:
    where = resolver.bib(name, [resolver.folder, span.file.parent])
    full = name if name.endswith(".bib") else f"{name}.bib"
    path = where.path or tidy(resolver.folder / full)
    if where.installed:
        return
    if where.path is None and where.outside is not None:
        named.found.setdefault(real(where.outside), BibIndex(Bibliography(where.outside, (), exists=False)))
        text = f"{name} leads to {where.outside.name}, which is not a .bib file, so it is not read."
        named.problems.append(Problem("outside-project", text, span))
        return
    index = store.bibliography(where.path) if where.path is not None else None
    if index is not None:
        named.found.setdefault(real(index.bibliography.path), index)
    elif path in store.pending:
        named.pending = True
        named.found.setdefault(real(path), BibIndex(Bibliography(path, ())))
    else:
        named.found.setdefault(real(path), BibIndex(Bibliography(path, (), exists=False)))
        if any(makes_file(text.text, path.name) for text in texts):
            named.made_by_latex = True
            return
        reason = store.refused.get(path) or unread_because(path)
        named.problems.append(Problem("missing-file", f"The bibliography {full} {reason}.", span))
