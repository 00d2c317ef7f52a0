"""The structure of a document: headings, abstracts, and prose.

The reader goes through the project's steps once and keeps the state that TeX would have: before or in the
document, in an abstract, a float, an appendix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..tex import wordlists
from ..tex.command_names import (
    APPENDIX_ENVIRONMENTS,
    AUTHORS,
    BIBLIOGRAPHY_PRINTERS,
    DROPPED_ENVIRONMENTS,
    HEADINGS,
    TITLES,
)
from ..tex.macros import Definitions
from ..tex.scan import Item, pieces
from .walk import Frame, Step, is_document, last_printer


@dataclass(frozen=True, slots=True)
class Segment:
    """Prose `frame.parsed.text[start:end]` under the heading of index `heading` in `Flow.headings`, or -1."""

    frame: Frame
    start: int
    end: int
    heading: int


@dataclass(frozen=True, slots=True)
class Title:
    """A heading and its place. `region`: body, appendix, or skip (references, acknowledgements)."""

    step: int
    frame: Frame
    item: Item
    level: int
    title: str
    region: str


@dataclass(slots=True)
class AbstractText:
    """The text of an abstract: from an environment, a command, or under a heading."""

    frame: Frame
    start: int
    end: int
    segments: list[Segment] = field(default_factory=list)


@dataclass(slots=True)
class Flow:
    headings: list[Title] = field(default_factory=list)
    body: list[Segment] = field(default_factory=list)
    front: list[Segment] = field(default_factory=list)  # between \begin{document} and the first heading
    abstracts: list[AbstractText] = field(default_factory=list)
    begin: Step | None = None  # \begin{document}
    end: Step | None = None  # \end{document}
    printed: Step | None = None  # the last bibliography
    appendix: Step | None = None

    @property
    def ends(self) -> list[Step]:
        """The steps at which the body may end."""
        return [step for step in (self.appendix, self.printed, self.end) if step is not None]


def flow(steps: Sequence[Step], definitions: Definitions, show: Callable[[str], str]) -> Flow:
    """Sorts a project's text into a `Flow`. `show` converts LaTeX to plain text."""
    reader = _Reader(steps, definitions, show)
    for index, step in enumerate(steps):
        reader.take(index, step)
    return reader.flow


