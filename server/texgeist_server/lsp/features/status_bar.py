"""`texgeist/status`: what texgeist is doing and what would leave this machine, for a status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...adapters import asks_arxiv, reached, writer_address, writer_name
from ...index_places import index_place

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..configuration import Configuration
    from ..jobs import Jobs
    from ..status import Status

METHOD = "texgeist/status"


def register(server: LanguageServer, configuration: Configuration, jobs: Jobs, status: Status) -> None:
    status.tell = lambda: server.protocol.notify(METHOD, describe(configuration, jobs, status))


def describe(configuration: Configuration, jobs: Jobs, status: Status) -> dict[str, Any]:
    """`{state, message, jobs: [{id, title, message, percentage}], sends}`."""
    running = [
        {"id": job.id, "title": job.title, "message": job.message, "percentage": job.percentage}
        for job in jobs.all()
    ]
    state, message = _state(configuration, jobs, status)
    return {"state": state, "message": message, "jobs": running, "sends": sends(configuration)}


def _state(configuration: Configuration, jobs: Jobs, status: Status) -> tuple[str, str]:
    if running := jobs.all():
        return "working", running[0].message or running[0].title
    if not configuration.trusted:
        return "idle", "This workspace is not trusted: nothing is run or sent."
    if status.problem:
        return "problem", status.problem
    if status.offline:
        return "offline", status.offline
    return "idle", ""


def sends(configuration: Configuration) -> str:
    """What leaves the machine with these settings, in words; "" when nothing does."""
    settings, keys = configuration.settings, configuration.keys
    parts = []
    place = index_place(settings, keys)
    if place.remote:
        parts.append(f"the vector of your text goes to {place.location}")
    writer, _ = writer_name(settings, keys)
    if writer != "extractive":
        where = writer_address(settings, writer) or reached(writer)
        parts.append(f"your abstract and passages of papers go to {where}")
    if asks_arxiv(settings, place.remote):
        parts.append(f"ids of papers go to {settings.papers.arxiv_address}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] + "." if text else ""
