"""The only access to the registries (Crossref, arXiv, OpenAlex).

Only DOIs, arXiv ids and titles of entries are sent, and no titles of unpublished works. Answers are cached on
disk, so that later runs ask only about new entries. If a registry does not answer, cached answers of any age
are used, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from texgeist_latex.bib.identity import arxiv_id_of, doi_of, normalise_title
from texgeist_latex.bib.venues import venue_field
from texgeist_latex.entry_checks.entries import covered, is_unprinted
from texgeist_latex.entry_checks.findings import Facts
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.tex.plaintext import plain
from texgeist_latex.types import BibEntry
from texgeist_retrieval.addresses import is_loopback
from texgeist_retrieval.errors import SourceError
from texgeist_retrieval.sources.registered import FORMULA, Registered, Registry, batches, words_of
from texgeist_retrieval.text.words import number_of

from ..config import storage
from ..config.credentials import keys_from_environment
from ..config.storage import arxiv_pause, service_address
from .known_records import record_of

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.client import Site, SourceClient
    from texgeist_retrieval.sources.registered import RegisteredStore, Registry

    from ..config.settings import Settings

LONGEST_TITLE = 300  # characters sent
_FORMULAS = re.compile(r"[^\s$]*(?:(?<!\\)\$[^$]+\$|\\\(.+?\\\)|\\ensuremath\s*\{[^{}]*\})[^\s$]*")
_PART, _PARTS = 20, 10  # entries of a part, at least; number of parts


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The records of each registry, notes for the user on ids and titles that could not be looked up, and
    abstracts by record key. `unanswered`: registries were asked, and none answered."""

    sources: tuple[Records, ...]
    notes: tuple[str, ...] = ()
    abstracts: Mapping[str, str] = field(default_factory=dict)
    unanswered: bool = False


def look_up(
    entries: Sequence[BibEntry],
    registries: Sequence[Registry],
    store: RegisteredStore,
    monitor: Monitor,
    *,
    for_abstracts: bool = False,
    kept_alone: bool = False,
) -> LookedUp:
    """Looks up all ids first, then the titles of entries that are not settled (see `_settled`).
    `for_abstracts`: an entry without an abstract is not settled. `kept_alone`: use only cached answers.
    Raises `Cancelled`."""
    asking = [_Asking(registry, store, monitor, kept_alone) for registry in registries]
    arxiv = [id for entry in entries if (id := arxiv_id_of(entry))]
    dois = [doi for entry in entries if (doi := doi_of(entry))]
    by_doi = [one for one in asking if one.registry.by_id == "doi"]
    _side_by_side(partial(one.ids, dois if one in by_doi else arxiv) for one in asking)
    became = {work.published for one in asking for work in one.found.values() if work.published}
    _side_by_side(partial(one.ids, sorted(became)) for one in by_doi)
    wanted = [entry for entry in entries if covered(entry) and sendable(entry)]
    _ask_titles(asking, wanted, for_abstracts, monitor)
    keys = frozenset(entry.key for entry in wanted)
    sources = tuple(one.records(keys - one.unanswered) for one in asking if one.found or not kept_alone)
    notes = tuple(note for one in asking if (note := one.note()))
    return LookedUp(sources, notes, _abstracts(asking), bool(notes) and not any(a.answered for a in asking))


def _ask_titles(
    asking: Sequence[_Asking], wanted: Sequence[BibEntry], for_abstracts: bool, monitor: Monitor
) -> None:
    """Asks each registry about the entries that earlier registries did not settle. The entries are divided
    into parts, so that the registries are asked in parallel, each about another part."""
    size = max(_PART, len(wanted) // _PARTS)
    parts = [wanted[at : at + size] for at in range(0, len(wanted), size)]
    steps = len(parts) + len(asking) - 1
    for step in range(steps):
        monitor.report(f"Asking about {number_of(len(wanted), 'entry')}", step, steps)
        known, have = [one.records() for one in asking], _abstracts(asking) if for_abstracts else None
        tasks = []
        for at, one in enumerate(asking):
            part = parts[step - at] if 0 <= step - at < len(parts) else ()
            tasks.append(
                partial(one.titles, [e for e in part if not _settled(e, known, one.registry.by_id, have)])
            )
        _side_by_side(tasks)


def _side_by_side(tasks: Iterable[Callable[[], None]]) -> None:
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(task) for task in tasks]:
            done.result()


def _abstracts(asking: Sequence[_Asking]) -> dict[str, str]:
    """Abstracts by paper id, each from the first registry that has it."""
    works = (work for one in reversed(asking) for work in one.found.values())
    return {work.paper.id: work.paper.abstract for work in works if work.paper.abstract}


def sendable(entry: BibEntry) -> str:
    """The title to send; "" if the work is confidential, such as a manuscript under review. `FORMULA` replaces each
    word with a formula, because registries write formulas in many ways, if other words are left."""
    if is_unprinted(entry):
        return ""
    given = entry.fields.get("title", "")[: 3 * LONGEST_TITLE]  # markup takes more characters than it shows
    title = re.sub(r"(?<!\\)%", r"\%", re.sub(r"(?<=[A-Z])\}\{", "", given))
    words = " ".join(plain(_FORMULAS.sub(f" {FORMULA} ", title)).split())
    words = words if len(words_of(words)) > 1 else " ".join(plain(title).split())
    return words if len(words) <= LONGEST_TITLE else words[:LONGEST_TITLE].rpartition(" ")[0]


