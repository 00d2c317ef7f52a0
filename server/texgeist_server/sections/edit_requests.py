"""The edits that a user can request, each a function that builds an `EditRequest`, and results that wait to
be inserted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.types import Draft, EditPlan
from texgeist_retrieval.types import EvidenceRun, Query, Result

from ..errors import EditRefused
from . import provenance
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
from .requests import (
    CitationRequest,
    QuestionRequest,
    RelatedWorkRequest,
    SectionRequest,
    WriteChosenRequest,
    WriteRequest,
)
from .results import advice, references_of, section_of, sentences_of
from .safeguards import Writes, rehearse
from .section_briefs import DraftSection
from .section_briefs import section_query as section_query_of

if TYPE_CHECKING:
    from ..config.settings import Settings

CHANGED = "The document changed while texgeist was writing, so nothing was inserted."
AGAIN = "What was written is kept: choose “texgeist: insert the last result”."
Planner = Callable[[Draft, Result], EditPlan]
Where = Callable[[Draft], DraftSection]  # which section of a draft to write


@dataclass(frozen=True, slots=True)
class Pending:
    """A result that is not inserted yet. `plan` makes the edit for the current draft."""

    result: Result
    plan: Planner
    path: Path
    what: str  # shown to the user: "Related work"


@dataclass(frozen=True, slots=True)
class Prepared:
    """The request for this draft, and the planner that turns its result into an edit."""

    request: WriteRequest
    plan: Planner

    @property
    def query(self) -> Query:
        return self.request.query


@dataclass(frozen=True, slots=True)
class EditRequest:
    """An edit to make: `prepare` reads the draft and returns the request and the planner for its result."""

    what: str  # "Related work"
    path: Path
    prepare: Callable[[Draft], Prepared]
    chosen: WriteChosenRequest | None = None  # the choice made in review: write it instead of searching
    result: Result | None = None  # the result already written from that choice
    run: EvidenceRun | None = None  # evidence chosen for a section: draft from it alone
    replaces: str = ""  # the generated section to replace, if any
    anew: bool = False  # discard the author's edits of the section
    agreed: bool = False  # the user has already agreed to discard them
    picks: str = ""  # the question of a list from which the user picks the papers to cite
    shown: bool = False  # show it in a panel; insert it only on request
    id_in: Callable[[Draft], str] | None = None  # finds that id, if it depends on the draft

    def replaced_in(self, draft: Draft) -> str:
        """The id of the generated section to replace; "" if there is none."""
        return self.id_in(draft) if self.id_in else self.replaces


def related_work(
    path: Path,
    source: Source,
    settings: Settings,
    section: str | None = None,
    written_by: Writes = "editor",
    anew: bool = False,
    agreed: bool = False,
    references: str = "",
) -> EditRequest:
    """A related-work section, new or as replacement of the generated section `section`. The author's edits of
    that section are merged, or discarded with `anew`, after asking the user unless `agreed`. `references`:
    the list of references of a PDF."""

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
        query = replace(section_query(draft, source, section or SECTION_ID), references=references)
        return Prepared(RelatedWorkRequest(query), _guarded(draft, section or SECTION_ID, plan, anew))

    return EditRequest(
        "Related work",
        path,
        prepare,
        replaces=section or SECTION_ID,
        anew=anew,
        agreed=agreed,
    )


def draft_section(
    path: Path,
    where: Where,
    settings: Settings,
    written_by: Writes = "editor",
    anew: bool = False,
    agreed: bool = False,
) -> EditRequest:
    """Text that continues the section found by `where`, after the author's own text. It replaces text that
    was generated for the section before; the author's edits of that are merged, or discarded with `anew`."""

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
        request = SectionRequest(section_query_of(draft, section))
        return Prepared(request, _guarded(draft, section.id, plan, anew))

    return EditRequest(
        "The section",
        path,
        prepare,
        anew=anew,
        agreed=agreed,
        id_in=lambda draft: where(draft).id,
    )


def citations(path: Path, start: int, end: int, written_by: Writes = "editor") -> EditRequest:
    """Citations for the sentence from `start` to `end` of `path`."""

    def prepare(draft: Draft) -> Prepared:
        text = text_of(draft, path)
        again = on_the_same_text(draft, path, start, end)

        def plan(now: Draft, result: Result) -> EditPlan:
            from texgeist_latex.writing.edits import plan_citation

            low, high = again(now)
            made = plan_citation(now, path, _end_of_words(now, path, low, high), references_of(result))
            return replace(made, notes=(*made.notes, *advice(result)))  # no prose, so no advice on language

        rehearse(draft, plan, written_by)
        query = sentence_query(draft, plain(text[start:end]), plain(paragraph_around(text, start, end)))
        return Prepared(CitationRequest(query, offered=True), plan)

    return EditRequest("Citations", path, prepare, picks="Which of these does the sentence stand on?")


def answer(path: Path, start: int, end: int) -> EditRequest:
    """An answer with citations, inserted after the question from `start` to `end` of `path`."""

    def prepare(draft: Draft) -> Prepared:
        question = plain(text_of(draft, path)[start:end])
        again = on_the_same_text(draft, path, start, end)

        def plan(now: Draft, result: Result) -> EditPlan:
            from texgeist_latex.writing.edits import plan_answer

            section = replace(section_of(result), title=question)
            made = plan_answer(now, path, again(now)[1], section, references_of(result))
            return _advised(made, now, result)

        rehearse(draft, plan, "editor")
        return Prepared(QuestionRequest(answer_query(draft, question)), plan)

    return EditRequest("An answer", path, prepare, shown=True)


def _advised(plan: EditPlan, draft: Draft, result: Result) -> EditPlan:
    return replace(plan, notes=(*plan.notes, *advice(result, draft.language)))


def _guarded(draft: Draft, section: str, plan: Planner, anew: bool) -> Planner:
    """If the section's earlier text is recorded, returns `plan`, which merges what the author types
    meanwhile. If not, returns a planner that refuses when the section has changed since `draft`."""
    span = section_span(draft, section)
    if span is None or (not anew and provenance.before(draft, section)):
        return plan
    file, text = span.file, draft.sources[span.file].text[span.start : span.end]

    def guarded(now: Draft, result: Result) -> EditPlan:
        source = now.sources.get(file)
        if source is None or text not in source.text:
            raise EditRefused("The section was edited while texgeist was writing it anew; it is kept.", AGAIN)
        return plan(now, result)

    return guarded


def _end_of_words(draft: Draft, path: Path, start: int, end: int) -> int:
    """The end of the selection without trailing space and punctuation."""
    text = draft.sources[path].text[start:end]
    return start + len(text.rstrip().rstrip(".!?;:,").rstrip())


def on_the_same_text(before: Draft, file: Path, start: int, end: int) -> Callable[[Draft], tuple[int, int]]:
    """Returns a function that finds `text[start:end]` of `before` in a later draft: at the same offset, or at
    its only occurrence. It raises `EditRefused` if the text is gone or occurs more than once."""
    wanted = before.sources[file].text[start:end]

    def find(now: Draft) -> tuple[int, int]:
        source = now.sources.get(file)
        text = source.text if source else ""
        if text[start:end] == wanted and wanted:
            return start, end
        if wanted and text.count(wanted) == 1:
            at = text.index(wanted)
            return at, at + len(wanted)
        raise EditRefused(CHANGED, AGAIN)

    return find
