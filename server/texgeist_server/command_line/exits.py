"""How a command ends: the exit codes, and what is said when it fails.

0    done
1    failed; a sentence says why and what to do
2    the command line was not understood
3    `verify`: something should be looked at
4    `verify`: something is wrong
5    nothing was found, so nothing was written
6    the network, or a server that is needed, does not answer: try again
130  stopped by Ctrl+C
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
from collections.abc import Iterator
from typing import NoReturn

import typer
from texgeist_latex.errors import LatexError
from texgeist_retrieval.errors import (
    Cancelled,
    IndexUnavailable,
    ModelUnreachable,
    NoSource,
    RetrievalError,
    SourceUnavailable,
    WriterUnavailable,
)

from ..errors import NothingToCite, SectionEdited, ServerError
from . import first_run
from .speaking import MANNER, complaints

FAILED, NOTHING_FOUND, NO_ANSWER, CANCELLED = 1, 5, 6, 130
UNANSWERED = (IndexUnavailable, ModelUnreachable, SourceUnavailable, WriterUnavailable)


Failure = RetrievalError | LatexError | ServerError | OSError


@contextlib.contextmanager
def plainly() -> Iterator[None]:
    """Failures as one sentence and an exit code, without a traceback; with `--json` as JSON too, on standard
    output, which is never empty then."""
    try:
        yield
    except Cancelled as stopped:
        _end(stopped, CANCELLED, "")
    except (RetrievalError, LatexError, ServerError, OSError) as error:
        if first_run.can_ask(error, MANNER.get().as_json, MANNER.get().quiet):
            _first_run()
        if isinstance(error, SectionEdited):
            complaints().print(error.difference, markup=False)
        _end(error, code_of(error), "red")


def _first_run() -> NoReturn:
    """Fills what was to be searched, and says so: the command itself is for the user to give again."""
    with plainly():
        if first_run.ask():
            complaints().print("Now give the command again.", markup=False)
            raise typer.Exit(FAILED)
    complaints().print("Nothing was changed. Fill a library with `texgeist index add`.", markup=False)
    raise typer.Exit(FAILED)


def code_of(error: Failure) -> int:
    if isinstance(error, NothingToCite):
        return NOTHING_FOUND
    if isinstance(error, UNANSWERED) and not isinstance(error, NoSource):
        return NO_ANSWER
    return FAILED


def found(anything: object) -> None:
    """Ends with `NOTHING_FOUND` where there is nothing; what there is to print was printed."""
    if not anything:
        raise typer.Exit(NOTHING_FOUND)


def _end(error: Failure, code: int, style: str) -> NoReturn:
    message, help_ = _words(error)
    logging.getLogger(__name__).info("%s, exit %d", type(error).__name__, code)  # no words of the user's
    if MANNER.get().as_json:
        told = {
            "kind": type(error).__name__,
            "message": message,
            "help": help_,
            "retryable": bool(getattr(error, "retryable", False)),
            "exit": code,
        }
        sys.stdout.write(json.dumps({"error": told}, indent=2) + "\n")
    complaints().print(f"{message} {help_}".strip(), style=style or None, markup=False)
    raise typer.Exit(code) from None


def _words(error: Failure) -> tuple[str, str]:
    if isinstance(error, OSError):
        return f"{error.strerror or error}: {error.filename or ''}", ""
    return str(error), error.help
