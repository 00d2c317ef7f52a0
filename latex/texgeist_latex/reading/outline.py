r"""Types for the structure of a document, and headings made by the document's own commands:
`\newcommand{\somesection}[1]{\section*{#1}}`.

A command counts as a heading if its body makes a heading from its argument. A command also counts if it is
used alone on a line with the title of an abstract: the author then formats headings by hand, and every use of
this command alone on a line is a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from texgeist_latex.reading.walk import Frame, Step
from texgeist_latex.tex import wordlists
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
    depth: int  # number of open environments, without `document`


@dataclass(slots=True)
class AbstractText:
    """The text of an abstract: from an environment, a command, or under a heading."""

    label: str  # its title in the document
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
_AFTER = re.compile(r"\s*(?:\\label\{[^{}\n]*\})?\s*(?:%[^\n]*)?(?:\n|\Z)|[ \t]*\\\\")


def with_own_headings(steps: Sequence[Step], definitions: Definitions) -> Sequence[Step]:
    """The steps, with headings added for the document's own heading commands."""
    entered = [step.frame for step in steps if step.kind == "enter"]
    uses = {id(frame): list(_uses(frame, definitions)) for frame in entered}
    by_hand = {
        name
        for frame in entered
        for name, item, made in uses[id(frame)]
        if not made and _is_abstract(frame.parsed.scan, item)
    }
    waiting = {
        key: [item for name, item, made in found if made or name in by_hand] for key, found in uses.items()
    }
    return list(_merged(steps, waiting)) if any(waiting.values()) else steps


def _merged(steps: Sequence[Step], waiting: dict[int, list[Item]]) -> Iterator[Step]:
    for step in steps:
        queue = waiting.get(id(step.frame), [])
        while queue and step.kind != "enter" and (step.item is None or queue[0].start < step.item.start):
            yield Step("item", step.frame, queue.pop(0))
        yield step


def _uses(frame: Frame, definitions: Definitions) -> Iterator[tuple[str, Item, bool]]:
    """Each use of the document's own commands with a possible title, in order: the command's name, the
    heading, and whether the command's body makes a heading. If the body does not, only uses alone on their
    line are returned."""
    scan = frame.parsed.scan
    own = [
        (at, macro)
        for name, places in scan.others.items()
        if (macro := definitions.macros.get(name))
        and (macro.parameters or _ALIAS.fullmatch(macro.body.strip()))
        for at in places
        if frame.begin <= at < scan.stop and not _is_defining(scan, at)
    ]
    arguments = Arguments(scan.text, scan.braces)
    for at, macro in sorted(own, key=lambda use: use[0]):
        base, star, number = _stands_for(macro)
        after = at + 1 + len(macro.name)
        end, options, groups = arguments.read(after + (scan.text[after : after + 1] == "*"), max(1, number))
        if len(groups) < max(1, number):
            continue
        if number or _is_alone(scan.text, at, end):
            item = Item("heading", base, star, at, end, options, (groups[max(1, number) - 1],))
            yield macro.name, item, bool(number)


def _stands_for(macro: Macro) -> tuple[str, bool, int]:
    """The heading command that the macro stands for, whether it is starred, and the number of the argument
    with the title; 0 if the body does not make a heading."""
    if not macro.parameters and (alias := _ALIAS.fullmatch(macro.body.strip())):
        return alias[1], bool(alias[2]), 1
    if made := _MADE_OF_ARGUMENT.search(macro.body):
        return made[1], bool(made[2]), max(1, macro.letters[: int(made[3])].count("m"))
    return "section", True, 0


def _is_defining(scan: Scan, at: int) -> bool:
    return any(item.start < at < item.end for item in scan.definitions)


def _is_alone(text: str, start: int, end: int) -> bool:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return not line.strip() and bool(_AFTER.match(text, end))


def _is_abstract(scan: Scan, item: Item) -> bool:
    return wordlists.is_abstract(scan.words(item.groups[0]))
