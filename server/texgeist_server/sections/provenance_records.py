"""What is kept of an edit that has landed: for each paper why it is cited, and how the section was written."""

from __future__ import annotations

from dataclasses import dataclass

from texgeist_latex.types import EditPlan, Offer
from texgeist_latex.writing.sentences import keys_of
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.types import Evidence, Result, Selected

from ..references import reference_of
from .in_latex import evidence_of, papers_of, sentences_of
from .provenance_file import VERSION
from .provenance_gate import Record
from .renamed_keys import with_new_owners


@dataclass(frozen=True, slots=True)
class Applied:
    """An edit that has landed: what was written, how, and when (ISO date)."""

    result: Result
    plan: EditPlan
    file: str  # where the section stands, relative to the root's folder
    date: str


def record(old: Record, applied: Applied) -> Record:
    """`old` with this edit in it; what stood there for the same section or keys is replaced."""
    section_id = applied.plan.section_id
    result, keys = applied.result, applied.plan.keys
    made = _made(result, applied.date)
    old = with_new_owners(old, keys)
    kept = keys_of(applied.plan.latex) if applied.plan.written else ()  # by what the author made of them
    citations = {
        k: v
        for k, v in old["citations"].items()
        if not section_id or v.get("section") != section_id or k in kept
    }
    why = {
        selected.candidate.paper.id: {
            **_citation(result, selected),
            **made,
            "section": section_id,
            "reused": selected.candidate.paper.id in applied.plan.reused,
        }
        for selected in result.selected
    }
    citations |= {keys[id]: reason for id, reason in why.items() if id in keys}
    sections = dict(old["sections"])
    if section_id:
        # As it was written, not as it was merged: what differs from it is the author's.
        text = applied.plan.written or applied.plan.latex
        sections[section_id] = {
            **_section(result, keys),
            **made,
            "file": applied.file,
            "text": text,
            "abstract": result.query.abstract,
            "gone": list(applied.plan.gone),
            "offers": [_offered(offer, why) for offer in applied.plan.offers],
        }
    removed = {k: v for k, v in old.get("removed", {}).items() if k != section_id}
    return {**old, "version": VERSION, "citations": citations, "sections": sections, "removed": removed}


def _offered(offer: Offer, why: dict[str, Record]) -> Record:
    """With the reasons for its papers, for when it is taken."""
    return {
        "stands": offer.stands,
        "new": offer.new,
        "papers": {key: why[id] for key, id in offer.papers if id in why},
    }


def _made(result: Result, date: str) -> Record:
    return {"date": date, "writer": result.writer, "index": result.index, "model": result.model}


def _citation(result: Result, selected: Selected) -> Record:
    candidate = selected.candidate
    reference, parts = reference_of(candidate.paper), result.query.parts
    return {
        "paper": {
            "id": reference.id,
            "primary": reference.primary_class,
            "title": reference.title,
            "authors": list(reference.authors),
            "year": reference.year,
            "venue": reference.venue,
            "arxiv": reference.arxiv_id,
            "doi": reference.doi,
            "url": reference.url,
        },
        "query": {
            "kind": result.query.kind,
            "found_by": parts[candidate.found_by].label if candidate.found_by < len(parts) else "",
        },
        "strands": list(candidate.strands),
        "rank": candidate.rank,
        "of": result.found,
        "similarity": round(candidate.similarity, 4),
        "score": round(selected.score, 4),
        "score_parts": {name: round(part, 3) for name, part in sorted(candidate.scores.items())},
        "why": selected.why,
        "reasons": to_plain(selected.reasons),
        "summary": selected.summary,
        "full_text": selected.full_text,
        "note": selected.note,
        "evidence": [_evidence(one) for one in selected.evidence],
    }


def _evidence(one: Evidence) -> Record:
    return {
        "page": one.passage.page,
        "similarity": round(one.similarity, 4),
        "summary": one.summary,
        "text": one.passage.text,
    }


def _searches(result: Result) -> Record:
    """What was asked for a section whose evidence was gathered, what that found, and why it stopped."""
    if (run := result.run) is None:
        return {}
    asked = [
        {"text": q.text, "by": q.by, "why": q.why, "found": len(q.found), "refused": q.refused}
        for q in run.queries
    ]
    return {"searches": asked, "stopped": run.stopped}


def _section(result: Result, keys: dict[str, str]) -> Record:
    known = evidence_of(result)
    sentences = []
    for sentence in sentences_of(result):
        stands_on = [known[id] for id in sentence.evidence if id in known]
        sentences.append(
            {
                "text": sentence.text,
                **({"aside": sentence.aside} if sentence.aside else {}),
                "keys": sorted({keys[id] for id in papers_of(sentence, known) if id in keys}),
                "evidence": [
                    {
                        "key": keys.get(selected.candidate.paper.id, ""),
                        "page": one.passage.page,
                        "text": one.passage.text,
                    }
                    for selected, one in stands_on
                ],
            }
        )
    return {
        **_searches(result),
        "query": result.query.kind,
        "papers": len(keys),
        "sentences": sentences,
        "notes": list(result.notes),
        "usage": to_plain(result.usage),
    }
