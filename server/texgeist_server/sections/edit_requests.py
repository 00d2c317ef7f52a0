"""The edits that a user can request, each a kind of `EditRequest`, and results that wait to be inserted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from texgeist_latex.reading.citation_marks import mark_for
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.blocks import SECTION_ID
from texgeist_retrieval.types import EvidenceRun, Result

from ..errors import EditRefused
from ..plain_text import plain
from . import provenance
from .queries import (
    Source,
    answer_query,
    bibliography_named,
    claim_query,
    section_query,
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
from .results import advice, references_of, section_of
from .safeguards import Writes, rehearse
from .section_briefs import Where
from .section_briefs import section_query as section_query_of
from .section_texts import section_span, words_of_section

if TYPE_CHECKING:
    from ..config.settings import Settings

CHANGED = "The document changed while texgeist was writing, so nothing was inserted."
AGAIN = "What was written is kept: choose “texgeist: insert the last result”."
R = TypeVar("R", bound=WriteRequest, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRequest(ABC, Generic[R]):
    """An edit that a user requests. `prepare` makes the request to the worker from the draft, and `plan`
    makes the edit from the worker's result, for the draft as it is at that time."""

    what: ClassVar[str]  # for the user: "Related work"
    picks: ClassVar[str] = ""  # the question of a list from which the user picks the papers to cite
    shown: ClassVar[bool] = False  # show the result in a panel; insert it only on request

    path: Path
    written_by: Writes = "editor"
    anew: bool = False  # discard the author's edits of a generated section, which are merged otherwise
    agreed: bool = False  # the user has already agreed to discard them
    instead: WriteChosenRequest | Result | None = None  # from a review: choice to write, or written result

    def prepare(self, draft: Draft) -> R:
        """The request for this draft. Before, checks that the edit will be possible. Raises the errors of
        `rehearse`, and `NothingToAsk`."""
        rehearse(draft, lambda result: self.plan(draft, draft, result), self.written_by)
        return self.request(draft)

    @abstractmethod
    def request(self, draft: Draft) -> R:
        """The request for this draft, without checks."""

    @abstractmethod
    def plan(self, before: Draft, now: Draft, result: Result) -> EditPlan:
        """The edit of the draft `now`. `before`: the draft from which the request was made. Raises
        `EditRefused` if the place of the edit has changed since, and `LatexError`s."""

    def replaced_in(self, draft: Draft) -> str:
        """The id of the generated section to replace; "" if there is none."""
        return ""


