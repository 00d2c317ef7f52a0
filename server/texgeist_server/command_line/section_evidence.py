"""Evidence for a section of a draft, gathered by the agent: `texgeist evidence FILE.tex --section NAME`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.costs import spent

from .common import load_settings, messages, plainly, print_json, working
from .speaking import echo

if TYPE_CHECKING:
    from texgeist_retrieval.types import Evidence, EvidenceRun, Passage

_LONGEST = 300  # characters of a passage on the terminal


def gather_for(
    file: Path, section: str, writer: str, index: str | None, as_json: bool, top: int | None = None
) -> None:
    """Gathers and shows, the `top` best or all. Nothing is written."""
    from texgeist_latex.reading.draft import read_draft

    from ..adapters import setup_of
    from ..config.credentials import keys_from_environment
    from ..config.user_file import own_bibliographies
    from ..sections import runs
    from ..sections.authors_edits import check_certain
    from ..sections.requests import EvidenceRequest
    from ..sections.section_briefs import section_named, section_query

    settings, keys = load_settings(), keys_from_environment()
    with plainly():
        draft = read_draft(file, own=own_bibliographies(settings))
        check_certain(draft)
        query = section_query(draft, section_named(draft, section))
        with working("Reading the draft") as monitor:
            run = best_of(
                runs.gather(EvidenceRequest(query), setup_of(settings, keys, index, writer), monitor), top
            )
    if as_json:
        print_json(run_json(run))
    else:
        show(run)


def best_of(run: EvidenceRun, top: int | None) -> EvidenceRun:
    kept = run.evidence[:top]
    ids = {one.id for one in kept}
    asked = (replace(q, found=tuple(id for id in q.found if id in ids)) for q in run.queries)
    return replace(run, evidence=kept, queries=tuple(asked))


def run_json(run: EvidenceRun) -> dict[str, Any]:
    """The run as plain data: `queries` are those that were run, `asked` all, with what became of them."""
    titles = {paper.id: paper.title for paper in run.papers}
    return {
        "evidence": [
            {**plain(one, titles.get(one.passage.paper_id, "")), "id": one.id} for one in run.evidence
        ],
        "queries": [asked.text for asked in run.queries if not asked.refused],
        "stopped": run.stopped,
        "asked": [
            {"query": q.text, "by": q.by, "why": q.why, "found": list(q.found), "refused": q.refused}
            for q in run.queries
        ],
        "notes": list(run.notes),
        "model": run.model,
        "calls": run.usage.calls,
    }


def plain(one: Evidence, title: str) -> dict[str, Any]:
    """One piece of evidence as plain data, whatever it was gathered for."""
    passage = one.passage
    return {
        "paper": passage.paper_id,
        "title": title,
        "section": passage.section,
        "heading": passage.heading,
        "page": passage.page,
        "text": passage.text,
        "score": round(one.score, 4),
        "vector": round(one.similarity, 4),
        "model": one.relevance,
        "summary": one.summary,
        "query": one.query,
    }


def where(passage: Passage, titles: Mapping[str, str]) -> str:
    """Paper, section and page, for people."""
    page = f"page {passage.page}" if passage.page else ""
    return ", ".join(filter(None, [titles.get(passage.paper_id, passage.paper_id), passage.heading, page]))


def show(run: EvidenceRun) -> None:
    """Every query with what it found, and why it stopped."""
    known = {one.id: one for one in run.evidence}
    titles = {paper.id: paper.title for paper in run.papers}
    shown: set[str] = set()
    for asked in run.queries:
        echo(f"{asked.by}: {asked.text}" + (f" ({asked.why})" if asked.why else ""))
        if asked.refused:
            echo(f"  not run: {asked.refused}")
        for id in asked.found:
            if id in known and id not in shown:
                echo(_line(known[id], titles))
            elif id in shown:
                echo(f"  [{id}] again")
            shown.add(id)
        echo("")
    tell_run(run)


def tell_run(run: EvidenceRun) -> None:
    """Why it stopped, beside the result."""
    console = messages()
    console.print(run.stopped, markup=False)
    for note in run.notes:
        console.print(note, style="yellow", markup=False)
    if took := spent(run.usage):
        console.print(took, markup=False)


def _line(one: Evidence, titles: dict[str, str]) -> str:
    passage = one.passage
    model = f", model {one.relevance:.2f}" if one.relevance is not None else ""
    said = " ".join((one.summary or passage.text).split())[:_LONGEST]
    return f"  [{one.id}] {where(passage, titles)}; score {one.score:.2f}, cosine {one.similarity:.2f}{model}\n      {said}"
