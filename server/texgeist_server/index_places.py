"""The index to search, from an option or the settings, and how it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.addresses import is_loopback
from texgeist_retrieval.errors import IndexMissing, LibraryMissing
from texgeist_retrieval.paths import expanded

from .config import storage
from .config.credentials import Keys
from .embedders import made_by

if TYPE_CHECKING:
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.types import Paper

    from .config.settings import Settings

CITEGEIST = ("http://49.12.219.90:19530", "citegeist:citegeist")  # as published by its authors


@dataclass(frozen=True, slots=True)
class Place:
    """The address of an index. `remote`: whether a search sends the query's vector to another machine."""

    location: str
    token: str
    remote: bool

    @property
    def on_this_disk(self) -> bool:
        """Whether the index is an existing local file, so that reading it sends nothing and creates no
        file."""
        return not self.remote and "://" not in self.location and Path(self.location).exists()


def index_place(settings: Settings, keys: Keys, option: str | None = None) -> Place:
    """The index that `option` names or, without `option`, the index of the settings."""
    named = option or settings.index.location
    if named == "library":
        return library_place()
    if named == "citegeist":
        return Place(CITEGEIST[0], keys.index or CITEGEIST[1], True)
    if "://" in named:
        return Place(named, keys.index, not is_loopback(named))
    return Place(str(expanded(named).resolve()), "", False)


def library_place() -> Place:
    return Place(str(storage.library()), "", False)


def open_place(settings: Settings, place: Place) -> MilvusIndex:
    """Opens an index for searching. Raises `IndexMismatch` if another model made it, and `LibraryMissing` if
    it is the user's library and holds no paper."""
    model, dimension = made_by(settings)
    opened = _opened(settings, place, model=model, dimension=dimension)
    if place == library_place() and not opened.count():
        opened.close()
        raise LibraryMissing("Your library is empty.")
    return opened


def open_as_it_is(settings: Settings, place: Place) -> MilvusIndex:
    """Opens an index to inspect it, whichever model made it."""
    return _opened(settings, place, model="")


def _opened(settings: Settings, place: Place, **made_by: Any) -> MilvusIndex:
    """Raises `LibraryMissing` in place of `IndexMissing` if the user's own library does not exist."""
    from texgeist_retrieval.index import open_index

    try:
        return open_index(place.location, token=place.token, collection=settings.index.collection, **made_by)
    except IndexMissing as error:
        if place == library_place() and not place.on_this_disk:
            raise LibraryMissing(str(error), error.help) from error
        raise


MOST_DRAFTS = 20  # drafts whose discovered papers are offered: the latest that were searched for


def discovered_papers() -> dict[str, Paper]:
    """The papers that were discovered for the latest drafts, by id."""
    from texgeist_retrieval.pipeline.discovering import DraftLibrary

    files = sorted(storage.discoveries().glob("*.sqlite"), key=lambda file: file.stat().st_mtime)
    return {
        one.paper.id: one.paper for file in files[-MOST_DRAFTS:] for one in DraftLibrary(file).load().papers
    }


def can_be_read(place: Place) -> bool:
    """Whether papers can be looked up without sending anything: in an index on this disk, or among discovered
    papers."""
    return place.on_this_disk or storage.discoveries().is_dir()


def named(location: str) -> str:
    """A name of the index for messages and for the shared record. It contains no path of this machine."""
    if "://" in location or not location:
        return location
    return "your own library" if Path(location).name == "library.db" else Path(location).name