@dataclass(frozen=True, slots=True)
class Pending:
    """A result that is not inserted yet. `before`: the draft from which the request was made."""

    edit_request: EditRequest[WriteRequest]
    before: Draft
    result: Result

    def plan(self, now: Draft) -> EditPlan:
        return self.edit_request.plan(self.before, now, self.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedWorkEdit(EditRequest[RelatedWorkRequest]):
    """A related-work section, new or as replacement of the generated section `section`."""

    what: ClassVar[str] = "Related work"
    source: Source
    settings: Settings
    section: str = SECTION_ID
    references: str = ""  # the list of references of a PDF
    again: bool = False  # papers that the draft cites elsewhere may be cited again

    def request(self, draft: Draft) -> RelatedWorkRequest:
        query = replace(section_query(draft, self.source, self.section), again=self.again)
        if self.references:  # the section does not continue that of the PDF
            query = replace(query, references=self.references, words=words_of_section(draft, ""))
        return RelatedWorkRequest(query)

    def plan(self, before: Draft, now: Draft, result: Result) -> EditPlan:
        from texgeist_latex.writing.edits import plan_related_work

        _check_unchanged(before, now, self.section, self.anew)
        last = None if self.anew else provenance.before(now, self.section)
        made = plan_related_work(
            now,
            section_of(result),
            references_of(result),
            bibliography=bibliography_named(now, self.settings.project.bibliography),
            section_id=self.section,
            written=last.text if last else "",
            gone=last.gone if last else (),
        )
        return _advised(made, now, result)

    def replaced_in(self, draft: Draft) -> str:
        return self.section


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionEdit(EditRequest[SectionRequest]):
    """Text that continues the section found by `where`, after the author's own text. It replaces text that
    texgeist generated for the section earlier."""

    what: ClassVar[str] = "The section"
    where: Where
    settings: Settings
    run: EvidenceRun | None = None  # evidence that the user has chosen; no other is used

    def request(self, draft: Draft) -> SectionRequest:
        section = self.where(draft)
        if section.kind == "related work":
            raise EditRefused(
                f"The section “{section.title}” is written by another command, which searches for related work.",
                "Use “write related work”, or `texgeist related-work`.",
            )
        return SectionRequest(section_query_of(draft, section), self.run)

    def plan(self, before: Draft, now: Draft, result: Result) -> EditPlan:
        from texgeist_latex.writing.edits import plan_section

        section = self.replaced_in(before)
        _check_unchanged(before, now, section, self.anew)
        last = None if self.anew else provenance.before(now, section)
        made = plan_section(
            now,
            self.where(now).place,
            section_of(result),
            references_of(result),
            section_id=section,
            bibliography=bibliography_named(now, self.settings.project.bibliography),
            written=last.text if last else "",
            gone=last.gone if last else (),
        )
        own = any(sentence.own for sentence in result.section.sentences)
        return replace(_advised(made, now, result), founded=own)

    def replaced_in(self, draft: Draft) -> str:
        return self.where(draft).id


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationEdit(EditRequest[CitationRequest]):
    """Citations for the sentence from `start` to `end` of `path`."""

    what: ClassVar[str] = "Citations"
    picks: ClassVar[str] = "Which of these papers support the sentence?"
    start: int
    end: int

    def request(self, draft: Draft) -> CitationRequest:
        return CitationRequest(claim_query(draft, self.path, self.start, self.end), offered=True)

    def plan(self, before: Draft, now: Draft, result: Result) -> EditPlan:
        from texgeist_latex.writing.edits import plan_citation

        start, end = place_now(text_of(before, self.path), now, self.path, self.start, self.end)
        mark, words = mark_for(now.sources[self.path], start, end), _end_of_words(now, self.path, start, end)
        made = plan_citation(now, self.path, words, references_of(result), mark.span if mark else None)
        return replace(made, notes=(*made.notes, *advice(result)))  # no prose, so no advice on language


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEdit(EditRequest[QuestionRequest]):
    """An answer with citations, inserted after the question from `start` to `end` of `path`."""

    what: ClassVar[str] = "An answer"
    shown: ClassVar[bool] = True
    start: int
    end: int

    def request(self, draft: Draft) -> QuestionRequest:
        return QuestionRequest(answer_query(draft, self._question(draft)))

    def plan(self, before: Draft, now: Draft, result: Result) -> EditPlan:
        from texgeist_latex.writing.edits import plan_answer

        _, end = place_now(text_of(before, self.path), now, self.path, self.start, self.end)
        section = replace(section_of(result), title=self._question(before))
        return _advised(plan_answer(now, self.path, end, section, references_of(result)), now, result)

    def _question(self, draft: Draft) -> str:
        return plain(text_of(draft, self.path)[self.start : self.end], self.path)


def _advised(plan: EditPlan, draft: Draft, result: Result) -> EditPlan:
    return replace(plan, notes=(*plan.notes, *advice(result, draft.language)))


def _check_unchanged(before: Draft, now: Draft, section: str, anew: bool) -> None:
    """Raises `EditRefused` if the generated section has changed since `before` and the change would be lost.
    It would be lost if the section is written `anew`, or if it cannot be merged because the earlier text is
    not recorded."""
    span = section_span(before, section)
    if span is None or (not anew and provenance.before(before, section)):
        return
    text, source = before.sources[span.file].text[span.start : span.end], now.sources.get(span.file)
    if source is None or text not in source.text:
        raise EditRefused(
            "The section was edited while texgeist was writing it, so your text was kept.", AGAIN
        )


def _end_of_words(draft: Draft, path: Path, start: int, end: int) -> int:
    """The end of the selection without trailing space and punctuation."""
    text = draft.sources[path].text[start:end]
    return start + len(text.rstrip().rstrip(".!?;:,").rstrip())


def place_now(before: str, draft: Draft, file: Path, start: int, end: int) -> tuple[int, int]:
    """Start and end of the text `before[start:end]` in a later draft: the same offsets, or those of its only
    occurrence. Raises `EditRefused` if the text is gone or occurs more than once."""
    wanted, source = before[start:end], draft.sources.get(file)
    text = source.text if source else ""
    if text[start:end] == wanted and wanted:
        return start, end
    if wanted and text.count(wanted) == 1:
        at = text.index(wanted)
        return at, at + len(wanted)
    raise EditRefused(CHANGED, AGAIN)
