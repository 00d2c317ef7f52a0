"""Checks the bibliography of a file, for the command line and for assistants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ..bibliography_checks.checking import Read, VerifyReport, check, entries_of, read_file
from ..bibliography_checks.known_records import own_index
from ..bibliography_checks.registries import ask_registries
from ..bibliography_checks.report import AskedSources
from .generated_sections import check_sections

if TYPE_CHECKING:
    from texgeist_latex.entry_checks.records import Records
    from texgeist_retrieval.ports import Monitor

    from ..bibliography_checks.known_titles import KnownTitles
    from ..config.settings import Settings


@dataclass(frozen=True, slots=True)
class Verification:
    """`sources`: the records with which the entries were compared; `notes`: on sources that could not be asked;
    `asked`: whether any registry was asked; `unanswered`: registries were asked, and none answered."""

    read: Read
    report: VerifyReport
    sources: tuple[Records, ...]
    notes: tuple[str, ...]
    asked: bool
    unanswered: bool

    @property
    def asked_sources(self) -> AskedSources:
        names = tuple(source.described for source in self.sources)
        return AskedSources(names, self.notes, date.today().isoformat())


def verify_file(
    file: Path,
    settings: Settings,
    monitor: Monitor,
    *,
    known: Sequence[Records] = (),
    online: bool = False,
    titles: KnownTitles | None = None,
) -> Verification:
    """Checks the entries of a file (see `read_file`) against `known`, the user's own index, and the registries
    that the settings allow, or with `online` all registries. Raises the `LatexError`s, and `PaperUnreadable` for
    a PDF."""
    own, reason = own_index(settings)
    records = (*known, *([own] if own else []))
    read = read_file(file, check_sections, monitor)
    done = verify_entries(read, settings, monitor, records, online=online, titles=titles)
    return replace(done, notes=(*done.notes, reason)) if reason else done


def verify_entries(
    read: Read,
    settings: Settings,
    monitor: Monitor,
    known: Sequence[Records],
    *,
    online: bool = False,
    titles: KnownTitles | None = None,
) -> Verification:
    """Checks the entries against `known` and the registries."""
    looked_up = ask_registries(entries_of(read), settings, online, monitor)
    sources = (*known, *looked_up.sources)
    report = check(read, sources, date.today().year, titles)
    return Verification(read, report, sources, looked_up.notes, bool(looked_up.sources), looked_up.unanswered)
