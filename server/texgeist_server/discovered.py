"""Opens the index to search, joined with the papers discovered for a draft, and the literature services that
discovery asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import LibraryMissing
from texgeist_retrieval.types import SERVICES, Discovery, ServiceName

from .config import storage
from .index_places import Place, library_place, open_place

if TYPE_CHECKING:
    from texgeist_retrieval.discovery.service import LiteratureService
    from texgeist_retrieval.ports import Discoverer, Embedder, PaperIndex

    from .config.credentials import Keys
    from .config.settings import Settings

SENT_TO_DISCOVER = (
    "the title of your draft, its key words and two sentences with citations (or the topics and works that "
    "your language model names for it), the sentence that you want to cite for, and ids and titles of the works "
    "that you cite"
)


def open_joined(
    settings: Settings, keys: Keys, place: Place, project: str, discover: bool, embedder: Embedder
) -> tuple[PaperIndex, Discoverer | None]:
    """The index at `place`, joined with the papers discovered for the draft `project`, and the
    discovery that adds papers, if `discover` is true and the settings allow discovery. If papers were discovered, or
    may be discovered, the user's own library may be missing."""
    from texgeist_retrieval.discovery.asking import open_cache
    from texgeist_retrieval.index.joined import JoinedIndex
    from texgeist_retrieval.monitor import Silent
    from texgeist_retrieval.pipeline.discovering import DraftDiscovery, DraftLibrary

    library = DraftLibrary(storage.discovered(project))
    known = library.load() if project else Discovery()
    names = settings.index.discover if project and discover else ()
    if not names and not known.papers:
        return open_place(settings, place), None
    try:
        own = open_place(settings, place)
    except LibraryMissing:
        own = None
    joined = JoinedIndex(own, embedder.name, embedder.dimension)
    answers = open_cache(storage.cache_folder() / "literature.sqlite")
    opening = partial(literature_services, names, keys)
    discovery = DraftDiscovery(library, names, opening, embedder, answers, joined)
    discovery.hold(known, Silent())
    return joined, discovery if names else None


def draft_here(place: Place) -> tuple[str, int]:
    """If the user has no library: the draft in the current folder with the most discovered papers (see
    `Query.project`), and their number. Otherwise ("", 0)."""
    from texgeist_retrieval.pipeline.discovering import DraftLibrary

    roots = Path().absolute().glob("*.tex") if place == library_place() and not place.on_this_disk else ()
    counts = {str(root): len(DraftLibrary(storage.discovered(str(root))).load().papers) for root in roots}
    return max(counts.items(), key=itemgetter(1), default=("", 0))


def discovery_services(settings: Settings) -> str:
    """The names of the services that discovery asks, for the user; "" if it is off."""
    return ", ".join(SERVICES[name] for name in settings.index.discover)


def literature_services(names: Sequence[ServiceName], keys: Keys) -> list[LiteratureService]:
    from texgeist_retrieval.discovery.services import open_service

    return [open_service(name, storage.service_address(name), keys.of(name)) for name in names]
