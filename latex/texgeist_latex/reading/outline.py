"""The values that `structure` sorts a project into."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..tex.scan import Item
from .walk import Frame, Step


@dataclass(frozen=True, slots=True)
class Segment:
    """`frame.parsed.text[start:end]`, prose of one place. `heading` is an index, -1 before the first."""

    frame: Frame
    start: int
    end: int
    heading: int


@dataclass(frozen=True, slots=True)
class Title:
    """A heading where it stands. `region` is body, appendix, or skip (references, thanks)."""

    step: int
    frame: Frame
    item: Item
    level: int
    title: str
    region: str
    depth: int  # open environments, `document` not counted


@dataclass(slots=True)
class AbstractText:
    """A text that stands where an abstract stands: an environment, a command, or a heading."""

    label: str  # what it is called in the document
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
