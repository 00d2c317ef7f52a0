"""Writes a section by a language model that names evidence ids, never citation keys.

Up to thirty papers are written in one answer, which from eight papers on begins with an outline: a section
written at once has better transitions. More papers (more than twelve for a local model) are planned first,
written theme by theme in parallel, and joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...costs import Estimate
from ...defaults import CONCURRENCY
from ...errors import WriterError
from ...models.schemas import Schema, section_schema
from ...models.side_by_side import side_by_side
from ...models.structured_call import Prompt, add, ask
from ...ports import Embedder, LanguageModel, Monitor, Written
from ...types import Paragraph, Query, Section, Selected, Usage
from .checks import CheckedSection, Material, check_section
from .clauses import ending_faults
from .estimates import Sent, calls, estimate
from .preparation import Plan, Summarised, plan, summarise
from .prompts import labels, outlined, section_prompt, theme_prompt
from .repair import faults_of, mended, numbered, paragraphs_of, repair, reread, second_reading

ONE_PIECE = 30  # papers that a strong model covers in one answer
ONE_PIECE_LOCAL = 12  # the same for a local model, whose answers and context are shorter
_NOT_CITED = "the model found no place for it"
_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"


class ModelWriter:
    """`instructions`: the user's wishes on style; `concurrency`: calls in parallel. With `summaries` off, the
    section is written from the passages alone. `one_piece`: papers covered in one answer. `second_reading`:
    an answer with an outline is read again and improved. With an `embedder`, sentences that cite the wrong
    paper are detected."""

    def __init__(
        self,
        model: LanguageModel,
        instructions: str = "",
        concurrency: int = CONCURRENCY,
        summaries: bool = True,
        embedder: Embedder | None = None,
        one_piece: int | None = None,
        second_reading: bool = False,
    ) -> None:
        self._embedder = embedder
        self._model = model
        self._instructions = instructions
        self._concurrency = concurrency
        self._summaries = summaries
        self._second_reading = second_reading
        self._one_piece = one_piece or (ONE_PIECE_LOCAL if model.local else ONE_PIECE)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def local(self) -> bool:
        return self._model.local

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Returns a whole section. Raises `WriterError`s after one repair, and `Cancelled`."""
        usable = [s for s in selected if s.evidence]
        silent = tuple((s.candidate.paper.id, _NO_PASSAGE) for s in selected if not s.evidence)
        title = "Answer" if query.kind == "question" else "Related Work"
        if not usable:
            return Written(Section(title, ()), unused=silent)
        read = self._read(query, usable, monitor)
        whole = len(usable) <= self._one_piece or query.kind == "question"
        told = (self._in_one if whole else self._by_theme)(query, read, monitor)
        section = told.section
        return Written(
            section=replace(section, title=title),
            usage=add(read.usage, told.usage),
            summaries=tuple((s.candidate.paper.id, s.summary) for s in read.selected if s.summary),
            notes=(*read.notes, *_dropped(told.dropped)),
            unused=(*silent, *_left_out(section, read.selected, dict(told.unused))),
            weights=tuple((e.id, e.score) for s in read.selected for e in s.evidence),
        )

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """The exact text of each call that would leave the machine, before anything is sent."""
        return "\n".join(sent.text() for sent in self._calls(query, selected))

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate:
        return estimate(self._calls(query, selected))

    def _calls(self, query: Query, selected: Sequence[Selected]) -> list[Sent]:
        made = self._instructions, self._summaries, self._one_piece, self._second_reading
        return calls(query, selected, *made)

    def _read(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Summarised:
        if not self._summaries:
            supports = {one.id: one.summary for s in selected for one in s.evidence if one.summary}
            return Summarised(tuple(selected), supports)
        return summarise(self._model, query, selected, monitor, self._concurrency)

    def _in_one(self, query: Query, read: Summarised, monitor: Monitor) -> _Told:
        monitor.report("Writing the section")
        prompt = section_prompt(query, read.selected, read.supports, self._instructions)
        checked, usage = self._ask(query, prompt, read.selected, monitor, outlined(query, read.selected))
        unused = _by_id(checked.unused, labels(read.selected))
        return _Told(checked.section, unused, usage, checked.dropped)

    def _by_theme(self, query: Query, read: Summarised, monitor: Monitor) -> _Told:
        planned, spent = plan(self._model, query, read.selected, monitor)
        monitor.report("Writing the themes", 0, len(planned.themes))
        names, by_id = labels(read.selected), {s.candidate.paper.id: s for s in read.selected}
        groups = [[by_id[names[label]] for label in theme.papers] for theme in planned.themes]
        jobs = [
            lambda i=i: self._theme(query, planned, i, groups[i], read.supports, monitor)
            for i in range(len(groups))
        ]
        parts = side_by_side(jobs, self._concurrency, monitor, "Writing the themes")
        unused = [*_by_id(planned.unused, names)]
        paragraphs: list[Paragraph] = []
        usages, dropped = [spent], list[str]()
        for part, group in zip(parts, groups, strict=True):
            if isinstance(part, WriterError):
                raise part
            checked, usage = part
            usages.append(usage)
            paragraphs += checked.section.paragraphs
            unused += _by_id(checked.unused, labels(group))
            dropped += checked.dropped
        return _Told(Section("", tuple(paragraphs)), unused, add(*usages), dropped)

    def _theme(
        self, query: Query, planned: Plan, place: int, group: Sequence[Selected], supports: Mapping[str, str],
        monitor: Monitor,
    ) -> tuple[CheckedSection, Usage]:  # fmt: skip
        outline = [theme.title for theme in planned.themes]
        prompt = theme_prompt(query, outline, place, group, supports, self._instructions)
        return self._ask(query, prompt, group, monitor)

    def _ask(
        self,
        query: Query,
        prompt: Prompt,
        selected: Sequence[Selected],
        monitor: Monitor,
        outline: bool = False,
    ) -> tuple[CheckedSection, Usage]:
        material, names = Material.for_query(query, selected, self._embedder), labels(selected)
        most_words = 400 + 120 * len(selected)
        section = query.kind != "question"  # an answer need not mention every paper, and has no draft

        given: list[Any] = []
        sound: list[CheckedSection] = []  # a first answer that only manner speaks against: better than none

        def check(answer: Any, last: bool) -> tuple[CheckedSection, Sequence[str]]:
            wrong = faults_of(given[-1], material, section) if given else ()
            given.append(mended(given[-1], answer, wrong) if given else answer)
            checked = check_section(given[-1], material, names, most_words, drop=last)
            if last and checked.problems and sound:
                given.append(given[0])  # the first answer is used
                return sound[0], ()
            if checked.problems or last or not section:
                return checked, checked.problems
            sound.append(checked)
            ends = ending_faults(paragraphs_of(given[-1])).values()
            return checked, (*_forgotten(checked, selected, names), *ends)

        def again(answer: Any, problems: Sequence[str]) -> tuple[Prompt, Schema] | None:
            return repair(prompt, answer, problems, material, names, endings=section)

        schema = section_schema(list(material.owner), list(names), outline)
        checked, usage = ask(self._model, prompt, schema, check, monitor, again)
        if not (outline and self._second_reading) or checked.dropped:
            return checked, usage

        def whole(answer: Any) -> tuple[CheckedSection, Sequence[str]]:
            read = check_section(answer, material, names, most_words)
            ends = ending_faults(paragraphs_of(answer)).values() if well_ended else ()
            return read, (*read.problems, *_forgotten(read, selected, names), *ends)

        def better(answer: Any, last: bool) -> tuple[CheckedSection, Sequence[str]]:
            return reread(given[-1], answer, material, whole) or checked, ()

        well_ended = not ending_faults(paragraphs_of(given[-1]))
        monitor.report("Reading the section once more")
        request = second_reading(prompt, numbered(given[-1]), list(material.owner), list(names))
        try:
            read, spent = ask(self._model, *request, better, monitor)
        except WriterError:  # keep the section if the second reading fails
            return checked, usage
        return read, add(usage, spent)


@dataclass(frozen=True, slots=True)
class _Told:
    """A section, the papers not used, by id, and why sentences were left out."""

    section: Section
    unused: Sequence[tuple[str, str]]
    usage: Usage
    dropped: Sequence[str] = ()


def _dropped(reasons: Sequence[str]) -> tuple[str, ...]:
    if not reasons:
        return ()
    count = (
        "One sentence of the model was"
        if len(reasons) == 1
        else f"{len(reasons)} sentences of the model were"
    )
    return (f"{count} left out, also at its second try: {reasons[0]}",)


def _by_id(unused: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(names[label], reason) for label, reason in unused if label in names]


def _left_out(
    section: Section, selected: Sequence[Selected], reasons: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Papers that no sentence cites, with the model's reason if it gave one."""
    cited = {id for p in section.paragraphs for s in p.sentences for id in s.evidence}
    missing = [s.candidate.paper.id for s in selected if not cited & {e.id for e in s.evidence}]
    return [(id, reasons.get(id) or _NOT_CITED) for id in missing]


def _forgotten(checked: CheckedSection, selected: Sequence[Selected], names: Mapping[str, str]) -> list[str]:
    """Papers that are neither cited nor left out with a reason: the model is asked again, but this is no
    failure."""
    excused = {names[label] for label, _ in checked.unused}
    missing = {id for id, _ in _left_out(checked.section, selected, {})} - excused
    gone = [label for label, id in names.items() if id in missing]
    return [f"These papers are neither cited nor named as unused: {', '.join(gone)}."] if gone else []
