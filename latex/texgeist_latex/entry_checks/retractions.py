"""What a registry says of a paper that no bibliography entry holds: that it was retracted or withdrawn, has been
published since, or has a newer version."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..bib.arxiv_ids import ARXIV_ID
from ..bib.identity import arxiv_id_of
from ..types import BibEntry
from .findings import Finding
from .venues import venue_field

_VERSION = re.compile(rf"{ARXIV_ID}v(\d{{1,3}})(?!\d)", re.I)
_NAMES_A_VERSION = ("eprint", "url", "journal", "note", "howpublished", "arxivid", "doi")


@dataclass(frozen=True, slots=True)
class Facts:
    """`years`: of print, online and of the meeting; `published`: the DOI of what a preprint became;
    `newest`: its last version at arXiv."""

    years: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()  # retracted, withdrawn, concern, corrected
    published: str = ""
    newest: int | None = None


def told_of(entry: BibEntry, facts: Facts, source: str) -> list[Finding]:
    """What to know before the paper is cited."""
    found = []
    if "retracted" in facts.notices:
        found.append(Finding("retracted", f"It has been retracted, says {source}."))
    elif "withdrawn" in facts.notices:
        published = bool(venue_field(entry))  # some withdraw the preprint when the paper appears
        found.append(Finding("withdrawn", f"It has been withdrawn, says {source}.", not published))
    if "concern" in facts.notices:
        found.append(Finding("concern", f"Its publisher has expressed concern, says {source}.", False))
    if "corrected" in facts.notices:
        found.append(Finding("corrected", f"A correction of it has appeared, says {source}.", False))
    cited = cited_version(entry)
    if cited and facts.newest and facts.newest > cited:
        message = f"Version {cited} is cited; arXiv has version {facts.newest}."
        found.append(Finding("newer-version", message, False))
    return found


def cited_version(entry: BibEntry) -> int | None:
    """The version of its arXiv paper that the entry names."""
    if not arxiv_id_of(entry):
        return None
    matches = (_VERSION.search(entry.fields.get(name, "")) for name in _NAMES_A_VERSION)
    return next((int(match[1]) for match in matches if match), None)
