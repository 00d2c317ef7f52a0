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
import shlex
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer
from texgeist_latex.disk.paths import seen_from
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

from ..config.credentials import Keys
from ..errors import NothingToCite, SectionEdited, ServerError
from ..index_places import index_place
from ..passage_library import ADD as ADD_FULL_PAPERS
from ..passage_library import table_path
from .terminal import MANNER, complaints

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
        if isinstance(error, SectionEdited):
            complaints().print(error.difference, markup=False)
        _end(error, code_of(error), "red")


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
    message, help_ = words_of(error)
    logging.getLogger(__name__).info("%s, exit %d", type(error).__name__, code)  # without the user's text
    if MANNER.get().as_json:
        fields = {
            "kind": type(error).__name__,
            "message": message,
            "help": help_,
            "retryable": bool(getattr(error, "retryable", False)),
            "exit": code,
        }
        sys.stdout.write(json.dumps({"error": fields}, indent=2) + "\n")
    between = "\n" if "\n" in help_ else " "
    complaints().print(f"{message}{between}{help_}".strip(), style=style or None, markup=False)
    raise typer.Exit(code) from None


def words_of(error: Failure) -> tuple[str, str]:
    """The message of a failure, and what to do."""
    if isinstance(error, OSError):
        return f"{error.strerror or error}: {error.filename or ''}", ""
    return str(error), ways_to_papers() if isinstance(error, LibraryMissing) else error.help


@dataclass(frozen=True, slots=True)
class Known:
    """What the messages know of the user's files, for the commands that they propose. `draft`: as the user wrote
    it; `discovers`: whether the command discovers papers; `index`: the option `--index`; `reads_passages`: whether
    the command needs full papers; `command`: that is proposed to discover papers."""

    draft: str = ""
    bibliographies: tuple[Path, ...] = ()
    discovers: bool = False
    index: str | None = None
    reads_passages: bool = False
    command: str = "related-work"


KNOWN: ContextVar[Known] = ContextVar("known", default=Known())  # noqa: B039
Step = tuple[str, str]  # a command, and what it does and sends
_ADD = ("texgeist", "index", "add")
_FETCHES = "fetches abstracts for your entries from arXiv, Crossref and OpenAlex; they receive ids and titles"
ADD_PAPERS: Step = ("texgeist index add FOLDER", "reads the PDFs in a folder; nothing is sent")


def discovering(draft: str = "") -> list[Step]:
    """The command that discovers papers for the draft; empty without a draft, and if the user just ran it."""
    named = KNOWN.get().draft or draft
    what = "asks OpenAlex, Semantic Scholar, arXiv and Crossref; they get its title, key words, two sentences and works cited"
    return (
        []
        if not named or KNOWN.get().discovers
        else [(f"texgeist {KNOWN.get().command} {named} --discover", what)]
    )


def fetching_abstracts() -> list[Step]:
    """The command that fetches abstracts for the user's bibliographies: those of the draft, else those in the
    library, else those in the current folder. Empty if there is none, or if the services were asked for all their
    abstracts."""
    from texgeist_retrieval.index.hashes import ABSTRACTS_ASKED, recorded_runs

    from ..config import user_file

    known, settings = KNOWN.get(), user_file.load()[0]
    runs = recorded_runs(table_path(settings, index_place(settings, Keys(), known.index)))
    added = [Path(source) for source in runs if source.lower().endswith(".bib")]
    files = known.bibliographies or added or sorted(Path().glob("*.bib"))
    names = [seen_from(Path().absolute(), f) for f in files if runs.get(str(f.resolve())) != ABSTRACTS_ASKED]
    option = ["--index", known.index] if known.index else []
    return [(shlex.join([*_ADD, *names, "--online", *option]), _FETCHES)] if names else []


def proposed(*steps: Step) -> str:
    """Commands for the user, each with a line that says what it does."""
    return "\n".join(f"  {command}\n      {what}" for command, what in steps)


def ways_to_papers(draft: str = "") -> str:
    """Commands that help a command without a library. `draft`: the name to print if no draft is known. Discovery
    helps only commands on a draft, to which the papers discovered belong."""
    if KNOWN.get().reads_passages:
        return ADD_FULL_PAPERS
    ways = proposed(
        *discovering(draft),
        *(fetching_abstracts() or [("texgeist index add FILE.bib --online", _FETCHES)]),
        ADD_PAPERS,
        ("texgeist index add zotero", "reads your Zotero library on this machine; nothing is sent"),
        ("texgeist index add sample", "314 papers that come with texgeist, to try it; nothing is sent"),
    )
    return f"Choose where papers come from, then run the command again:\n{ways}"
