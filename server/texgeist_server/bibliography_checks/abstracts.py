"""Abstracts for entries that have none, from the registries that the user lets be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texgeist_latex.entry_checks.comparison import relate_titles
from texgeist_latex.types import BibEntry

from .chosen_registries import ask_registries

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from ..config.settings import Settings


@dataclass
class Abstracts:
    """Asked once a bibliography. `online`: the registries may be asked though the settings name none; else, where
    they name none, what was kept from earlier serves. `notes` tell people who did not answer."""

    settings: Settings
    monitor: Monitor
    online: bool = False
    notes: list[str] = field(default_factory=list)

    def of(self, entries: Sequence[BibEntry]) -> dict[str, str]:
        """By the entries' keys. An id in an entry may be another paper's: its title must agree. Raises
        `Cancelled`."""
        without = [entry for entry in entries if not entry.fields.get("abstract", "").strip()]
        looked_up = ask_registries(without, self.settings, self.online, self.monitor, for_abstracts=True)
        self.notes += looked_up.notes
        found: dict[str, str] = {}
        for entry in without:
            for source in looked_up.sources:
                for record in source.find(entry):
                    title = record.fields.get("title", "")
                    agrees = relate_titles(entry.fields.get("title", ""), title) in ("same", "shortened")
                    if agrees and (abstract := looked_up.abstracts.get(record.key)):
                        found.setdefault(entry.key, abstract)
        return found
