"""Closed keys for assistants: a citation key is issued only for a paper that a search of this session
returned."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.bib.keys import SCHOLAR, new_key
from texgeist_latex.writing.admission import checked_references
from texgeist_latex.writing.entries import new_entry
from texgeist_latex.writing.entry_style import BibStyle
from texgeist_latex.writing.escape import Charset
from texgeist_latex.writing.habits import document_charset
from texgeist_latex.writing.new_entries import new_entries
from texgeist_retrieval.types import Paper

from ..errors import ServerError
from ..references import reference_of
from ..sections.results import hit_json

if TYPE_CHECKING:
    from texgeist_latex.types import Reference

    from ..sections.runs import SearchHit

LONGEST_ABSTRACT = 1200  # code points


class NeverIssued(ServerError):
    """An id that no search of this session has issued."""

    def __init__(self, unknown: Sequence[str]) -> None:
        super().__init__(
            f"No paper was found under {', '.join(one[:40] or '“”' for one in unknown[:5])}, so there is no key for it.",
            "Only ids that were given in this session can be cited: search for the paper first.",
        )


class Issued:
    """The papers that a session has returned, by their issued ids."""

    def __init__(self) -> None:
        self._papers: dict[str, Paper] = {}
        self._ids: dict[str, str] = {}
        self._keys: dict[str, str] = {}  # keys used without a document; each paper keeps its key
        self._lock = threading.Lock()

    def hand_out(self, hit: SearchHit) -> dict[str, Any]:
        """The paper as data for an assistant. A paper keeps its id for the whole session."""
        paper = hit.candidate.paper
        return {**self.named(paper), "abstract": paper.abstract[:LONGEST_ABSTRACT], **hit_json(hit)}

    def named(self, paper: Paper) -> dict[str, Any]:
        """The paper's id in this session, title, authors and year."""
        with self._lock:
            id_ = self._ids.setdefault(paper.id, f"P{len(self._ids) + 1}")
            self._papers[id_] = paper
        return {"id": id_, "title": paper.title, "authors": list(paper.authors[:20]), "year": paper.year}

    def cite(self, ids: Sequence[str], file: Path | None) -> dict[str, Any]:
        """The citation keys of the papers with these ids, and the BibTeX entries that the draft lacks. With
        `file`, existing keys of the draft are used and new keys follow their style. Raises `NeverIssued` if
        an id was never issued; then no key is made."""
        wanted = list(dict.fromkeys(ids))
        unknown = [id_ for id_ in wanted if id_ not in self._papers]
        if unknown or not wanted:
            raise NeverIssued(unknown or ["no id"])
        references = checked_references([reference_of(self._papers[id_]) for id_ in wanted])
        if file is None:
            keys, entries, reused = self._alone(references)
        else:
            keys, entries, reused = _in_draft(references, file)
        given = {id_: keys[reference.id] for id_, reference in zip(wanted, references, strict=True)}
        return {
            "keys": given,
            "latex": f"\\cite{{{','.join(dict.fromkeys(given.values()))}}}",
            "entries": entries,
            "already_in_bibliography": [id_ for id_ in wanted if self._papers[id_].id in reused],
        }

    def _alone(self, references: Sequence[Reference]) -> tuple[dict[str, str], str, frozenset[str]]:
        with self._lock:
            for reference in references:
                if reference.id not in self._keys:
                    self._keys[reference.id] = new_key(reference, SCHOLAR, set(self._keys.values()))
        entries = [
            new_entry(one, self._keys[one.id], BibStyle(), Charset(any_letter=True)) for one in references
        ]
        return self._keys, "\n".join(entries), frozenset()


def _in_draft(references: Sequence[Reference], file: Path) -> tuple[dict[str, str], str, frozenset[str]]:
    from texgeist_latex.reading.draft import read_draft

    draft = read_draft(file)
    registered = new_entries(draft, references, None, draft.root, document_charset(draft, draft.root))
    return registered.keys, registered.entries, registered.reused