def _settled(
    entry: BibEntry, known: Sequence[Records], by_id: str, abstracts: Mapping[str, str] | None = None
) -> bool:
    """Whether another search by title is unnecessary: a published record is known or, if the registry to ask
    is arXiv, any record; if `abstracts` are wanted, a record with an abstract."""
    same = _same(entry, known)
    if abstracts is not None:
        return any(abstracts.get(record.key) for record in same)
    return bool(same) if by_id == "arxiv" else any(venue_field(record) for record in same)


def _same(entry: BibEntry, known: Sequence[Records]) -> list[BibEntry]:
    title = normalise_title(entry.fields.get("title", ""))
    return [
        record
        for source in known
        for record in source.find(entry)
        if normalise_title(record.fields.get("title", "")) == title
    ]


class _Asking:
    def __init__(
        self, registry: Registry, store: RegisteredStore, monitor: Monitor, kept_alone: bool = False
    ) -> None:
        self.registry = registry
        self._kept_alone = kept_alone
        self.found: dict[str, Registered] = {}
        self.unanswered: set[str] = set()  # keys of entries
        self.answered = False
        self._store = store
        self._monitor = monitor
        self._failure = ""
        self._missed = 0

    def ids(self, ids: Iterable[str]) -> None:
        registry = self.registry

        def ask(some: Sequence[str]) -> Mapping[str, list[Registered]]:
            return {id: [work] for id, work in registry.with_ids(some, self._monitor).items()}

        self._ask(list(dict.fromkeys(ids)), registry.by_id, registry.ids_at_once, ask)

    def titles(self, entries: Sequence[BibEntry]) -> None:
        keys: dict[str, list[str]] = {}
        for entry in entries:
            keys.setdefault(sendable(entry), []).append(entry.key)
        ask = partial(self.registry.titled, monitor=self._monitor)
        for title in self._ask(list(keys), "title", self.registry.titles_at_once, ask):
            self.unanswered.update(keys[title])

    def records(self, asked: frozenset[str] = frozenset()) -> Records:
        entries = [record_of(work.paper, work) for work in self.found.values()]
        facts = {work.paper.id: facts_of(work) for work in self.found.values()}
        if self._kept_alone:
            name = f"{self.registry.name} (asked earlier)"
            return Records(entries, name, facts, complete=False, never_asked=self.unanswered)
        return Records(entries, self.registry.name, facts, asked)

    def note(self) -> str:
        if not self._failure:
            return ""
        missed = "1 id or title was" if self._missed == 1 else f"{self._missed} ids and titles were"
        return (
            f"{missed} not looked up in {self.registry.name}: {self._failure} "
            "If you repeat the command later, only these are asked for again."
        )

    def _ask(
        self,
        asked: Sequence[str],
        kind: str,
        at_once: int,
        ask: Callable[[Sequence[str]], Mapping[str, list[Registered]]],
    ) -> list[str]:
        """Asks the registry about the items that are not in the cache. Returns the items for which there is
        no answer at all, not even an outdated one in the cache."""
        names = {one: f"{self.registry.name} {kind} {one}" for one in asked}
        kept = self._store.get(list(names.values()))
        missing = [one for one in asked if names[one] not in kept]
        for some in batches(missing, at_once):
            if self._failure or self._kept_alone:
                break
            try:
                answer = ask(some)
            except SourceError as error:
                self._failure = error.sentence()
                break
            self.answered = True
            new = {names[one]: answer.get(one, []) for one in some}
            self._store.put(new)
            kept |= new
        left = [one for one in missing if names[one] not in kept]
        self._missed += len(left)
        kept |= self._store.get([names[one] for one in left], whatever_age=True)
        works = {work.paper.id: work for works in kept.values() for work in works}
        self.found = (
            works | self.found
        )  # a work looked up by its id has notices that a search does not return
        return [one for one in left if names[one] not in kept]


def facts_of(work: Registered) -> Facts:
    return Facts(work.years, work.notices, work.published, work.newest)


ALL = ("crossref", "arxiv", "openalex")  # in the order of asking; OpenAlex limits searches


def ask_registries(
    entries: Sequence[BibEntry],
    settings: Settings,
    online: bool,
    monitor: Monitor,
    *,
    for_abstracts: bool = False,
) -> LookedUp:
    """Asks the configured registries about the entries; if none is configured, asks all of them if `online`.
    If no registry may be asked, cached answers are used, and a missing paper proves nothing. Raises
    `Cancelled`."""
    chosen = settings.papers.registries or (ALL if online else ())
    kept = storage.cache_folder() / "registries.sqlite"
    kept_alone = not chosen
    if not entries or (kept_alone and not kept.is_file()):
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

    address = service_address(name)
    if name == "arxiv":
        return arxiv.ArxivWorks(client_of(arxiv.REGISTRY, address, arxiv_pause()), address)
    if name == "crossref":
        return crossref.CrossrefWorks(client_of(crossref.SITE, address, crossref.PAUSE_S), address)
    works = openalex.OpenAlexWorks(client_of(openalex.REGISTRY, address, openalex.PAUSE_S), address)
    works.key = keys_from_environment().of("openalex")
    return works


def client_of(site: Site, address: str, pause: float) -> SourceClient:
    """A client for a registry, without pauses for a server on this machine."""
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.pacing import Pacing, queue_of

    seconds = 0.0 if is_loopback(address) else pause
    return SourceClient(site, Pacing(seconds, queue_of(address, site.domains)))
