"""All diagnostic codes, declared once: the values of the setting `diagnostics.off` and the table in docs/verify.md
are generated from here, and a test fails for a code that is not declared."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "information", "hint"]
ENTRY_CHECKS, SENTENCE_CHECKS = "entry-checks", "sentence-checks"


@dataclass(frozen=True, slots=True)
class DiagnosticCode:
    """`group` says when the diagnostic is shown: while typing (`project`), after a save (`entry-checks`), or
    after a save if a language model judges sentences (`sentence-checks`)."""

    name: str
    severity: Severity
    meaning: str
    group: str


_PROJECT: dict[str, tuple[Severity, str]] = {
    "missing-file": ("warning", "An included file or a bibliography does not exist."),
    "outside-project": ("warning", "An included file is outside the project or of a kind that is not read."),
    "undefined-citation": ("error", "No bibliography has an entry with this key."),
    "duplicate-key": ("error", "Two entries have the same key, but not the same fields."),
    "repeated-entry": ("warning", "Two entries have the same key and the same fields."),
    "same-paper": ("information", "Two entries with different keys are the same paper."),
    "broken-entry": ("error", "The entry cannot be read."),
    "comment-in-entry": ("error", "BibTeX cannot read a comment inside an entry (biber can)."),
    "root-comment": ("warning", "The `% !TEX root` comment cannot be followed."),
    "too-long": ("information", "The file is too long to be read as a whole."),
}
_ENTRY_CHECKS: dict[str, tuple[Severity, str]] = {
    "year-ahead": ("error", "The year is in the future, or impossible."),
    "doi-malformed": ("error", "The DOI is malformed."),
    "doi-venue": ("error", "The DOI belongs to another venue or publisher."),
    "doi-year": ("error", "The DOI belongs to another year."),
    "arxiv-date": ("error", "The arXiv id and the year contradict each other."),
    "ids-differ": ("error", "The entry has two different DOIs or arXiv ids."),
    "venue-year": ("error", "The proceedings are of another year."),
    "pages-reversed": (
        "information",
        "The last page comes before the first, or is shortened (98-12 for 98-112).",
    ),
    "placeholder": ("error", "The title or an author is a placeholder."),
    "incomplete": ("error", "A required field is missing."),
    "title": ("error", "The known record has another title."),
    "authors": ("error", "The known record has other authors."),
    "authors-missing": ("error", "Authors of the known record are missing."),
    "authors-added": ("error", "The entry has authors that the known record does not have."),
    "author-name": ("information", "The known record spells an author differently."),
    "author-order": ("error", "The known record has the authors in another order."),
    "year": ("error", "The known record has another year."),
    "venue": ("error", "The known record has another venue."),
    "pages": ("error", "The known record has other pages."),
    "volume": ("information", "The known record has another volume."),
    "number": ("information", "The known record has another number."),
    "publisher": ("error", "The known record has another publisher."),
    "place": ("information", "Other entries of the same proceedings name another place."),
    "title-known": ("information", "A work of this title is known; nothing else was compared."),
    "title-unknown": ("information", "No work of this title is known in the collection of titles."),
    "unconfirmed": ("information", "The known record lacks this detail."),
    "doi": ("error", "The known record has another DOI."),
    "arxiv-id": ("error", "The known record has another arXiv id."),
    "other-paper": ("error", "The DOI or arXiv id belongs to another paper."),
    "published": ("information", "The preprint has been published."),
    "retracted": ("error", "The paper was retracted."),
    "withdrawn": ("error", "The paper was withdrawn."),
    "concern": ("information", "The publisher has expressed concern about the paper."),
    "corrected": ("information", "A correction of the paper was published."),
    "newer-version": ("information", "There is a newer version of the preprint."),
    "not-found": ("warning", "The sources that were asked do not have the paper."),
    "drift": ("information", "The abstract has changed since the section was written."),
    "unused": ("hint", "No document of the folder cites the entry."),
}
_SENTENCE_CHECKS: dict[str, tuple[Severity, str]] = {
    "unsupported": ("hint", "The available passages of the cited paper do not support the sentence."),
    "contradicted": ("hint", "A passage of the cited paper contradicts the sentence."),
}
CODES = {
    name: DiagnosticCode(name, severity, meaning, group)
    for group, codes in (
        ("project", _PROJECT), (ENTRY_CHECKS, _ENTRY_CHECKS), (SENTENCE_CHECKS, _SENTENCE_CHECKS),
    )
    for name, (severity, meaning) in codes.items()
}  # fmt: skip
OF_SENTENCES = frozenset(_SENTENCE_CHECKS)
IN_OTHER_TOOLS = frozenset({"missing-file", "undefined-citation", "duplicate-key", "repeated-entry"})


def is_off(name: str, off: Collection[str]) -> bool:
    """Whether the values of `diagnostics.off` hide the diagnostic."""
    return name in off or CODES[name].group in off
