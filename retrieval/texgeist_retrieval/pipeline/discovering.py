"""Discovery in the search step: makes the request from a query, embeds and stores the papers found, and
explains how each paper was found."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import queue
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..cache_file import Cache, CachedValue
from ..codec import from_plain, to_plain
from ..discovery.asking import FRESH_S, ServiceWork
from ..discovery.run import discover
from ..discovery.service import MOST_TERMS, RANK_SHIFT, LiteratureService, terms
from ..errors import RetrievalError, SourceUnavailable
from ..identity import plain_title
from ..index.joined import HeldPaper, JoinedIndex
from ..ports import Embedder, Monitor
from ..ranking.storage import load_words
from ..sources.client import AGAIN
from ..text.words import STOP_WORDS, in_series, number_of, query_words, singular
from ..types import (
    CitationGraph,
    DiscoveredPaper,
    Discovery,
    DiscoveryPath,
    DiscoveryRequest,
    Paper,
    Query,
    Strand,
    Vector,
)
from ..types.papers import UNPRINTED
from .reading import RememberingEmbedder, embed_all

MOST_EMBEDDED = 64  # papers of a run; each abstract takes 0.1 to 0.3 s of processor time
MOST_KEPT = 600  # papers of a draft's library
MOST_LINKS = 20_000  # citations of a draft's library, the newest
MOST_TITLES = 16  # titles, named by a model, that are looked up
AT_ONCE = 4  # abstracts in a batch that is embedded while the services are asked
# Seconds until services that did not finish are asked again. Long enough that a user reads the section of the first run
# before a second run writes it, from the same papers; short enough that a service is asked again on the same day.
RETRY_S = 3600.0
_PAPERS = "papers"  # the library's key in its file

# How a paper was found, the strongest sign first. {n}: the number of works through which the path leads.
_WAYS = {
    "cited by": "it is cited by {n} of the works that you cite",
    "cited with": "it is cited together with {n} of the works that you cite",
    "cites": "it cites {n} of the works that you cite",
    "title": "its title was looked up",
    "recommended": "it is recommended by {service} for the works that you cite",
    "search": "it was found by {service} for your draft",
    "near": "works that {service} found for your draft cite it, or it cites them",
}
_MOST_WAYS = 3


class DraftLibrary:
    """The papers discovered for a draft, with their vectors, in a file that only the user may read. An
    unreadable file counts as empty."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = Cache(path)

    def load(self) -> Discovery:
        if not self.path.exists():
            return Discovery()
        kept = self._file.get([_PAPERS]).get(_PAPERS)
        with contextlib.suppress(ValueError, TypeError):  # the library was stored by another version
            return from_plain(Discovery, json.loads(kept.value)) if kept else Discovery()
        return Discovery()

    def last_run(self, request: str) -> CachedValue | None:
        """The last run with this key, if it need not be repeated yet: its value names the services that did not
        finish, for the user. A run that all services answered holds for 30 days, another one for `RETRY_S`."""
        kept = self._file.get([request]).get(request) if self.path.exists() else None
        return kept if kept and kept.age_s < (RETRY_S if kept.value else FRESH_S) else None

    def add(self, found: Discovery, request: str) -> Discovery:
        """Adds the papers and returns the whole library, the new papers first. `request`: the key of the
        request. Works that the draft does not cite any more are forgotten, if all services answered."""
        before = self.load()
        papers = {one.paper.id: one for one in (*found.papers, *before.papers)}
        papers |= {one.paper.id: one for one in found.papers}
        cited = {one.paper.id: one for one in (*(() if found.complete else before.cited), *found.cited)}
        links = tuple(dict.fromkeys((*found.links, *before.links)))[:MOST_LINKS]
        whole = Discovery(tuple(papers.values())[:MOST_KEPT], tuple(cited.values()), links)
        self._file.put({_PAPERS: json.dumps(to_plain(whole)), request: in_series(found.unfinished)})
        return whole


