"""The evidence page of a section on loopback, where the user selects the evidence to draft from.

- GET `api/evidence`: `{heading, file, stopped, notes, sends, queries: [{text, by, why, refused, found:
[id]}], evidence: [{id, title, year, heading, page, pdf, score, vector, model, summary, text}]}`; `pdf`: the
address of the user's PDF on this server, at the page; "" if there is none.

- POST `api/draft` `{ids}`: `{job}`; drafts the section from this evidence and inserts it in the editor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

from texgeist_latex.errors import LatexError
from texgeist_retrieval.types import Evidence, EvidenceRun, Paper

from ..errors import ServerError
from .http import BadRequest, PageServer

Plain = dict[str, Any]


@dataclass
class EvidenceReview:
    """The state of an evidence page. `draft` starts the job that writes from a run, and returns the job's id;
    it raises ServerError, LatexError. `sends`: the recipient of the evidence, "" if nothing is sent."""

    loop: asyncio.AbstractEventLoop
    heading: str
    file: Path
    run: EvidenceRun
    draft: Callable[[EvidenceRun], Awaitable[str]]
    sends: Callable[[], str] = str
    page: PageServer | None = field(default=None, repr=False)

    def serve(self) -> str:
        """Starts the page and returns its address."""
        if self.page is None:
            self.page = PageServer(self.answer, "evidence.html", self.pdf)
        return self.page.url

    def close(self) -> None:
        if self.page:
            self.page.close()

    def answer(self, method: str, name: str, given: Plain) -> Plain:
        """Answers a request to the API, on a thread of the page's server."""
        if (method, name) == ("GET", "evidence"):
            return self.described()
        if (method, name) == ("POST", "draft"):
            chosen = only(self.run, given.get("ids"))
            return asyncio.run_coroutine_threadsafe(self._draft(chosen), self.loop).result(60)
        raise BadRequest("There is nothing here.", HTTPStatus.NOT_FOUND)

    async def _draft(self, chosen: EvidenceRun) -> Plain:
        try:
            return {"job": await self.draft(chosen)}
        except (ServerError, LatexError) as error:
            raise BadRequest(error.sentence(), HTTPStatus.CONFLICT) from None

    def pdf(self, name: str) -> Path | None:
        """The user's PDF of the paper from which the evidence `name` comes; None if there is no PDF."""
        one = next((e for e in self.run.evidence if e.id == name), None)
        return self._file(one) if one else None

    def described(self) -> Plain:
        run, titles = self.run, {paper.id: paper for paper in self.run.papers}
        return {
            "heading": self.heading,
            "file": self.file.name,
            "stopped": run.stopped,
            "notes": list(run.notes),
            "sends": self.sends(),
            "queries": [
                {"text": q.text, "by": q.by, "why": q.why, "refused": q.refused, "found": list(q.found)}
                for q in run.queries
            ],
            "evidence": [self._plain(one, titles.get(one.passage.paper_id)) for one in run.evidence],
        }

    def _plain(self, one: Evidence, paper: Paper | None) -> Plain:
        passage = one.passage
        at = f"#page={passage.page}" if passage.page else ""
        return {
            "id": one.id,
            "title": paper.title if paper else passage.paper_id,
            "year": paper.year if paper else None,
            "heading": passage.heading or passage.section,
            "page": passage.page,
            "pdf": f"pdf/{one.id}{at}" if self._file(one) else "",
            "score": round(one.score, 2),
            "vector": round(one.similarity, 2),
            "model": one.relevance,
            "summary": one.summary,
            "text": passage.text,
        }

    def _file(self, one: Evidence) -> Path | None:
        paper = next((p for p in self.run.papers if p.id == one.passage.paper_id), None)
        files = (Path(name) for name in (paper.files if paper else ()))
        return next(
            (f for f in files if f.is_absolute() and f.suffix.lower() == ".pdf" and f.is_file()), None
        )


def only(run: EvidenceRun, ids: Any) -> EvidenceRun:
    """A copy of the run with only the evidence in `ids`. Raises `BadRequest` for an empty list and for ids
    that the run does not have."""
    if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise BadRequest("ids is a list of ids.")
    known = {one.id for one in run.evidence}
    if unknown := sorted(set(ids) - known):
        raise BadRequest(f"There is no evidence {unknown[0][:40]} here.")
    if not ids:
        raise BadRequest("Nothing is ticked, so there is nothing to draft from.")
    kept = tuple(one for one in run.evidence if one.id in ids)
    papers = {one.passage.paper_id for one in kept}
    asked = tuple(replace(q, found=tuple(id for id in q.found if id in ids)) for q in run.queries)
    return replace(
        run,
        evidence=kept,
        papers=tuple(paper for paper in run.papers if paper.id in papers),
        queries=asked,
        failed=False,  # the author has reviewed it
    )
