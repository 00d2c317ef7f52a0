"""Writes a section, or an answer, with a language model, which cites the ids of evidence, never citation
keys.

The model plans an argument for each paragraph and writes the whole text. A critical reader and a verifier
(`revision`) correct it, or, without them, sentences that fail a check are rewritten once. Sentences that still
fail are left out. A section takes at most three calls, and one more if the first answer cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...costs import Estimate
from ...defaults import CONCURRENCY
from ...errors import WriterError, WriterInvalid
from ...models.structured_call import Check, Prompt, Schema, add, ask, text_schema
from ...ports import Embedder, LanguageModel, Monitor, Written
from ...text.words import number_of
from ...types import Query, Section, Selected, Sentence, Usage
from .checks import Material, section_faults, tidy
from .estimates import Sent, calls, estimate
from .prompts import section_prompt, words_for
from .prose import MarkedParagraph, MarkedSentence, read_text
from .revision import (
    Corrections,
    corrected,
    correction_schema,
    count_unused,
    faults_by_number,
    read_corrections,
    read_verdicts,
    repair_prompt,
    review_prompt,
    verdict_schema,
    verify_prompt,
    without_faults,
)
from .summaries import Summarised, summarise

_NOT_CITED = "the model found no place for it"
_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"
_UNVERIFIED = "{} not compared with their sources once more, because {}"
_UNCORRECTED = (
    "The comparison with the sources objected to {}, but its corrections could not be used. "
    "Compare the sentences with their sources yourself."
)
_FLOOD = 2.5  # an answer is refused if it has more than about this many times the requested words


@dataclass(frozen=True, slots=True)
class DraftText:
    """The text of a model before its sentences are checked. `needs`: the model's requests to the author, for
    example for a missing number."""

    paragraphs: tuple[MarkedParagraph, ...] = ()
    needs: tuple[str, ...] = ()


def draft_text(
    model: LanguageModel, prompt: Prompt, material: Material, words: int, monitor: Monitor,
    needs: bool = False, cites: bool = True,
) -> tuple[DraftText, Usage]:  # fmt: skip
    """Asks the model for a text of about `words` words. If the answer is unusable as a whole, the text is
    requested once more. `needs`: whether to ask for requests to the author; `cites`: whether the text must
    cite. Raises `WriterError`."""

    def check(answer: Any, last: bool) -> tuple[DraftText, Sequence[str]]:
        text = answer.get("section") if isinstance(answer, dict) else None
        if not isinstance(text, str):
            return DraftText(), ['The answer is not an object with a text "section".']
        if (given := len(text.split())) > _FLOOD * words + 100:
            return DraftText(), [f"The text has {given} words; about {words} were asked for."]
        paragraphs = read_text(text, material.ids)
        wanted = _texts(answer.get("needs")) if needs else ()
        return DraftText(paragraphs, wanted), section_faults(paragraphs, material, cites)

    return ask(model, prompt, text_schema(needs), check, monitor)


def _corrections(
    model: LanguageModel, prompt: Prompt, schema: Schema, check: Check[Corrections], monitor: Monitor
) -> tuple[Corrections, Usage, str]:
    """(corrections in the model's answer, usage, ""). If the call fails, there are no corrections, so that
    the text is not lost, and the last value is the error. Raises `Cancelled`."""
    try:
        return *ask(model, prompt, schema, check, monitor), ""
    except WriterError as error:
        return Corrections(), Usage(), str(error)


def repaired(
    model: LanguageModel, prompt: Prompt, paragraphs: tuple[MarkedParagraph, ...], material: Material,
    monitor: Monitor, rules: str = "",
) -> tuple[tuple[MarkedParagraph, ...], list[tuple[MarkedSentence, str]], Usage]:  # fmt: skip
    """Lets the model rewrite faulty sentences once, and leaves out sentences that are still faulty. Returns
    the paragraphs, the sentences that were left out, each with its fault, and the usage. Raises
    `WriterInvalid` if more sentences are left out than stay."""
    usage = Usage()
    if faults := faults_by_number(paragraphs, material):
        monitor.report("Correcting sentences")
        request = repair_prompt(prompt, paragraphs, faults, rules)
        answer, usage, _ = _corrections(model, request, correction_schema(), read_corrections, monitor)
        asked = [one for one in answer.given if one.number in faults]
        paragraphs = corrected(paragraphs, asked, material)
    return *_usable(model, paragraphs, material), usage


def _usable(
    model: LanguageModel, paragraphs: tuple[MarkedParagraph, ...], material: Material
) -> tuple[tuple[MarkedParagraph, ...], list[tuple[MarkedSentence, str]]]:
    kept, out = without_faults(paragraphs, material)
    if len(out) > sum(len(p.sentences) for p in kept):
        raise WriterInvalid(
            f"{model.name} gave an answer that cannot be used: {out[0][1]}",
            "Try again, choose a larger model, or use the extractive writer.",
        )
    return kept, out


def paragraphs_of(marked: Sequence[MarkedParagraph]) -> tuple[tuple[Sentence, ...], ...]:
    """The paragraphs that have sentences. A run-in heading becomes an aside before the sentences of its
    paragraph."""
    found = []
    for paragraph in marked:
        sentences = tuple(each.sentence for each in paragraph.sentences)
        heading = (Sentence(paragraph.heading, aside="heading"),) if paragraph.heading else ()
        if sentences:
            found.append((*heading, *sentences))
    return tuple(found)


class ModelWriter:
    """Implements `ports.Writer` with a language model. `instructions`: the user's wishes on style;
    `concurrency`: number of parallel calls; `summaries`: if false, the papers are not summarised, and the
    section is written from the passages alone; `passages`: if false, it is written from the summaries
    alone; `second_reading`: whether a call reads the section critically and corrects it, and another compares each
    sentence with its sources. With an
    `embedder`, sentences that cite the wrong paper are detected."""

    def __init__(
        self,
        model: LanguageModel,
        instructions: str = "",
        concurrency: int = CONCURRENCY,
        summaries: bool = True,
        passages: bool = True,
        embedder: Embedder | None = None,
        second_reading: bool = False,
    ) -> None:
        self._embedder = embedder
        self._model = model
        self._instructions = instructions
        self._concurrency = concurrency
        self._summaries = summaries
        self._passages = passages
        self._second_reading = second_reading

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def local(self) -> bool:
        return self._model.local

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Returns the section or the answer. Raises `WriterError` and `Cancelled`."""
        usable = [s for s in selected if s.evidence]
        unused = [(s.candidate.paper.id, _NO_PASSAGE) for s in selected if not s.evidence]
        title = "Answer" if query.kind == "question" else "Related Work"
        if not usable:
            return Written(Section(title, ()), unused=tuple(unused))
        read = self._read(query, usable, monitor)
        monitor.report("Writing the section")
        prompt = section_prompt(query, read.selected, self._instructions, self._passages)
        material = Material.for_query(query, read.selected, self._embedder)
        words = words_for(query, len(usable))
        draft, spent = draft_text(self._model, prompt, material, words, monitor)
        if self._second_reading and query.kind != "question":
            paragraphs, corrections, notes = self._revised(
                query, read.selected, prompt, draft, material, monitor
            )
            kept, out = _usable(self._model, paragraphs, material)
        else:
            kept, out, corrections = repaired(self._model, prompt, draft.paragraphs, material, monitor)
            notes = ()
        section = Section(title, paragraphs_of(kept))
        return Written(
            section=section,
            usage=add(read.usage, spent, corrections),
            summaries=tuple((s.candidate.paper.id, s.summary) for s in read.selected if s.summary),
            notes=(*read.notes, *notes, *left_out([fault for _, fault in out])),
            unused=(*unused, *_uncited(section, read.selected)),
            weights=tuple((e.id, e.score) for s in read.selected for e in s.evidence),
        )

    def _revised(
        self, query: Query, selected: Sequence[Selected], prompt: Prompt, draft: DraftText,
        material: Material, monitor: Monitor,
    ) -> tuple[tuple[MarkedParagraph, ...], Usage, tuple[str, ...]]:  # fmt: skip
        """The paragraphs as the critical reader and then the verifier corrected them, the usage, and notes on
        the sentences that were not compared, and on corrections that were not used."""
        monitor.report("Reading the section critically")
        request = review_prompt(prompt, draft.paragraphs, material)
        review, spent, _ = _corrections(self._model, request, correction_schema(), read_corrections, monitor)
        paragraphs = corrected(draft.paragraphs, review.given, material)
        monitor.report("Comparing each sentence with its sources")
        request = verify_prompt(query, paragraphs, selected, material)
        check = partial(read_verdicts, sum(len(paragraph.sentences) for paragraph in paragraphs))
        verdicts, more, failed = _corrections(self._model, request, verdict_schema(), check, monitor)
        verified = corrected(paragraphs, verdicts.given, material)
        notes = [_UNVERIFIED.format("The sentences were", f"the call failed: {failed}")] if failed else []
        if missing := len(verdicts.missing):
            few = "One sentence was" if missing == 1 else f"{missing} sentences were"
            notes.append(_UNVERIFIED.format(few, "the answer lacks them."))
        if unused := count_unused(verdicts.given, paragraphs, verified):
            notes.append(_UNCORRECTED.format(number_of(unused, "sentence")))
        return verified, add(spent, more), tuple(notes)

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """The exact text of each call that would leave the machine, before anything is sent."""
        return "\n".join(sent.text() for sent in self._calls(query, selected))

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate:
        return estimate(self._calls(query, selected))

    def _calls(self, query: Query, selected: Sequence[Selected]) -> list[Sent]:
        return calls(
            query, selected, self._instructions, self._summaries, self._second_reading, self._passages
        )

    def _read(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Summarised:
        if not self._summaries:
            return Summarised(tuple(selected))
        return summarise(self._model, query, selected, monitor, self._concurrency)


def left_out(reasons: Sequence[str]) -> tuple[str, ...]:
    """The note on sentences that were left out; empty if there are no `reasons`."""
    if not reasons:
        return ()
    count = "One sentence was" if len(reasons) == 1 else f"{len(reasons)} sentences were"
    return (f"{count} left out, because a check failed: {reasons[0]}",)


def _uncited(section: Section, selected: Sequence[Selected]) -> list[tuple[str, str]]:
    cited = {id for s in section.sentences for id in s.evidence}
    missing = [s.candidate.paper.id for s in selected if not cited & {e.id for e in s.evidence}]
    return [(id, _NOT_CITED) for id in missing]


def _texts(given: Any) -> tuple[str, ...]:
    texts = [tidy(one[:300]) for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(text for text in texts if text))
