"""Builds the record of an edit: the reasons for each paper, and how the section was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from texgeist_latex.tex.sentences import keys_of
from texgeist_latex.types import EditPlan, Offer
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.types import Evidence, Result, Selected

from ..references import reference_of
from .provenance_changes import with_names
from .provenance_model import (
    VERSION,
    CitationRecord,
    OfferRecord,
    PaperRecord,
    PassageRecord,
    Provenance,
    ReasonsRecord,
    SectionRecord,
)


@dataclass(frozen=True, slots=True)
class Applied:
    """An edit that was inserted: what was written, how, and when (ISO date)."""

    result: Result
    plan: EditPlan
    date: str
    renamed: Mapping[str, str] = field(default_factory=dict)  # see `names_now`


def record(old: Provenance, applied: Applied) -> Provenance:
    """A copy of `old` with the record of this edit, which replaces earlier records of the same section or
    keys."""
    plan, result = applied.plan, applied.result
    section_id, keys = plan.section_id, plan.keys
    old = with_names(old, applied.renamed)
    kept = keys_of(plan.latex) if plan.written else ()  # keys that the author's merged edits cite
    citations = {
        key: why
        for key, why in old.citations.items()
        if not section_id or why.section != section_id or key in kept
    }
    reasons = {selected.candidate.paper.id: _citation(applied, selected) for selected in result.selected}
    citations |= {keys[id]: why for id, why in reasons.items() if id in keys}
    sections = {**old.sections, section_id: _section(applied, reasons)} if section_id else old.sections
    removed = {id: held for id, held in old.removed.items() if id != section_id}
    return old.model_copy(
        update={"version": VERSION, "citations": citations, "sections": sections, "removed": removed}
    )


def _citation(applied: Applied, selected: Selected) -> CitationRecord:
    result = applied.result
    return CitationRecord.made_of(
        paper=paper_record(selected),
        why=selected.reasons.numbers,
        reasons=ReasonsRecord.made_of(**to_plain(selected.reasons)),
        summary=selected.summary,
        evidence=[_passage(item) for item in selected.evidence],
        date=applied.date,
        writer=result.writer,
        index=result.index,
        model=result.model,
        section=applied.plan.section_id,
    )


def paper_record(selected: Selected) -> PaperRecord:
    reference = reference_of(selected.candidate.paper)
    return PaperRecord.made_of(
        id=reference.id,
        primary=reference.primary_class,
        title=reference.title,
        authors=list(reference.authors),
        year=reference.year,
        venue=reference.venue,
        arxiv=reference.arxiv_id,
        doi=reference.doi,
        url=reference.url,
        kind=selected.candidate.paper.kind,
        details=list(selected.candidate.paper.details),
    )


def _passage(item: Evidence) -> PassageRecord:
    return PassageRecord.made_of(
        page=item.passage.page,
        heading=item.passage.heading,
        similarity=round(float(item.similarity), 4),
        summary=item.summary,
        text=item.passage.text,
    )


def _section(applied: Applied, reasons: Mapping[str, CitationRecord]) -> SectionRecord:
    result, plan = applied.result, applied.plan
    return SectionRecord.made_of(
        query=result.query.kind,
        papers=len(plan.keys),
        date=applied.date,
        text=plan.written or plan.latex,  # the generated text before merging
        abstract=result.query.abstract,
        gone=list(plan.gone),
        offers=[_offer(offer, reasons) for offer in plan.offers],
    )


def _offer(offer: Offer, reasons: Mapping[str, CitationRecord]) -> OfferRecord:
    """The record of an offer, with the reasons for the papers of the offer. They are needed if the author
    accepts the offer."""
    papers = {key: reasons[id] for key, id in offer.papers if id in reasons}
    return OfferRecord.made_of(stands=offer.stands, new=offer.new, papers=papers)
