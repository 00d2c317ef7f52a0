"""The sources of `texgeist index add` and `sync`, declared once: the user's files, Zotero, and registries."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import NoSource
from texgeist_retrieval.paths import expanded
from texgeist_retrieval.types.papers import SAMPLE

from .sources import SourceRequest, bib_file, online, paper_files, record_file, zotero

if TYPE_CHECKING:
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.records import RecordSource

    from ..bibliography_checks.lookups import AbstractLookup
    from ..config.settings import Settings


@dataclass(frozen=True, slots=True)
class HarvestSource:
    """A source of papers. `form`: its description for users. A network source is recognised by the prefix
    `begins`, which is then removed; a local source by the file's suffix, or as a folder. `origin`: the origin
    of its papers; `texgeist verify` trusts only records with an origin."""

    form: str
    open: Callable[[SourceRequest], RecordSource]
    begins: re.Pattern[str] | None = None
    suffixes: tuple[str, ...] = ()
    folder: bool = False
    origin: str = ""


HARVEST_SOURCES = (
    HarvestSource("a .bib file", bib_file.open_bib, suffixes=(".bib",)),
    HarvestSource(
        "JSON lines (.jsonl, .json, .gz, .zip)", record_file.open_records, suffixes=record_file.SUFFIXES
    ),
    HarvestSource("a PDF", paper_files.open_file, suffixes=paper_files.PDF),
    HarvestSource("a LaTeX document", paper_files.open_file, suffixes=paper_files.LATEX),
    HarvestSource("a folder of these", paper_files.open_folder, folder=True),
    HarvestSource(
        "sample (314 papers, to try it)", bib_file.open_sample, begins=bib_file.SAMPLE, origin=SAMPLE
    ),
    HarvestSource("zotero (as it runs on this machine)", zotero.open_zotero, begins=zotero.NAMED),
    HarvestSource(
        "oai or oai:cs (all that is new on arXiv)", online.open_harvest, begins=online.HARVEST, origin="arXiv"
    ),
    HarvestSource(
        "arXiv ids (2401.12345, full texts)",
        online.open_papers,
        begins=online.IDS,
        origin="arXiv",
    ),
    HarvestSource("openalex:WORDS", online.open_openalex, begins=online.OPENALEX, origin="OpenAlex"),
    HarvestSource(
        "crossref:WORDS (papers of all fields)",
        online.open_crossref,
        begins=online.CROSSREF,
        origin="Crossref",
    ),
    HarvestSource("a query such as cat:cs.CL", online.open_query, begins=online.QUERY, origin="arXiv"),
)
_FORMS = [source.form for source in HARVEST_SOURCES]
FORMS = f"{', '.join(_FORMS[:-1])}, or {_FORMS[-1]}"


def open_source(
    text: str,
    settings: Settings,
    table: HashTable,
    monitor: Monitor,
    since: str | None = None,
    abstracts: AbstractLookup | None = None,
) -> RecordSource:
    """Opens the source named by `text`. Raises `NoSource`, which lists the known forms.

    If `since` is None, arXiv is asked for changes since the last run of this source; if "", for everything.
    """
    found, rest = _source_of(text)
    if found is None:
        raise NoSource(f"{text} is not a source of papers.", f"A source is {FORMS}.")
    if since is None:
        since = table.last_run(text)
    return found.open(SourceRequest(rest, settings, since, monitor, abstracts))


def origin_of(text: str) -> str:
    """The origin of papers from this source; "" if there is none or if each record states its origin."""
    found, _ = _source_of(text)
    return found.origin if found else ""


def _source_of(text: str) -> tuple[HarvestSource | None, str]:
    """The source that `text` names (None if there is none), and the rest of `text` after the source's
    prefix."""
    for source in HARVEST_SOURCES:
        if source.begins and (match := source.begins.match(text)):
            return source, text[match.end() :]
    path = expanded(text)
    folder, suffix = path.is_dir(), path.suffix.lower()
    for source in HARVEST_SOURCES:
        if source.folder if folder else suffix in source.suffixes:
            return source, text
    return None, text


def check_source(text: str) -> None:
    """Raises `NoSource` if the text names no source, before an index is opened or created."""
    found, _ = _source_of(text)
    if found and found.begins:
        return
    path = expanded(text)
    if not text.isprintable():  # undecodable bytes cannot be recorded as a source
        raise NoSource("The name of the source has unprintable characters.", "Rename the file.")
    if not text.strip() or not path.exists():
        raise NoSource(f"There is no {text or 'source of that name'}.", f"A source is {FORMS}.")
    if path.is_dir():
        return
    if found is None:
        raise NoSource(f"{path.name} is not a source of papers.", f"A source is {FORMS}.")
    from texgeist_latex.disk.paths import help_for, limit_of, regular, unread_because

    state = regular(path)
    if state is None:  # a pipe or device may never end
        raise NoSource(f"{path.name} is not a regular file, and was not read.", f"A source is {FORMS}.")
    if path.suffix.lower() == ".bib" and state.st_size > limit_of(path):
        raise NoSource(f"{path.name} {unread_because(path)}.", help_for(path))
