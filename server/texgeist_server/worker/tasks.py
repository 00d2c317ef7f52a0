"""What a worker can do: one function a task, plain JSON in and out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import EvidenceRun, Query

from ..config.credentials import Keys
from ..errors import SearchGone
from .saved_project import Plain, check_entries, saved_draft, settings_of

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from .choice import Held, Shelf, Wanted

MOST_LISTED = 20_000  # papers of a library


def run(given: Plain, monitor: Monitor) -> Plain:
    """A recipe: `{recipe, query, index?, writer?, options?, run?}` to a `Result`."""
    from ..sections import runs

    request = runs.Request(
        given["recipe"],
        from_plain(Query, given["query"]),
        given.get("index"),
        given.get("writer", "auto"),
        given.get("options", {}),
        from_plain(EvidenceRun, given.get("run")),
    )
    result = runs.run(request, settings_of(given), Keys(**given["keys"]), monitor)
    return _plain(result)


def gather(given: Plain, monitor: Monitor) -> Plain:
    """Evidence for a section: `{query}` to an `EvidenceRun`."""
    from ..sections import section_runs

    query, settings = from_plain(Query, given["query"]), settings_of(given)
    return _plain(section_runs.gather(query, settings, Keys(**given["keys"]), monitor))


def both_sides(given: Plain, monitor: Monitor) -> Plain:
    """What speaks for and against: `{statement}` to `Sides`."""
    from ..sections import side_runs

    keys = Keys(**given["keys"])
    return _plain(side_runs.both_sides(given["statement"], settings_of(given), keys, monitor))


def look_up(given: Plain, monitor: Monitor) -> Plain:
    """What the index on this machine says of papers: `{ids}` to `{papers: {id: abstract}}`."""
    from ..index_places import index_place, open_as_it_is

    settings = settings_of(given)
    index = open_as_it_is(settings, index_place(settings, Keys()))
    try:
        found = index.get(given["ids"])
    finally:
        index.close()
    return {"papers": {id: paper.abstract for id, (paper, _) in found.items()}}


def list_papers(given: Plain, monitor: Monitor) -> Plain:
    """The papers of the index on this machine: `{}` to `{papers: [[id, title, authors, year]]}`, names as in a
    bibliography; none of one with more than anybody would have listed while typing."""
    from ..index_places import index_place, open_as_it_is

    settings = settings_of(given)
    index = open_as_it_is(settings, index_place(settings, Keys()))
    try:
        status = index.status()
        if not status.metadata or status.papers > MOST_LISTED:
            return {"papers": []}
        titled = [paper for paper in index.papers() if paper.title]
    finally:
        index.close()
    return {"papers": [[p.id, p.title, " and ".join(p.authors), str(p.year or "")] for p in titled]}


def describe(given: Plain, monitor: Monitor) -> Plain:
    """Sentences of other full papers on cited ones: `{works: {name: {title, authors, year}}}` to
    `{said: {name: [{text, by, heading, page}]}}`."""
    from dataclasses import asdict

    from texgeist_retrieval.evidence.describing import Work
    from texgeist_retrieval.evidence.describing import describe as said_of
    from texgeist_retrieval.index import snapshot

    from ..index_places import index_place
    from ..passage_library import last_snapshot

    settings = settings_of(given)
    found = snapshot.load(last_snapshot(settings, index_place(settings, Keys())))
    said: dict[str, list[Plain]] = {}
    if found is None:
        return {"said": said}
    for name, work in given["works"].items():
        monitor.check()
        told = said_of(found, Work(work["title"], tuple(work["authors"]), work["year"]))
        said[name] = [asdict(one) for one in told]
    return {"said": said}


def closest_work(given: Plain, monitor: Monitor) -> Plain:
    """The nearest paper that a project as it is on disk does not cite: `{root, folder}` to `{closest}`."""
    from ..sections.closest import find_closest
    from ..sections.queries import NothingToAsk

    settings = settings_of(given)
    try:
        found = find_closest(saved_draft(given, settings), settings, monitor)
    except NothingToAsk:
        found = None
    return {"closest": _plain(found) if found else None}


def identify(given: Plain, monitor: Monitor) -> Plain:
    """The paper that an id means: `{text}` to `{reference, source, notes}`."""
    from ..bibliography_checks.identified import identify as identified

    return _plain(identified(str(given["text"]), settings_of(given), False, monitor))


def judge_sentences(given: Plain, monitor: Monitor) -> Plain:
    """Sentences of a project as it is on disk that what they cite does not bear out, in the judgement of the
    user's model: `{root, folder, generated}` to `{finds}`."""
    from ..adapters import build_model, writer_name
    from ..bibliography_checks.in_editor import sentence_finds
    from .judging import judged_sentences

    settings, keys = settings_of(given), Keys(**given["keys"])
    model = build_model(settings, keys, writer_name(settings, keys)[0])
    if model is None:
        return {"finds": []}
    draft = saved_draft(given, settings)
    found, _ = judged_sentences(draft, settings, model, monitor, given["generated"])
    return {"finds": sentence_finds(draft, found)}