class DraftDiscovery:
    """A `Discoverer`. `opening`: opens the services that the user allowed (`names`). `embedder`: embeds the
    abstracts. `answers`: earlier answers of the services. `index`: receives the papers found."""

    def __init__(
        self,
        library: DraftLibrary,
        names: Sequence[str],
        opening: Callable[[], Sequence[LiteratureService]],
        embedder: Embedder,
        answers: Cache,
        index: JoinedIndex,
    ) -> None:
        self._library = library
        self._names = names
        self._opening = opening
        self._embedder = RememberingEmbedder(embedder, library.path)
        self._answers = answers
        self._index = index

    def hold(self, library: Discovery, monitor: Monitor) -> None:
        """Makes the papers of the library searchable. Embeds the abstracts whose vectors are not stored."""
        rows = embed_all([one.paper.abstract for one in library.papers], self._embedder, monitor)
        papers = zip(library.papers, rows, strict=True)
        graph = CitationGraph(tuple(one.paper for one in library.cited), library.links)
        self._index.hold((HeldPaper(one.paper, row, way_of(one)) for one, row in papers), graph)

    def discover(
        self, query: Query, strands: Sequence[Strand], until: str, monitor: Monitor
    ) -> tuple[str, ...]:
        """See `Discoverer`."""
        request = request_of(query, strands, until)
        key = _key(request, self._names, self._library.load())
        if last := self._library.last_run(key):
            return (_retry_note(last),) if last.value else ()
        with contextlib.ExitStack() as stack:
            services = [stack.enter_context(contextlib.closing(service)) for service in self._opening()]
            monitor.report(f"Searching {in_series(service.name for service in services)}")
            with _embedding_beside(self._embedder, query) as take:
                found = discover(request, services, self._answers, monitor, take)
        if not (found.papers or found.complete):
            raise SourceUnavailable(" ".join(("No papers were discovered.", *found.notes)), AGAIN)
        found = replace(found, papers=most_relevant(found.papers, query))
        # Embeds before storing: otherwise a cancelled run leaves papers that the next run must embed when it starts.
        abstracts = [one.paper.abstract for one in found.papers]
        embed_all(abstracts, self._embedder, monitor, "Reading the abstracts of the papers discovered")
        self.hold(self._library.add(found, key), monitor)
        return notes_of(found, services)


def most_relevant(papers: Sequence[DiscoveredPaper], query: Query) -> tuple[DiscoveredPaper, ...]:
    """The papers whose abstracts are embedded, because embedding takes most of a run's time. They are chosen by
    reciprocal rank fusion of two orders: the given one, and BM25 against the draft's title and abstract, or against
    the sentence."""
    scores = _word_scores([one.paper for one in papers], query)
    fused: defaultdict[int, float] = defaultdict(float)
    for order in (range(len(papers)), map(int, (-scores).argsort(kind="stable"))):
        for place, at in enumerate(order):
            fused[at] += 1 / (RANK_SHIFT + place)
    best = sorted(fused, key=lambda at: -fused[at])[:MOST_EMBEDDED]
    return tuple(papers[at] for at in best)


def _word_scores(papers: Sequence[Paper], query: Query) -> Vector:
    """BM25 of each paper against the draft's title and abstract, or against the sentence."""
    text = query.text if query.kind == "sentence" else f"{query.title} {query.abstract}"
    return load_words().score(query_words(text), [f"{paper.title} {paper.abstract}" for paper in papers])


def request_of(query: Query, strands: Sequence[Strand], until: str) -> DiscoveryRequest:
    """The request for a query. Its search texts are the sentence, if the query is a sentence; else the strands that
    a model named; without a model, the title, the key words and the sentences with citations."""
    titles = [work.title for strand in strands for work in strand.works if work.title]
    if query.kind == "sentence":
        texts = [query.text]
    elif strands:
        texts = [strand.query for strand in strands]
    else:
        texts = [query.title, key_words(query), *query.cited_sentences]
    public = tuple(work for work in query.cited_works if work.kind != UNPRINTED)
    return DiscoveryRequest(
        replace(query, cited_works=public),
        tuple(filter(None, map(str.strip, texts))),
        tuple(titles[:MOST_TITLES]),
        until,
    )


def key_words(query: Query) -> str:
    """The words of title, abstract and introduction that are frequent there and rare in other abstracts. Singular and
    plural count as one word, in its more frequent form."""
    known, forms = load_words(), defaultdict[str, Counter[str]](Counter)
    for word in re.findall(r"[a-z]{3,}", f"{query.title} {query.abstract} {query.introduction}".lower()):
        if word not in STOP_WORDS and singular(word) in known.counts:
            forms[singular(word)][word] += 1
    best = sorted(forms, key=lambda word: -forms[word].total() * known.idf(word))[:MOST_TERMS]
    return " ".join(forms[word].most_common(1)[0][0] for word in best)


