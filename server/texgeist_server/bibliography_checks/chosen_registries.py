"""The registries that the user lets be asked, as their settings name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from texgeist_latex.types import BibEntry
from texgeist_retrieval.addresses import is_loopback

from ..config import storage
from ..config.sites import arxiv_address, arxiv_pause, crossref_address, openalex_address
from ..config.user_file import data_of
from .registries import LookedUp, look_up

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.client import Site, SourceClient
    from texgeist_retrieval.sources.registered import Registry

    from ..config.settings import Settings

ALL = ("crossref", "arxiv", "openalex")  # in the order in which they are asked: OpenAlex counts searches


def ask_registries(
    entries: Sequence[BibEntry],
    settings: Settings,
    online: bool,
    monitor: Monitor,
    *,
    for_abstracts: bool = False,
) -> LookedUp:
    """What they know of the entries; nobody is asked unless the settings name somebody or `online`: then abstracts
    come from what was kept, and nothing else does. Raises `Cancelled`."""
    chosen = settings.papers.registries or (ALL if online else ())
    kept = storage.cache_folder(data_of(settings)) / "registries.sqlite"
    kept_alone = for_abstracts and not chosen
    if not entries or (not chosen and not (kept_alone and kept.is_file())):
        return LookedUp(())
    from texgeist_retrieval.sources.registered import RegisteredStore

    registries = [open_registry(name) for name in ALL if kept_alone or name in chosen]
    store = RegisteredStore(kept)
    try:
        return look_up(
            entries, registries, store, monitor, for_abstracts=for_abstracts, kept_alone=kept_alone
        )
    finally:
        for registry in registries:
            registry.close()


def open_registry(name: str) -> Registry:
    from texgeist_retrieval.sources import arxiv, crossref, openalex

    if name == "arxiv":
        address = arxiv_address()
        return arxiv.ArxivWorks(client_of(arxiv.REGISTRY, address, arxiv_pause()), address)
    if name == "crossref":
        address = crossref_address()
        return crossref.CrossrefWorks(client_of(crossref.SITE, address, crossref.PAUSE_S), address)
    address = openalex_address()
    return openalex.OpenAlexWorks(client_of(openalex.SITE, address, openalex.PAUSE_S), address)


def client_of(site: Site, address: str, pause: float) -> SourceClient:
    """A server on this machine is one's own, and needs no pauses."""
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.pacing import Pacing, queue_of

    seconds = 0.0 if is_loopback(address) else pause
    return SourceClient(site, Pacing(seconds, queue_of(address, site.domains)))
