"""How this call of the command line speaks to people, beside its result on standard output."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from rich.console import Console


@dataclass(frozen=True, slots=True)
class Manner:
    quiet: bool = False
    as_json: bool = False


MANNER: ContextVar[Manner] = ContextVar("manner", default=Manner())  # noqa: B039


def messages() -> Console:
    """For people: standard error, which leaves standard output to the result. Silent with `-q`."""
    return Console(stderr=True, highlight=False, soft_wrap=True, quiet=MANNER.get().quiet)


def complaints() -> Console:
    """For failures: standard error, also where nothing else is to be said (`-q`)."""
    return Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
