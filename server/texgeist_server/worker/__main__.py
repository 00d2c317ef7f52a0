"""The worker process, `python -P -m texgeist_server.worker`, with its tasks: for each request class a function that
returns its answer. It ends when its standard input ends."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from texgeist_latex.errors import LatexError
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.identity import title_name
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.text.words import number_of

from ..adapters import Setup, setup_of
from ..config.credentials import Keys
from ..config.settings import Settings
from ..errors import ServerError
from ..sections import requests, runs
from ..sections.requests import Request
from . import choice
from .project_checks import check_entries, check_sentences, verify_project, weaken_sentence

if TYPE_CHECKING:
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.types import Paper

    from ..bibliography_checks.places import Identified

T = TypeVar("T")
MOST_LISTED = 20_000  # papers of a library


def abstracts(request: requests.Abstracts, setup: Setup, monitor: Monitor) -> dict[str, str]:
    from ..index_places import discovered_papers

    papers = list(discovered_papers().values())
    titles = {name for name in request.names if " / " in name}
    ids = set(request.names) - titles
    papers += _read_index(setup, lambda index: [paper for paper, _ in index.get(sorted(ids)).values()]) or []
    if titles:
        papers += _read_index(setup, _few_papers) or []
    papers = [paper for paper in papers if paper.abstract]
    found = {paper.id: paper.abstract for paper in papers if paper.id in ids}
    named = ((title_name(paper.title, paper.authors), paper.abstract) for paper in papers)
    return found | {name: abstract for name, abstract in named if name in titles}


def list_papers(
    request: requests.PaperList, setup: Setup, monitor: Monitor
) -> tuple[requests.ListedPaper, ...]:
    from ..index_places import discovered_papers

    papers = discovered_papers()
    papers |= {paper.id: paper for paper in _read_index(setup, _few_papers) or ()}
    return tuple(
        requests.ListedPaper(p.id, p.title, " and ".join(p.authors), str(p.year or ""))
        for p in papers.values()
        if p.title
    )


def _few_papers(index: MilvusIndex) -> list[Paper]:
    status = index.status()
    return list(index.papers()) if status.metadata and status.papers <= MOST_LISTED else []


def _read_index(setup: Setup, read: Callable[[MilvusIndex], T]) -> T | None:
    """What `read` returns for the index, if it is on this disk; else None."""
    from ..index_places import open_as_it_is

    if not setup.place.on_this_disk:
        return None
    with contextlib.closing(open_as_it_is(setup.settings, setup.place)) as index:
        return read(index)


def identify(request: requests.PaperById, setup: Setup, monitor: Monitor) -> Identified:
    from ..bibliography_checks.lookups import identify as identified

    return identified(request.text, setup.settings, False, monitor)


def fetch_model(request: requests.FetchModel, setup: Setup, monitor: Monitor) -> str:
    from texgeist_retrieval.embedding.fetch import fetch_model as fetch

    from ..config import storage

    folder = storage.model_folder()
    fetch(folder, monitor)
    return str(folder)


def sync(request: requests.SyncLibrary, setup: Setup, monitor: Monitor) -> str:
    from ..library import syncing

    return syncing.sync(setup.settings, setup.keys, request.categories, monitor)


def add(request: requests.AddToLibrary, setup: Setup, monitor: Monitor) -> str:
    from ..library import syncing

    done = [
        syncing.take_in(source, setup.settings, setup.keys, monitor, syncing.Intake(since=""))
        for source in request.sources
    ]
    return "; ".join(map(syncing.sentence, done))


def discover(request: requests.DiscoverPapers, setup: Setup, monitor: Monitor) -> str:
    return runs.discover(request.query, setup, monitor)


def embed(request: requests.EmbedPassages, setup: Setup, monitor: Monitor) -> str:
    from texgeist_retrieval.errors import ModelMissing

    from ..passage_library import embed_passages

    try:
        return f"{number_of(embed_passages(setup.settings, setup.place, monitor), 'passage')} embedded."
    except ModelMissing:
        return ""


def ping(request: requests.Ping, setup: Setup, monitor: Monitor) -> int:
    return os.getpid()


TASKS: Mapping[type[requests.Request[Any]], Callable[[Any, Setup, Monitor], Any]] = {
    requests.RelatedWorkRequest: runs.run,
    requests.QuestionRequest: runs.run,
    requests.CitationRequest: runs.run,
    requests.SectionRequest: runs.run,
    requests.MissingRequest: runs.run,
    requests.EvidenceRequest: runs.gather,
    requests.StatementRequest: runs.both_sides,
    requests.ReviewRequest: choice.search,
    requests.ChooseRequest: choice.choose,
    requests.WriteChosenRequest: choice.write_chosen,
    requests.Abstracts: abstracts,
    requests.PaperList: list_papers,
    requests.EntryChecks: check_entries,
    requests.ProjectReport: verify_project,
    requests.PaperById: identify,
    requests.SentenceChecks: check_sentences,
    requests.WeakerSentence: weaken_sentence,
    requests.FetchModel: fetch_model,
    requests.SyncLibrary: sync,
    requests.AddToLibrary: add,
    requests.DiscoverPapers: discover,
    requests.EmbedPassages: embed,
    requests.Ping: ping,
}

Frame = dict[str, Any]
_KINDS = {kind.__name__: kind for kind in TASKS}


class TaskRunner:
    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._stops: dict[int, threading.Event] = {}
        self._pool = ThreadPoolExecutor(max_workers=4)

    def take(self, frame: Frame) -> None:
        if "cancel" in frame:
            if stop := self._stops.get(frame["cancel"]):
                stop.set()
            return
        self._stops[frame["id"]] = threading.Event()
        self._pool.submit(self._run, frame)

    def end(self) -> None:
        for stop in self._stops.values():
            stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, frame: Frame) -> None:
        number = frame["id"]

        def tell(message: str, done: int | None, total: int | None) -> None:
            self._send({"id": number, "progress": [message, done, total]})

        try:
            request, settings, keys = read_call(frame["call"])
            answer = TASKS[type(request)](
                request, setup_of(settings, keys), StopEvent(self._stops[number], tell)
            )
            self._send({"id": number, "answer": to_plain(answer)})
        except (RetrievalError, LatexError, ServerError) as error:
            self._send({"id": number, "error": _described(error, error.help, error.retryable)})
        except BaseException as error:  # noqa: BLE001  (the server must receive every failure)
            import traceback

            traceback.print_exc()
            self._send({"id": number, "error": _described(error, "The log has the details.", False)})
        finally:
            self._stops.pop(number, None)

    def _send(self, frame: Frame) -> None:
        with self._lock, contextlib.suppress(BrokenPipeError):
            self._out.write(json.dumps(frame, ensure_ascii=False) + "\n")
            self._out.flush()


def read_call(call: Frame) -> tuple[Request[Any], Settings, Keys]:
    """Decodes a call. Raises ValueError for an invalid request, KeyError for an unknown request class."""
    kind = _KINDS[call["request"]]
    return (
        from_plain(kind, call["with"]),
        Settings.model_validate(call["settings"]),
        from_plain(Keys, call["keys"]),
    )


def _described(error: BaseException, help: str, retryable: bool) -> Frame:
    message = str(error) or type(error).__name__
    return {"kind": type(error).__name__, "message": message, "help": help, "retryable": retryable}


@contextlib.contextmanager
def _frames_only() -> Iterator[TextIO]:
    """Reserves standard output for frames: what libraries print goes to standard error."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as out:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        yield out


def main() -> None:
    with _frames_only() as out:
        worker = TaskRunner(out)
        for line in sys.stdin.buffer:
            worker.take(json.loads(line))
        worker.end()
    os._exit(0)  # a task that ignores its stop event must not keep the process alive


if __name__ == "__main__":
    main()