def preview(query: Query) -> str:
    """What `discover` would send without a model, a line for each search and each cited work: the words of
    title and searches, and the cited works' ids and titles."""
    request = request_of(query, (), "")
    searches = dict.fromkeys(" ".join(terms(text, MOST_TERMS)) for text in [query.title, *request.texts])
    lines = [f"search for: {words}" for words in searches if words]
    lines += [f"cited work: {id}" for id in sorted(query.cited_ids)]
    return "\n".join([*lines, *(f"cited work: {work.title}" for work in request.query.cited_works)])


def way_of(found: DiscoveredPaper) -> str:
    """How the paper was found, a sentence for the user."""
    parts = [part for kind in _WAYS if (part := _way(kind, [p for p in found.paths if p.kind == kind]))]
    return f"Discovered: {'; '.join(parts[:_MOST_WAYS])}." if parts else ""


def _way(kind: str, paths: Sequence[DiscoveryPath]) -> str:
    if not paths:
        return ""
    works = {work for path in paths for work in path.works}
    services = in_series(dict.fromkeys(path.service for path in paths))
    return _WAYS[kind].format(n=max(len(works), 1), service=services)


def notes_of(found: Discovery, services: Sequence[LiteratureService]) -> tuple[str, ...]:
    """Notes on the cost of the run and on failed services; empty if nothing was sent and nothing failed."""
    again = (
        f"{in_series(found.unfinished)} will be asked again by a run an hour from now or later; until then, runs on this "
        "draft use these papers and send nothing."
    )
    failed = found.notes if found.complete else (*found.notes, again)
    if not found.calls:
        return failed
    calls = number_of(found.calls, "request")
    cost = f"{found.dollars:.4f}".rstrip("0").rstrip(".")
    asked = in_series(service.name for service in services)
    papers = f"{number_of(len(found.papers), 'paper')} {'was' if len(found.papers) == 1 else 'were'}"
    said = f"{papers} discovered with {calls} to {asked}, for {cost} $."
    return said, *failed


def _retry_note(last: CachedValue) -> str:
    minutes = number_of(math.ceil((RETRY_S - last.age_s) / 60), "minute")
    return (
        "Nothing was sent: the papers of the last run are used. "
        f"{last.value} did not finish then and will be asked again by a run in {minutes} or later."
    )


def _key(request: DiscoveryRequest, names: Sequence[str], library: Discovery) -> str:
    """The key of a request, equal for each run on an unchanged draft: it leaves out what a model names (strands and
    works), because this may differ each time, and citations of discovered papers, because texgeist writes these."""
    asked = request.query
    ids = {name.lower() for one in library.papers for name in (one.paper.id, f"doi:{one.paper.doi}")}
    titles = {plain_title(one.paper.title) for one in library.papers}
    of_draft = replace(
        Query("draft", (), asked.abstract, asked.title, text=asked.text),
        cited_ids=frozenset(id for id in asked.cited_ids if id.lower() not in ids),
        cited_works=tuple(work for work in asked.cited_works if plain_title(work.title) not in titles),
    )
    return hashlib.sha256(json.dumps([sorted(names), request.until, to_plain(of_draft)]).encode()).hexdigest()


@contextlib.contextmanager
def _embedding_beside(embedder: Embedder, query: Query) -> Iterator[Callable[[Iterable[ServiceWork]], None]]:
    """Embeds the abstracts of works in a thread while the services are asked, so that their vectors are stored when
    they are needed: at most half of those that are embedded in all, those with the words of the draft first."""
    texts: queue.PriorityQueue[tuple[float, str]] = queue.PriorityQueue()
    done = threading.Event()

    def embed() -> None:
        left = MOST_EMBEDDED // 2
        while left > 0 and not done.is_set():
            with contextlib.suppress(queue.Empty, RetrievalError):
                some = [texts.get(timeout=0.1)[1]]
                while len(some) < AT_ONCE and not texts.empty():
                    some.append(texts.get()[1])
                left -= len(some)
                embedder.embed_documents(some)

    def take(works: Iterable[ServiceWork]) -> None:
        papers = [work.paper for work in works if work.paper.abstract]
        for score, paper in zip(_word_scores(papers, query), papers, strict=True):
            texts.put((-float(score), paper.abstract))

    thread = threading.Thread(target=embed, name="texgeist-abstracts", daemon=True)
    thread.start()
    try:
        yield take
    finally:
        done.set()
        thread.join()
