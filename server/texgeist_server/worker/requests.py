"""Requests to the worker about the library and about a project on disk. Those for writing are in
`sections.requests`."""

from __future__ import annotations

from dataclasses import dataclass

from texgeist_latex.types import FieldCorrection
from texgeist_retrieval.types import Query

from ..bibliography_checks.places import Find, Identified
from ..sections.requests import Request


@dataclass(frozen=True, slots=True)
class SavedProject:
    """A project on disk: its root document, and the workspace folder ("" if none)."""

    root: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class EntryChecks(Request[tuple[Find, ...]]):
    """The findings of `texgeist verify` for the project."""

    project: SavedProject


@dataclass(frozen=True, slots=True)
class VerifiedProject:
    """`report`: as Markdown; `summary`: the number of entries with each verdict; `corrections`: by entry key."""

    report: str
    summary: str
    corrections: dict[str, tuple[FieldCorrection, ...]]


@dataclass(frozen=True, slots=True)
class ProjectReport(Request[VerifiedProject]):
    """The report of `texgeist verify` on the project."""

    project: SavedProject


@dataclass(frozen=True, slots=True)
class SentenceChecks(Request[tuple[Find, ...]]):
    """Sentences that the user's model judges unsupported by the papers they cite."""

    project: SavedProject
    generated_alone: bool = False


@dataclass(frozen=True, slots=True)
class WeakerSentence(Request[str]):
    """The sentence `text` of `file` as LaTeX, reworded by the model so that it claims no more than its
    sources."""

    project: SavedProject
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Abstracts(Request[dict[str, str]]):
    """Abstracts of papers in the local index, and of discovered papers, by id."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedPaper:
    id: str
    title: str
    authors: str  # in the format of a BibTeX author field
    year: str


@dataclass(frozen=True, slots=True)
class PaperList(Request[tuple[ListedPaper, ...]]):
    """The papers of the local index, unless they are too many to list while the user types; and discovered
    papers."""


@dataclass(frozen=True, slots=True)
class PaperById(Request[Identified]):
    """The paper with this DOI, arXiv id or address."""

    text: str


@dataclass(frozen=True, slots=True)
class FetchModel(Request[str]):
    """Downloads the embedding model. Returns its folder."""


@dataclass(frozen=True, slots=True)
class SyncLibrary(Request[str]):
    """Updates the library. Returns a message about what was done."""

    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddToLibrary(Request[str]):
    """Adds the papers of these files to the user's library. Returns a message about what was done."""

    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiscoverPapers(Request[str]):
    """Discovers papers for a draft; the user has agreed to what is sent. Returns a message about what was
    done."""

    query: Query


@dataclass(frozen=True, slots=True)
class EmbedPassages(Request[str]):
    """Embeds the passages that have no vector yet. Returns a message about what was done, "" if the embedding
    model is missing."""


@dataclass(frozen=True, slots=True)
class Ping(Request[int]):
    """Returns the worker's process id."""
