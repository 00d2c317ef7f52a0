"""`texgeist/status`: what texgeist is doing and what would leave this machine, for a status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...adapters import asks_arxiv, index_place, writer_name

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..session import Session

METHOD = "texgeist/status"


def register(server: LanguageServer, session: Session) -> None:
    def tell() -> None:
        server.protocol.notify(METHOD, status(session))

    session.on_status = tell


def status(session: Session) -> dict[str, Any]:
    """`{state, message, jobs: [{id, title, message, percentage}], sends}`."""
    jobs = [
        {"id": job.id, "title": job.title, "message": job.message, "percentage": job.percentage}
        for job in session.jobs.all()
    ]
    state, message = _state(session)
    return {"state": state, "message": message, "jobs": jobs, "sends": sends(session)}


def _state(session: Session) -> tuple[str, str]:
    if jobs := session.jobs.all():
        return "working", jobs[0].message or jobs[0].title
    if not session.trusted:
        return "idle", "This workspace is not trusted: nothing is run or sent."
    if session.problem:
        return "problem", session.problem
    if session.offline:
        return "offline", session.offline
    return "idle", ""


def sends(session: Session) -> str:
    """What leaves the machine with these settings, in words; "" when nothing does."""
    settings = session.settings
    parts = []
    place = index_place(settings, session.keys)
    if place.remote:
        parts.append(f"the vector of your text goes to {place.location}")
    writer, _ = writer_name(settings, session.keys)
    if writer != "extractive":
        where = settings.writer.base_url or writer
        parts.append(f"your abstract and passages of papers go to {where}")
    if asks_arxiv(settings, place.remote):
        parts.append(f"ids of papers go to {settings.papers.arxiv_address}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] + "." if text else ""
