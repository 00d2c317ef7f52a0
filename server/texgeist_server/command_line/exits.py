"""How a command ends: its exit code, and the message of a failure.

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
from collections.abc import Callable, Iterator
from typing import NoReturn

import typer
from texgeist_latex.errors import LatexError
from texgeist_retrieval.errors import (
    Cancelled,
    IndexUnavailable,
    LibraryMissing,
    ModelUnreachable,
    NoSource,
    RetrievalError,
    SourceUnavailable,
    WriterUnavailable,
)
from texgeist_retrieval.paths import expanded

from ..errors import NothingToCite, SectionEdited, ServerError
from .terminal import MANNER, complaints, echo

FAILED, NOTHING_FOUND, NO_ANSWER, CANCELLED = 1, 5, 6, 130
UNANSWERED = (IndexUnavailable, ModelUnreachable, SourceUnavailable, WriterUnavailable)


Failure = RetrievalError | LatexError | ServerError | OSError


@contextlib.contextmanager
def plainly() -> Iterator[None]:
    """Turns errors into a sentence and an exit code, without a traceback. With `--json` the error is also
    printed as JSON on standard output, so that the output is never empty."""
    try:
        yield
    except Cancelled as stopped:
        _end(stopped, CANCELLED, "")
    except (RetrievalError, LatexError, ServerError, OSError) as error:
        if can_ask(error, MANNER.get().as_json, MANNER.get().quiet):
            _fill_first()
        if isinstance(error, SectionEdited):
            complaints().print(error.difference, markup=False)
        _end(error, code_of(error), "red")


def _fill_first() -> NoReturn:
    """Offers to fill the library, then exits; the user has to repeat the command."""
    with plainly():
        if ask():
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
    """Exits with `NOTHING_FOUND` if `anything` is empty. Call it after printing the output."""
    if not anything:
        raise typer.Exit(NOTHING_FOUND)


def _end(error: Failure, code: int, style: str) -> NoReturn:
    message, help_ = _words(error)
    logging.getLogger(__name__).info("%s, exit %d", type(error).__name__, code)  # without the user's text
    if MANNER.get().as_json:
        told = {
            "kind": type(error).__name__,
            "message": message,
            "help": help_,
            "retryable": bool(getattr(error, "retryable", False)),
            "exit": code,
        }
        sys.stdout.write(json.dumps({"error": told}, indent=2) + "\n")
    between = "\n" if "\n" in help_ else " "
    complaints().print(f"{message}{between}{help_}".strip(), style=style or None, markup=False)
    raise typer.Exit(code) from None


def _words(error: Failure) -> tuple[str, str]:
    if isinstance(error, OSError):
        return f"{error.strerror or error}: {error.filename or ''}", ""
    return str(error), _commands() if isinstance(error, LibraryMissing) else error.help


# What a user without papers may search: what it is, what is sent, and the command.
WAYS = (
    (
        "papers discovered for my draft",
        "title, key phrases, two sentences and cited works are sent to OpenAlex, Semantic Scholar, arXiv, Crossref",
        "texgeist related-work DRAFT --discover",
    ),
    (
        "my .bib files or PDFs",
        "read on this machine; nothing is sent",
        "texgeist index add references.bib",
    ),
    (
        "my Zotero library",
        "read from the Zotero that runs on this machine; nothing is sent",
        "texgeist index add zotero",
    ),
    (
        "a field of arXiv (cs.CL, …)",
        "titles and abstracts are downloaded; none of your words are sent",
        "texgeist index sync cat:cs.CL",
    ),
    (
        "the hosted arXiv index",
        "needs its authors' token; vectors of your text are sent there, not its words",
        "texgeist config set index.location citegeist",
    ),
    (
        "the sample: 314 papers",
        "comes with texgeist, to try it; nothing is sent",
        "texgeist index add sample",
    ),
)


def _commands() -> str:
    """The ways to papers, each with its command and what is sent."""
    lines = [f"  {command:<46}{what}: {sends}" for what, sends, command in WAYS]
    return "\n".join(["Choose what to search, then give the command again:", *lines])


def can_ask(error: Exception, as_json: bool, quiet: bool) -> bool:
    """Whether to offer filling the library: only to a person at a terminal, and only if their own library is
    missing or empty."""
    if not isinstance(error, LibraryMissing) or as_json or quiet:
        return False
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask() -> bool:
    """Asks how to fill the library. Carries out the user's choice, and returns whether there is a library to
    search now. Raises the errors of this choice."""
    lines = [f"  {number}  {what:<32}{sends}" for number, (what, sends, _) in enumerate(WAYS, 1)]
    echo(
        "\n".join(
            ["There is nothing to search yet. What do you want to search?\n", *lines, "  n  not now\n"]
        ),
        err=True,
    )
    ways: tuple[Callable[[], bool], ...] = (
        _discovery,
        _files,
        lambda: _fill(["zotero"]),
        _field,
        _hosted,
        lambda: _fill(["sample"]),
    )
    answer = typer.prompt(f"1 to {len(ways)}, or n", default="n", err=True).strip()
    return ways[int(answer) - 1]() if answer in map(str, range(1, len(ways) + 1)) else False


def _discovery() -> bool:
    """Remembers nothing: the user allows it for a run, or in the settings."""
    echo(
        "Add --discover to the command. For every run: texgeist config set index.discover '[\"openalex\"]'.",
        err=True,
    )
    return False


def _files() -> bool:
    given = typer.prompt("A .bib file, a PDF or a folder of PDFs", default="", show_default=False, err=True)
    return _fill([str(expanded(given.strip()))] if given.strip() else [])


def _field() -> bool:
    given = typer.prompt("Categories, with spaces between them", default="", show_default=False, err=True)
    return _fill([f"cat:{name}" for name in given.split()])


def _fill(sources: list[str]) -> bool:
    from ..config.credentials import keys_from_environment
    from ..config.user_file import load
    from ..library import syncing
    from .terminal import working

    settings, _ = load()
    for source in sources:
        with working(source) as monitor:
            summary = syncing.take_in(
                source, settings, keys_from_environment(), monitor, syncing.Intake(since="")
            )
        echo(f"{source}: {syncing.sentence(summary)}", err=True)
    return bool(sources)


def _hosted() -> bool:
    from ..config.credentials import keys_from_environment
    from ..config.storage import config_file
    from ..config.user_file import set_in

    set_in(config_file(), "index.location", "citegeist")
    echo(f"index.location = citegeist, in {config_file()}.", err=True)
    if not keys_from_environment().index:
        echo("Set TEXGEIST_INDEX_TOKEN to the token that its authors gave you.", err=True)
        return False
    return True
