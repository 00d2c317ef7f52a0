"""The JSON answers of the commands; docs/json.schema.json describes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.disk.paths import seen_from
from texgeist_retrieval.codec import to_plain

from ..sections.results import advice, answer_text, evidence_of, hit_json, papers_of, passage_json

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.ports import EvidenceResults
    from texgeist_retrieval.types import Evidence, EvidenceRun, Paper, Result, Selected, Sentence, Sides

    from ..sections.runs import SearchHit


def paper_json(paper: Paper) -> dict[str, Any]:
    return {"id": paper.id, **_about(paper)}


def _about(paper: Paper) -> dict[str, Any]:
    return {"title": paper.title, "authors": list(paper.authors), "year": paper.year}


def hit_row(hit: SearchHit) -> dict[str, Any]:
    """A paper that a search found."""
    candidate = hit.candidate
    return {
        **paper_json(candidate.paper),
        "abstract": candidate.paper.abstract,
        **hit_json(hit),
        "rank": candidate.rank,
        "topic": candidate.paper.topic,
    }


def why_json(selected: Selected) -> dict[str, Any]:
    """The reasons for citing the paper, as plain data."""
    return {
        "chance": selected.candidate.chance,
        "similarity": round(selected.candidate.similarity, 4),
        "rank": selected.candidate.rank,
        "why": selected.reasons.numbers,
        "reasons": to_plain(selected.reasons),
        "evidence": [_short(one) for one in selected.evidence],
    }


def _short(one: Evidence) -> dict[str, Any]:
    return {"text": one.passage.text, "page": one.passage.page}


def _text(sentence: Sentence) -> str:
    return " ".join(filter(None, [sentence.lead, sentence.text]))


def section_json(draft: Draft, plan: EditPlan, result: Result) -> dict[str, Any]:
    """Section, citations, entries and edits as plain data. Paths are relative to the root document's
    folder."""
    known = evidence_of(result)
    sentences = [
        {
            "text": _text(sentence),
            "keys": [plan.keys[id] for id in papers_of(sentence, known) if id in plan.keys],
            "evidence": [
                {"key": plan.keys.get(selected.candidate.paper.id, ""), **_short(one)}
                for selected, one in (known[id] for id in sentence.evidence if id in known)
            ],
            **({"aside": sentence.aside} if sentence.aside else {}),
        }
        for sentence in result.section.sentences
    ]
    return {
        "section": {"latex": plan.latex, "sentences": sentences},
        "citations": [
            {"key": plan.keys[paper.id], "paper": paper_json(paper), **why_json(one)}
            for one in result.selected
            if (paper := one.candidate.paper).id in plan.keys
        ],
        "entries": plan.entries,
        "edits": [
            {"file": relative(e.file, draft), "start": e.start, "end": e.end, "text": e.text}
            for e in plan.edits
        ],
        "notes": [*result.notes, *plan.notes],
        "left_out": [
            {
                "id": left.paper.id,
                "title": left.paper.title,
                "chance": left.chance,
                "reason": left.left_out,
                "added": left.added,
            }
            for left in result.left_out
        ],
        "usage": to_plain(result.usage),
        "writer": result.writer,
        "index": result.index,
        "model": result.model,
        **_gathered(result),
    }


def _gathered(result: Result) -> dict[str, Any]:
    """The agent's queries as plain data; empty if no agent gathered the evidence."""
    if result.run is None:
        return {}
    asked = [to_plain(query) for query in result.run.queries]
    return {
        "queries": [q["text"] for q in asked if not q["refused"]],
        "asked": asked,
        "stopped": result.run.stopped,
    }


def answer_json(result: Result) -> dict[str, Any]:
    """The answer as plain data. Papers are identified by id, because there is no bibliography with keys."""
    known = evidence_of(result)
    return {
        "answer": {
            "text": answer_text(result),
            "sentences": [
                {
                    "text": _text(sentence),
                    "papers": list(papers_of(sentence, known)),
                    "evidence": [
                        {"paper": selected.candidate.paper.id, **_with_summary(one)}
                        for selected, one in (known[id] for id in sentence.evidence if id in known)
                    ],
                }
                for sentence in result.section.sentences
            ],
        },
        "papers": [
            {
                **paper_json(selected.candidate.paper),
                **why_json(selected),
                "evidence": [_with_summary(one) for one in selected.evidence],
            }
            for selected in result.selected
        ],
        "queries": [one.text for one in result.run.queries] if result.run else [result.query.text],
        "stopped": result.run.stopped if result.run else "",
        "notes": [*advice(result), *result.notes],
        "writer": result.writer,
        "index": result.index,
        "model": result.model,
    }


def _with_summary(one: Evidence) -> dict[str, Any]:
    return {**passage_json(one), "summary": one.summary}


def search_json(found: EvidenceResults, query: str) -> dict[str, Any]:
    """The evidence of a single search."""
    return {
        "evidence": [evidence_json(one, found.papers) for one in found.evidence],
        "queries": [query],
        "stopped": "one search",
        "papers": {paper.id: _about(paper) for paper in found.papers.values()},
        "notes": list(found.notes),
    }


def run_json(run: EvidenceRun) -> dict[str, Any]:
    """The run as plain data. `queries`: the queries that ran; `asked`: all queries with their results."""
    papers = {paper.id: paper for paper in run.papers}
    asked = [to_plain(query) for query in run.queries]
    return {
        "evidence": [{**evidence_json(one, papers), "id": one.id} for one in run.evidence],
        "queries": [query["text"] for query in asked if not query["refused"]],
        "stopped": run.stopped,
        "asked": [{"query": query.pop("text"), **query} for query in asked],
        "notes": list(run.notes),
        "model": run.model,
        "calls": run.usage.calls,
    }


def sides_json(sides: Sides) -> dict[str, Any]:
    papers = {paper.id: paper for paper in sides.papers}
    return {
        "statement": sides.statement,
        "evidence": [
            {
                **evidence_json(one.evidence, papers),
                "id": one.evidence.id,
                "side": one.side,
                "sureness": one.support.score,
                "missing": one.support.missing,
            }
            for one in sides.found
        ],
        "queries": list(sides.queries),
        "notes": list(sides.notes),
    }


def evidence_json(one: Evidence, papers: Mapping[str, Paper]) -> dict[str, Any]:
    """A passage of evidence. `papers`: by id."""
    paper = papers.get(one.passage.paper_id)
    return {
        "paper": one.passage.paper_id,
        "title": paper.title if paper else "",
        **_with_summary(one),
        "vector": round(one.similarity, 4),
        "model": one.relevance,
        "query": one.query,
    }


def relative(path: Path, draft: Draft) -> str:
    """The path relative to the root document's folder; it may contain `..`."""
    return seen_from(draft.root.parent, path)
