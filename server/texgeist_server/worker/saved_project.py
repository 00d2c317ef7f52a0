"""Reads and checks a project on disk, for the tasks of a worker."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..adapters import Setup
from .requests import EntryChecks, SavedProject

if TYPE_CHECKING:
    from texgeist_latex.entry_checks.records import Records
    from texgeist_latex.types import Draft
    from texgeist_retrieval.ports import Monitor

    from ..bibliography_checks.places import Find
    from ..config.settings import Settings
    from ..sections.generated_sections import AskIndex

_OWN_S = 600.0
_own: dict[str, tuple[float, Records | None]] = {}
_held_before: dict[tuple[str, ...], tuple[float, Collection[str] | None]] = {}


def check_entries(request: EntryChecks, setup: Setup, monitor: Monitor) -> tuple[Find, ...]:
    import datetime

    from texgeist_latex.reading.draft import cited_beside

    from ..bibliography_checks.checking import entries_of, of_draft
    from ..bibliography_checks.in_editor import finds, unused_finds
    from ..bibliography_checks.registries import ask_registries
    from ..sections.generated_sections import check_sections

    settings = setup.settings
    draft = saved_draft(request.project, settings)
    own = _own_records(settings)
    asked = ask_registries(entries_of(of_draft(draft)), settings, False, monitor)
    sources = (*asked.sources, own) if own is not None else asked.sources
    more = check_sections(draft, _index_holds(settings))
    found = finds(draft, sources, datetime.date.today().year, more)
    if "unused" not in settings.diagnostics.off and "texlab" not in settings.editor.beside:
        found = (*found, *unused_finds(draft, cited_beside(draft)))
    return found


def saved_draft(project: SavedProject, settings: Settings) -> Draft:
    from texgeist_latex.reading.draft import read_draft

    from ..config.user_file import own_bibliographies

    root, workspace = Path(project.root), Path(project.folder) if project.folder else None
    return read_draft(root, root=root, workspace=workspace, own=own_bibliographies(settings))


def _index_holds(settings: Settings) -> AskIndex:
    """A function that says which papers the index holds. Its answers are cached for ten minutes."""
    import time

    from ..sections.generated_sections import held_by_index

    ask = held_by_index(settings)

    def held(index: str, ids: Sequence[str]) -> Collection[str] | None:
        about = (settings.index.location, index, *ids)
        known = _held_before.get(about)
        if known is None or time.monotonic() - known[0] > _OWN_S:
            for stale in [one for one, (then, _) in _held_before.items() if time.monotonic() - then > _OWN_S]:
                del _held_before[stale]
            known = _held_before[about] = (time.monotonic(), ask(index, ids))
        return known[1]

    return held


def _own_records(settings: Settings) -> Records | None:
    """The user's own index, cached for ten minutes, because saves come every few seconds."""
    import time

    from ..bibliography_checks.known_records import own_index

    place = f"{settings.index.location} {settings.index.collection} {settings.storage.folder}"
    known = _own.get(place)
    if known is None or time.monotonic() - known[0] > _OWN_S:
        _own.clear()
        known = _own[place] = (time.monotonic(), own_index(settings)[0])
    return known[1]
