"""How this call of the command line speaks to people, beside its result on standard output."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass

import typer
from rich.console import Console
from rich.segment import Segment

# Control characters and marks of writing direction: with them a text of others could show what does not stand there.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)"
)


@dataclass(frozen=True, slots=True)
class Manner:
    quiet: bool = False
    as_json: bool = False


MANNER: ContextVar[Manner] = ContextVar("manner", default=Manner())  # noqa: B039


def visible(text: str) -> str:
    """The text with a sign in the place of each character that a terminal would act on and not show."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


class Terminal(Console):
    """A console that shows `visible` text alone. Colours are put in afterwards, by rich."""

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        shown = (one if one.control else Segment(visible(one.text), one.style) for one in buffer)
        return super()._render_buffer(shown)


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Prints `visible` text."""
    typer.echo(visible(str(text)), err=err, nl=nl)


def messages() -> Console:
    """For people: standard error, which leaves standard output to the result. Silent with `-q`."""
    return Terminal(stderr=True, highlight=False, soft_wrap=True, quiet=MANNER.get().quiet)


def complaints() -> Console:
    """For failures: standard error, also where nothing else is to be said (`-q`)."""
    return Terminal(stderr=True, highlight=False, soft_wrap=True, emoji=False)
