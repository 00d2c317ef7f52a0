r"""Headings by the document's own commands, whose bodies make a heading from an argument:
`\newcommand{\somesection}[1]{\section*{#1}}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..tex.arguments import Arguments
from ..tex.command_names import HEADINGS
from ..tex.macros import Definitions, Macro
from ..tex.scan import Item
from .walk import Frame, Step

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
        if frame.begin <= at < scan.stop and not any(item.start < at < item.end for item in scan.definitions)
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
    if not macro.letters and (alias := _ALIAS.fullmatch(macro.body.strip())):
        return alias[1], bool(alias[2]), 1
    if made := _MADE_OF_ARGUMENT.search(macro.body):
        return made[1], bool(made[2]), max(1, macro.letters[: int(made[3])].count("m"))
    return None