class _Reader:
    def __init__(self, steps: Sequence[Step], definitions: Definitions, show: Callable[[str], str]) -> None:
        self.flow = Flow()
        self.definitions = definitions
        self.show = show
        self.last_printer = last_printer(steps)
        self.whole = any(is_document(step) for step in steps)
        self.in_document = not self.whole
        self.position = 0
        self.frames: list[tuple[Frame, int]] = []
        self.environments: list[str] = []
        self.opened: Counter[str] = Counter()
        self.dropped = 0
        self.abstract: AbstractText | None = None
        self.abstract_by: str = ""  # "environment" or "heading"
        self.region = "body"
        self.skip_level: int | None = None
        self.seen_numbered = False  # after a numbered section there is no front matter
        self.ended = False

    def take(self, index: int, step: Step) -> None:
        if step.kind == "enter":
            self._flush(step.frame.at.start if step.frame.at else 0)
            self.frames.append((step.frame, self.position))
            self.position = step.frame.begin
        elif step.kind == "leave":
            self._flush(step.frame.parsed.scan.stop)
            if self.abstract_by == "heading" and self.abstract and self.abstract.frame is step.frame:
                self._close_abstract(step.frame.parsed.scan.stop)
            _, before = self.frames.pop()
            self.position = max(before, step.frame.at.end) if step.frame.at else 0
        elif step.item is not None:
            self._item(index, step, step.item)

    @property
    def frame(self) -> Frame:
        return self.frames[-1][0]

    def _item(self, index: int, step: Step, item: Item) -> None:
        if item.kind in ("begin", "end"):
            self._edge(index, step, item)
        elif item.kind == "include":
            self._flush(item.start)
            self.position = max(self.position, item.end)
        elif item.kind == "heading" and self.in_document and item.groups:
            title = self.show(step.frame.parsed.scan.words(item.groups[0]))
            self._heading(index, step, item, HEADINGS[item.name], title)
        elif item.kind == "front" and "bst" in item.name and item.groups:
            self._command_abstract(step, item)
        elif item.name in TITLES or item.name in AUTHORS:
            self._flush(item.start)
            self.position = max(self.position, item.end)
        elif item.kind == "mark" or item.kind == "bib":
            self._mark(step, item)

    def _edge(self, index: int, step: Step, item: Item) -> None:
        name = self.definitions.environments.get(item.name, item.name)
        name = item.name if wordlists.is_abstract_environment(item.name) else name
        if name == "document":
            self._document(step, item)
            return
        if item.kind == "begin":
            self._begin(step, item, name)
        else:
            self._end(item, name)

    def _document(self, step: Step, item: Item) -> None:
        if step.frame.parent is not None:
            return
        if item.kind == "begin":
            self.in_document, self.position = True, item.end
            self.flow.begin = step
        else:
            self._flush(item.start)
            self.in_document, self.ended = False, True
            self.flow.end = step

    def _begin(self, step: Step, item: Item, name: str) -> None:
        self.environments.append(name)
        self.opened[name] += 1
        if wordlists.is_abstract_environment(name) and not self.dropped:
            self._flush(item.start)
            self.position = _after_groups(step.frame.parsed.text, item.end)
            self._open_abstract(step.frame, item, "environment")
        elif name in DROPPED_ENVIRONMENTS or name in self.definitions.excluded:
            self._flush(item.start)
            self.dropped += 1
        elif name in APPENDIX_ENVIRONMENTS and self.in_document:
            self._flush(item.start)
            self._begin_appendix(step)

    def _end(self, item: Item, name: str) -> None:
        if not self.opened[name]:
            return
        while self.environments:
            top = self.environments.pop()
            self.opened[top] -= 1
            if top in DROPPED_ENVIRONMENTS or top in self.definitions.excluded:
                self.dropped = max(0, self.dropped - 1)
                self.position = item.end
            if wordlists.is_abstract_environment(top) and self.abstract_by == "environment":
                self._flush(item.start)
                self._close_abstract(item.end)
            if top == name:
                break

    def _heading(self, index: int, step: Step, item: Item, level: int, title: str) -> None:
        if self.dropped and not self.environments:
            self.dropped = 0
        self._flush(item.start)
        if self.abstract_by == "heading":
            self._close_abstract(item.start)
        self.position = item.end
        if self.dropped or self.abstract is not None:
            return
        if not self.seen_numbered and wordlists.is_abstract(title):
            self._open_abstract(step.frame, item, "heading")
            return
        if self.skip_level is not None and level <= self.skip_level:
            self.skip_level = None
        if wordlists.is_references(title) or wordlists.is_acknowledgement(title):
            self.skip_level = level
        if self.region == "body" and level <= 1 and wordlists.is_appendix(title) and self.flow.headings:
            self._begin_appendix(step)
        region = "skip" if self.skip_level is not None or step.frame.left_out else self.region
        self.seen_numbered = self.seen_numbered or (not item.star and region == "body" and level <= 1)
        self.flow.headings.append(Title(index, step.frame, item, level, title, region))

    def _mark(self, step: Step, item: Item) -> None:
        if not self.in_document:
            return
        if item.name in ("appendix", "appendices"):
            self._flush(item.start)
            self._begin_appendix(step)
        elif item.name.lower().startswith("acknowledg") and self.region == "body" and not self.dropped:
            self._flush(item.start)
            self.skip_level = 1
        elif item.kind == "bib" or item.name in BIBLIOGRAPHY_PRINTERS:
            self.flow.printed = step
            if step is self.last_printer and self.region == "body":
                self._flush(item.start)
                self._begin_appendix(step)

    def _begin_appendix(self, step: Step) -> None:
        if self.region == "body":
            self.region = "appendix"
            self.flow.appendix = self.flow.appendix or step
        if self.abstract_by == "heading":
            self._close_abstract(step.item.start if step.item else 0)

    def _command_abstract(self, step: Step, item: Item) -> None:
        start, end = item.groups[0]
        if self.dropped:
            return
        found = AbstractText(step.frame, item.start, item.end)
        found.segments.append(Segment(step.frame, start, end, -1))
        self.flow.abstracts.append(found)
        if self.in_document:
            self._flush(item.start)
            self.position = item.end

    def _open_abstract(self, frame: Frame, item: Item, by: str) -> None:
        if self.abstract is not None:
            self._close_abstract(item.start)
        self.abstract = AbstractText(frame, item.start, item.end)
        self.abstract_by = by

    def _close_abstract(self, end: int) -> None:
        if self.abstract is None:
            return
        if self.frames and self.frame is self.abstract.frame:
            self.abstract.end = end
        elif self.abstract.segments:
            inside = [s for s in self.abstract.segments if s.frame is self.abstract.frame]
            self.abstract.end = max((s.end for s in inside), default=self.abstract.end)
        self.flow.abstracts.append(self.abstract)
        self.abstract, self.abstract_by = None, ""

    def _flush(self, end: int) -> None:
        """Assigns the text of the current file up to `end` to the abstract, the front matter or the body."""
        start, self.position = self.position, max(self.position, end)
        if not self.frames or start >= end or self.dropped:
            return
        frame = self.frame
        inside_abstract = self.abstract is not None
        if not inside_abstract and (not self.in_document or self.skip_level is not None):
            return
        if frame.left_out or (self.region != "body" and not inside_abstract):
            return
        heading = len(self.flow.headings) - 1
        for a, b in pieces(frame.parsed.scan, start, end):
            segment = Segment(frame, a, b, heading)
            if self.abstract is not None:
                self.abstract.segments.append(segment)
            elif heading < 0 and self.whole:
                self.flow.front.append(segment)
            else:
                self.flow.body.append(segment)


def _after_groups(text: str, position: int) -> int:
    r"""The position after the groups `{…}` that directly follow a `\begin{…}`."""
    for _ in range(3):
        if text[position : position + 1] != "{":
            break
        end = text.find("}", position, position + 2000)
        if end < 0:
            break
        position = end + 1
    return position
