r"""Types for the structure of a document, and headings made by the document's own commands:
`\newcommand{\somesection}[1]{\section*{#1}}`.

A command counts as a heading if its body makes a heading from its argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from texgeist_latex.reading.walk import Frame, Step
from texgeist_latex.tex.arguments import Arguments
from texgeist_latex.tex.command_names import HEADINGS
from texgeist_latex.tex.macros import Definitions, Macro
from texgeist_latex.tex.scan import Item, Scan


@dataclass(frozen=True, slots=True)
class Segment:
    """Prose `frame.parsed.text[start:end]`. `heading`: the index of its heading in `Flow.headings`; -1 before
    the first heading."""

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


_NAMES = "|".join(HEADINGS)
_MADE_OF_ARGUMENT = re.compile(rf"\\({_NAMES})(\*?)\s*(?:\[[^\[\]]*\])?\s*\{{[^{{}}#]*#(\d)")
_ALIAS = re.compile(rf"\\({_NAMES})(\*?)")


def with_own_headings(steps: Sequence[Step], definitions: Definitions) -> Sequence[Step]:
    """The steps, with headings added for the document's own heading commands."""
    entered = [step.frame for step in steps if step.kind == "enter"]
    waiting = {id(frame): list(_uses(frame, definitions)) for frame in entered}
    return list(_merged(steps, waiting)) if any(waiting.values()) else steps


def _merged(steps: Sequence[Step], waiting: dict[int, list[Item]]) -> Iterator[Step]:
    for step in steps:
        queue = waiting.get(id(step.frame), [])
        while queue and step.kind != "enter" and (step.item is None or queue[0].start < step.item.start):
            yield Step("item", step.frame, queue.pop(0))
        yield step


def _uses(frame: Frame, definitions: Definitions) -> Iterator[Item]:
    """Each use of the document's own heading commands, as a heading, in order."""
    scan = frame.parsed.scan
    own = [
        (at, name, stands_for)
        for name, places in scan.others.items()
        if (macro := definitions.macros.get(name)) and (stands_for := _stands_for(macro))
        for at in places
        if frame.begin <= at < scan.stop and not _is_defining(scan, at)
    ]
    arguments = Arguments(scan.text, scan.braces)
    for at, name, (base, star, number) in sorted(own):
        after = at + 1 + len(name)
        end, options, groups = arguments.read(after + (scan.text[after : after + 1] == "*"), number)
        if len(groups) >= number:
            yield Item("heading", base, star, at, end, options, (groups[number - 1],))


def _stands_for(macro: Macro) -> tuple[str, bool, int] | None:
    """The heading command that the macro stands for, whether it is starred, and the number of the argument
    with the title. Returns None if the macro does not make a heading."""
    if not macro.parameters and (alias := _ALIAS.fullmatch(macro.body.strip())):
        return alias[1], bool(alias[2]), 1
    if made := _MADE_OF_ARGUMENT.search(macro.body):
        return made[1], bool(made[2]), max(1, macro.letters[: int(made[3])].count("m"))
    return None


def _is_defining(scan: Scan, at: int) -> bool:
    return any(item.start < at < item.end for item in scan.definitions)
