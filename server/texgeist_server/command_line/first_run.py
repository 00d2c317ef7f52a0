"""The first search where there is nothing to search: the question what it is to be, once, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer
from texgeist_retrieval.errors import IndexMissing
from texgeist_retrieval.paths import expanded

from .speaking import echo

WAYS = """There is nothing to search yet. What shall it be?

  1  my .bib files or PDFs          read on this machine; nothing is sent
  2  my Zotero library              read from the Zotero that runs on this machine; nothing is sent
  3  a field of arXiv (cs.CL, …)    titles and abstracts are downloaded; none of your words are sent
  4  the hosted arXiv index         needs its authors' token; vectors of your text are sent there, not its words
  5  the sample: 314 papers         comes with texgeist, to try it; nothing is sent
  n  not now
"""


def can_ask(error: Exception, as_json: bool, quiet: bool) -> bool:
    """Only a person at a terminal is asked, and only for a library of their own that is not there."""
    if not isinstance(error, IndexMissing) or "no library" not in str(error) or as_json or quiet:
        return False
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask() -> bool:
    """Whether there is something to search now. Raises what filling raises."""
    echo(WAYS, err=True)
    ways: dict[str, Callable[[], bool]] = {
        "1": _files,
        "2": lambda: _fill(["zotero"]),
        "3": _field,
        "4": _hosted,
        "5": lambda: _fill(["sample"]),
    }
    answer = typer.prompt("1, 2, 3, 4, 5 or n", default="n", err=True).strip().lower()
    return ways.get(answer, lambda: False)()


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
    from .progress_bar import working

    settings, _ = load()
    for source in sources:
        with working(source) as monitor:
            summary = syncing.take_in(source, settings, keys_from_environment(), monitor, since="")
        echo(f"{source}: {syncing.sentence(summary)}", err=True)
    return bool(sources)


def _hosted() -> bool:
    from ..config.changing import set_in
    from ..config.credentials import keys_from_environment
    from ..config.storage import config_file

    set_in(config_file(), "index.location", "citegeist")
    echo(f"index.location = citegeist, in {config_file()}.", err=True)
    if not keys_from_environment().index:
        echo("Set TEXGEIST_INDEX_TOKEN to the token that its authors gave you.", err=True)
        return False
    return True
