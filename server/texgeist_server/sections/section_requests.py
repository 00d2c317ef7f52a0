"""What can be wished for in a document, each as one function from the editor's words to a `EditRequest`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.types import Draft, EditPlan
from texgeist_retrieval.types import Query, Result

from ..errors import EditRefused
from . import provenance
from .advice import advice
from .edit_request import EditRequest, Pending, Planner, Prepared, on_the_same_text, replacing_section
from .in_latex import references_of, section_of, sentences_of
from .queries import (
    SECTION_ID,
    Source,
    answer_query,
    bibliography_named,
    paragraph_around,
    plain,
    section_query,
    section_span,
    sentence_query,
    text_of,
)
from .rehearsal import Writes, rehearse
from .section_briefs import DraftSection
from .section_briefs import section_query as section_query_of

if TYPE_CHECKING:
    from ..config.settings import Settings


def related_work(
    path: Path,
    source: Source,
    settings: Settings,
    section: str | None = None,
    written_by: Writes = "editor",
    anew: bool = False,
    agreed: bool = False,
) -> EditRequest:
    """A related-work section, new or in place of the generated one called `section`, with what the author
    made of that one; `anew`: without it, which is asked about where the user has not `agreed`."""

    def prepare(draft: Draft) -> Prepared:
        def plan(now: Draft, result: Result) -> EditPlan:
            from texgeist_latex.writing.edits import plan_related_work

            made = plan_related_work(
                now,
                section_of(result),
                references_of(result),
                bibliography=bibliography_named(now, settings.project.bibliography),
                section_id=section,
                before=None if anew else provenance.before(now, section or SECTION_ID),
            )
            return _advised(made, now, result)

        rehearse(draft, plan, written_by)
        query = section_query(draft, source, section or SECTION_ID)
        return _replacing(draft, section or SECTION_ID, query, plan, anew)

    return EditRequest(
        "related_work",
        "Related work",
        path,
        prepare,
        replaces=section or SECTION_ID,
        anew=anew,
        agreed=agreed,
    )


Where = Callable[[Draft], DraftSection]  # which section of a draft is meant


def draft_section(
    path: Path,
    where: Where,
    settings: Settings,
    written_by: Writes = "editor",
    anew: bool = False,
    agreed: bool = False,
) -> EditRequest:
    """The section that `where` finds, gone on with behind what the author has written of it. What was generated
    for it before is replaced, with what the author made of that; `anew`: without it."""

    def prepare(draft: Draft) -> Prepared:
        section = where(draft)
        if section.kind == "related work":
            raise EditRefused(
                f"“{section.title}” has a command of its own, which covers what the draft stands on.",
                "Use “write related work”, or `texgeist related-work`.",
            )

        def plan(now: Draft, result: Result) -> EditPlan:
            from texgeist_latex.writing.edits import plan_section

            made = plan_section(
                now,
                where(now).place,
                section_of(result),
                references_of(result),
                section_id=section.id,
                bibliography=bibliography_named(now, settings.project.bibliography),
                before=None if anew else provenance.before(now, section.id),
            )
            own = any(sentence.own for sentence in sentences_of(result))
            return replace(_advised(made, now, result), founded=own)

        rehearse(draft, plan, written_by)
        return _replacing(draft, section.id, section_query_of(draft, section), plan, anew)

    return EditRequest(
        "draft_section",
        "The section",
        path,
        prepare,
        anew=anew,
        agreed=agreed,
        id_in=lambda draft: where(draft).id,
    )


def citations(path: Path, start: int, end: int, written_by: Writes = "editor") -> EditRequest:
    """Citations for the sentence that stands at `start` to `end` of `path`."""

    def prepare(draft: Draft) -> Prepared:
        text = text_of(draft, path)
        again = on_the_same_text(draft, path, start, end)

        def plan(now: Draft, result: Result) -> EditPlan:
            from texgeist_latex.writing.edits import plan_citation

            low, high = again(now)
            made = plan_citation(now, path, _end_of_words(now, path, low, high), references_of(result))
            return replace(made, notes=(*made.notes, *advice(result)))  # no prose, so of no language

        rehearse(draft, plan, written_by)
        query = sentence_query(draft, plain(text[start:end]), plain(paragraph_around(text, start, end)))
        return query, _as_it_is, plan

    return EditRequest(
        "offer_citations", "Citations", path, prepare, picks="Which of these does the sentence stand on?"
    )


def answer(path: Path, start: int, end: int) -> EditRequest:
    """An answer, with citations, after the question that stands at `start` to `end` of `path`."""

    def prepare(draft: Draft) -> Prepared:
        question = plain(text_of(draft, path)[start:end])
        again = on_the_same_text(draft, path, start, end)

        def plan(now: Draft, result: Result) -> EditPlan:
            from texgeist_latex.writing.edits import plan_answer

            section = replace(section_of(result), title=question)
            made = plan_answer(now, path, again(now)[1], section, references_of(result))
            return _advised(made, now, result)

        rehearse(draft, plan, "editor")
        return answer_query(draft, question), _as_it_is, plan

    return EditRequest("answer", "An answer", path, prepare, shown=True)


def _advised(plan: EditPlan, draft: Draft, result: Result) -> EditPlan:
    return replace(plan, notes=(*plan.notes, *advice(result, draft.language)))


def _replacing(draft: Draft, section: str, query: Query, plan: Planner, anew: bool) -> Prepared:
    """What is typed into the section meanwhile is merged like all else where its earlier text is known; else the
    section may not change until it is replaced."""
    if not anew and provenance.before(draft, section):
        return query, _as_it_is, plan
    span = section_span(draft, section)
    block = (span.file, draft.sources[span.file].text[span.start : span.end]) if span else None
    return query, lambda pending: replacing_section(pending, draft, block), plan


def _end_of_words(draft: Draft, path: Path, start: int, end: int) -> int:
    """The end of the selection without the space and the full stop at its end."""
    text = draft.sources[path].text[start:end]
    return start + len(text.rstrip().rstrip(".!?;:,").rstrip())


def _as_it_is(pending: Pending) -> Pending:
    return pending