def weaken_sentence(given: Plain, monitor: Monitor) -> Plain:
    """Rewords the sentence that is `text` of `file` so that it claims no more than its sources: `{root, folder,
    file, text}` to `{text}`. The project as it is on disk."""
    from texgeist_latex.errors import Unfit
    from texgeist_latex.reading.cited_sentences import cited_sentences

    from ..adapters import build_model, writer_name
    from .judging import weakened

    settings, keys = settings_of(given), Keys(**given["keys"])
    model = build_model(settings, keys, writer_name(settings, keys)[0])
    if model is None:
        raise Unfit("No model is chosen, and without one no sentence is reworded.", "Choose writer.provider.")
    draft = saved_draft(given, settings)
    for sentence in cited_sentences(draft):
        span = sentence.span
        if (
            str(span.file) == given["file"]
            and draft.sources[span.file].text[span.start : span.end] == given["text"]
        ):
            return {"text": weakened(draft, sentence, settings, model, monitor)}
    raise Unfit("The sentence is not in the document as it was saved.", "Save it, and try again.")


def fetch_model(given: Plain, monitor: Monitor) -> Plain:
    """Puts the embedding model on this machine."""
    from texgeist_retrieval.embedding.fetch import fetch_model as fetch

    from ..config import storage
    from ..config.user_file import data_of

    folder = storage.model_folder(data_of(settings_of(given)))
    fetch(folder, monitor)
    return {"folder": str(folder)}


def sync(given: Plain, monitor: Monitor) -> Plain:
    """Brings the library up to date: `{categories}` to `{said}`."""
    from ..library import syncing

    categories = tuple(given.get("categories", ()))
    return {"said": syncing.sync(settings_of(given), Keys(**given["keys"]), categories, monitor)}


def add(given: Plain, monitor: Monitor) -> Plain:
    """Puts the papers of files into the user's library: `{sources}` to `{said}`."""
    from ..library import syncing

    settings, keys = settings_of(given), Keys(**given["keys"])
    told = [syncing.take_in(source, settings, keys, monitor, since="") for source in given["sources"]]
    return {"said": "; ".join(map(syncing.sentence, told))}


def hold(given: Plain, monitor: Monitor) -> Plain:
    """Searches for review: `{query, first, wanted}` to the papers that the `first` numbers find, and the choice."""
    from ..adapters import build_services
    from . import choice

    settings = settings_of(given)
    services = build_services(settings, Keys(**given["keys"]))
    try:
        query, first = from_plain(Query, given["query"]), _wanted(given["first"])
        held = choice.hold(query, services, settings, first, monitor)
    finally:
        services.index.close()
    _shelf().put(held)
    return choice.as_shown(held, _wanted(given["wanted"]))


def choose(given: Plain, monitor: Monitor) -> Plain:
    """Chooses anew from a search that is held: `{search, wanted}`."""
    from . import choice

    return choice.as_shown(_held(given), _wanted(given["wanted"]))


def write_chosen(given: Plain, monitor: Monitor) -> Plain:
    """Has the section written from what is chosen: `{search, wanted}` to a `Result`."""
    from . import choice

    return _plain(choice.write_chosen(_held(given), _wanted(given["wanted"]), monitor))


def _plain(value: object) -> Plain:
    plain: Plain = to_plain(value)
    return plain


@cache
def _shelf() -> Shelf:
    from .choice import Shelf

    return Shelf()


def _held(given: Plain) -> Held:
    if (held := _shelf().get(given["search"])) is None:
        raise SearchGone("The search is not in memory any more.", "Go back to the page: it is made again.")
    return held


def _wanted(chosen: Plain) -> Wanted:
    from .choice import Wanted

    lists = {name: tuple(chosen.get(name, ())) for name in ("pinned", "excluded")}
    return Wanted(**{**chosen, **lists})


def ping(given: Plain, monitor: Monitor) -> Plain:
    """Says that the worker is there, and its process id."""
    import os

    return {"pid": os.getpid()}


TASKS: dict[str, Callable[[Plain, Any], Plain]] = {
    "run": run,
    "gather": gather,
    "both_sides": both_sides,
    "fetch_model": fetch_model,
    "look_up": look_up,
    "list_papers": list_papers,
    "describe": describe,
    "check_entries": check_entries,
    "closest_work": closest_work,
    "identify": identify,
    "judge_sentences": judge_sentences,
    "weaken_sentence": weaken_sentence,
    "sync": sync,
    "add": add,
    "hold": hold,
    "choose": choose,
    "write_chosen": write_chosen,
    "ping": ping,
}
