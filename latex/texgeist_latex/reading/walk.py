"""The commands of a project in reading order: the commands of an included file come at the place of its
inclusion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from ..tex.command_names import BIBLIOGRAPHY_PRINTERS, INCLUSIONS
from ..tex.scan import Item
from ..types import Inclusion, Problem, Span
from .files import FileStore, Parsed
from .resolve import ResolvedFile, Resolver

MAX_FILES = 3000
MAX_DEPTH = 60
_DATA = frozenset([".pgf", ".pdf_tex", ".eps_tex", ".svg_tex", ".csv", ".dat"])


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """A file at the place where it is included."""

    parsed: Parsed
    parent: Frame | None
    at: Item | None  # the inclusion in the parent
    folder: Path  # where its inclusions are searched first
    begin: int = 0  # after \begin{document} of an included document
    left_out: bool = False  # by \includeonly

    def chain(self) -> list[tuple[Frame, Item | None]]:
        """The frames from the root to this frame, each with the inclusion that leads to the next."""
        found: list[tuple[Frame, Item | None]] = [(self, None)]
        frame = self
        while frame.parent is not None:
            found.append((frame.parent, frame.at))
            frame = frame.parent
        return found[::-1]


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    kind: Literal["enter", "item", "leave"]
    frame: Frame
    item: Item | None = None


@dataclass
class Walk:
    """The result of following all inclusions."""

    tops: list[Frame] = field(default_factory=list)  # files that no other file includes
    # included files, by frame and offset of the inclusion
    entered: dict[tuple[Frame, int], Frame] = field(default_factory=dict)
    parsed: list[Parsed] = field(default_factory=list)  # texts, the root first
    packages: list[Parsed] = field(default_factory=list)  # the project's .sty files
    classes: list[Parsed] = field(default_factory=list)  # the project's .cls files
    inclusions: list[Inclusion] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def steps(self) -> list[Step]:
        """All commands in reading order. Computed only if needed, because typing does not need them."""
        steps: list[Step] = []
        for frame in self.tops:
            self._through(frame, steps)
        return steps

    def with_text(self, old: Parsed, new: Parsed) -> Walk | None:
        """This walk with a new version of a text; None if the text names other files, and must be walked again."""
        places = [place for place, frame in self.entered.items() if frame.parsed is old]
        if old.scan.definition_texts != new.scan.definition_texts:  # a macro may stand for a file name
            return None
        if old.scan.leading or new.scan.leading or len(places) != 1:
            return None
        document = new.scan.document
        frame = replace(self.entered[places[0]], parsed=new, begin=document.end if document else 0)
        parsed = [new if each is old else each for each in self.parsed]
        return replace(self, entered={**self.entered, places[0]: frame}, parsed=parsed)

    def _through(self, frame: Frame, steps: list[Step]) -> None:
        steps.append(Step("enter", frame))
        for item in frame.parsed.scan.items:
            if item.start >= frame.begin:
                steps.append(Step("item", frame, item))
                if item.kind == "include" and (inner := self.entered.get((frame, item.start))) is not None:
                    self._through(inner, steps)
        steps.append(Step("leave", frame))


def walk(store: FileStore, root: Parsed, resolver: Resolver, starts: tuple[Parsed, ...] = ()) -> Walk:
    """Follows all inclusions from `root`. Each file is entered once, so cycles end and the work is linear."""
    walker = _Walker(store, resolver)
    for parsed in (*starts, root) if starts and root not in starts else (starts or (root,)):
        top = Frame(parsed, None, None, resolver.folder)
        walker.found.tops.append(top)
        walker.visit(top, 0)
    return walker.found


class _Walker:
    def __init__(self, store: FileStore, resolver: Resolver) -> None:
        self.store = store
        self.resolver = resolver
        self.found = Walk()
        self.seen: set[str] = set()
        self.only: frozenset[str] | None = None
        self.real = lru_cache(maxsize=None)(store.real)  # looked up once for each file

    def visit(self, frame: Frame, depth: int) -> None:
        self.seen.add(self.real(frame.parsed.path))
        self.found.parsed.append(frame.parsed)
        for item in frame.parsed.scan.leading:
            if item.start < frame.begin:
                continue
            if item.kind == "include":
                self._include(frame, item, depth)
            elif item.kind == "preamble":
                self._preamble(frame, item)

    def _preamble(self, frame: Frame, item: Item) -> None:
        names = _names(frame.parsed, item)
        if item.name == "includeonly":
            self.only = frozenset(name.removesuffix(".tex") for name in names)
            return
        for name in names:
            suffix = ".cls" if item.name.startswith("document") else ".sty"
            path = self.resolver.folder / (name + suffix)
            if "\\" in name or self.real(path) in self.seen:
                continue
            if not self.resolver.gate.reads(self.real(path)):
                continue
            parsed = self.store.read(path)
            if parsed is not None and len(parsed.text) < 100_000:
                self.seen.add(self.real(path))
                (self.found.classes if suffix == ".cls" else self.found.packages).append(parsed)

    def _include(self, frame: Frame, item: Item, depth: int) -> None:
        name = self._name(frame, item)
        if name is None:
            return
        folders = self._folders(frame, item)
        found = self.resolver.tex(name, folders)
        span = Span(frame.parsed.path, *item.groups[-1])
        self.found.inclusions.append(Inclusion(item.name, name, span, found.path or found.outside))
        if found.path is None:
            self._absent(frame, item, name, found, span)
            return
        if self.real(found.path) in self.seen or depth >= MAX_DEPTH or len(self.found.parsed) >= MAX_FILES:
            return
        parsed = None if found.path.suffix.lower() in _DATA else self.store.read(found.path)
        if parsed is None:
            if reason := self.store.refused.get(found.path):
                self.found.problems.append(Problem("missing-file", f"{name} {reason}.", span))
            return
        document = parsed.scan.document
        left_out = frame.left_out or (
            item.name.startswith("include")
            and self.only is not None
            and name.removesuffix(".tex") not in self.only
        )
        own = folders[0] if "import" in item.name or "from" in item.name else frame.folder
        own = found.path.parent if item.name.startswith("subfile") else own
        inner = Frame(parsed, frame, item, own, document.end if document else 0, left_out)
        self.found.entered[frame, item.start] = inner
        self.visit(inner, depth + 1)

    def _name(self, frame: Frame, item: Item) -> str | None:
        """The file name of an inclusion; None if it is computed or incomplete."""
        if len(item.groups) < INCLUSIONS[item.name]:
            return None
        name = frame.parsed.scan.words(item.groups[-1]).strip().strip('"')
        name = re.sub(r"%[^\n]*\n\s*", "", name)
        name = name.replace("\\jobname", self.found.parsed[0].path.stem)
        if "\\" in name:
            name = self._expanded(name)
        if not name or "#" in name or "\\" in name or name.startswith("|") or "\0" in name or "\n" in name:
            return None
        return name if len(name) < 1000 else None

    def _expanded(self, name: str) -> str:
        r"""Expands the document's macros without arguments in a file name: `\chapters/intro`."""
        bodies: dict[str, str] = {}
        for parsed in (*self.found.packages, *self.found.parsed):
            for item in parsed.scan.definitions:
                if len(item.groups) == 2 and not any(a < b for a, b in item.options):
                    key, body = (parsed.scan.words(group).strip() for group in item.groups)
                    bodies[key] = body
        for _ in range(4):
            name = re.sub(r"(\\[A-Za-z@]+)(?:\{\}| )?", lambda m: bodies.get(m[1], m[0])[:500], name)
        return name if len(name) < 1000 else ""

    def _folders(self, frame: Frame, item: Item) -> list[Path]:
        """The folders that TeX searches, in order, and then the including file's folder."""
        here = frame.parsed.path.parent
        if INCLUSIONS[item.name] == 2:
            base = frame.folder if item.name.startswith("sub") else self.resolver.folder
            given = frame.parsed.scan.words(item.groups[0]).strip()
            given = self._expanded(given) if "\\" in given else given
            return [base / given, here / given]
        return [frame.folder, self.resolver.folder, here]

    def _absent(self, frame: Frame, item: Item, name: str, found: ResolvedFile, span: Span) -> None:
        if found.outside is not None:
            where = (
                "is not a kind of file that is read as text."
                if self.resolver.gate.inside(found.outside)
                else "is outside the project's folder, so it is not read. Open the folder that contains both."
            )
            self.found.problems.append(Problem("outside-project", f"{name} {where}", span))
            return
        before = frame.parsed.text[max(0, item.start - 300) : item.start]
        asked_first = item.name == "InputIfFileExists" or "FileExists{" + name.removesuffix(".tex") in before
        if found.installed or asked_first:
            return
        self.found.missing.append(name)
        message = f"The included file {name} does not exist."
        self.found.problems.append(Problem("missing-file", message, span))


def _names(parsed: Parsed, item: Item) -> Iterator[str]:
    for group in item.groups[:1]:
        for name in parsed.scan.words(group).split(","):
            if name := re.sub(r"%[^\n]*\n?", "", name).strip():
                yield name


def is_document(step: Step) -> bool:
    """Whether the root document's body starts at this step."""
    item = step.item
    return item is not None and item.kind == "begin" and item.name == "document" and step.frame.parent is None


def last_printer(steps: Sequence[Step]) -> Step | None:
    """The last command that prints a bibliography in the document's body."""
    last, started = None, False
    for step in steps:
        started = started or is_document(step)
        if (item := step.item) is None or not started:
            continue
        if (
            item.kind == "bib"
            or item.name in BIBLIOGRAPHY_PRINTERS
            or item[:2] == ("begin", "thebibliography")
        ):
            last = step
    return last
