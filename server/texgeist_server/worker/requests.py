"""What the worker is asked about the library and about a project on disk; what is asked of the recipes stands in
`sections.requests`."""

from __future__ import annotations

from dataclasses import dataclass

from texgeist_retrieval.types import CitedPaper, Description

from ..bibliography_checks.places import Find, Identified
from ..sections.closest import Closest
from ..sections.requests import Request


@dataclass(frozen=True, slots=True)
class SavedProject:
    """A project as it is on disk: its root document, and the workspace folder, "" for none."""

    root: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class EntryChecks(Request[tuple[Find, ...]]):
    """What `texgeist verify` finds in the project."""

    project: SavedProject


@dataclass(frozen=True, slots=True)
class SentenceChecks(Request[tuple[Find, ...]]):
    """Sentences that the papers which they cite do not support, in the judgement of the user's model."""

    project: SavedProject
    generated_alone: bool = False


@dataclass(frozen=True, slots=True)
class WeakerSentence(Request[str]):
    """The sentence `text` of `file`, reworded by the model so that it claims no more than its sources; LaTeX."""

    project: SavedProject
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class NearestUncitedPaper(Request[Closest | None]):
    """The nearest paper of the index on this machine that the project does not cite."""

    project: SavedProject


@dataclass(frozen=True, slots=True)
class Abstracts(Request[dict[str, str]]):
    """Abstracts of papers in the index on this machine, by id."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedPaper:
    id: str
    title: str
    authors: str  # as in a bibliography
    year: str


@dataclass(frozen=True, slots=True)
class PaperList(Request[tuple[ListedPaper, ...]]):
    """The papers of the index on this machine; none of an index with more than can be listed while somebody types."""


@dataclass(frozen=True, slots=True)
class Descriptions(Request[dict[str, tuple[Description, ...]]]):
    """Sentences of full papers in the index on these papers, by the names under which they are asked for."""

    papers: dict[str, CitedPaper]


@dataclass(frozen=True, slots=True)
class PaperById(Request[Identified]):
    """The paper that a pasted DOI, arXiv id or address means."""

    text: str


@dataclass(frozen=True, slots=True)
class FetchModel(Request[str]):
    """Puts the embedding model on this machine; answers with its folder."""


@dataclass(frozen=True, slots=True)
class SyncLibrary(Request[str]):
    """Brings the library up to date; answers with what was done, in words."""

    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddToLibrary(Request[str]):
    """Puts the papers of these files into the user's library; answers with what was done, in words."""

    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ping(Request[int]):
    """Answers with the worker's process id."""
