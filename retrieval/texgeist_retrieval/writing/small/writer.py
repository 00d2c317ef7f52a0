"""Writes a section with a small model, which chooses where each quotation of the notes may end.

The writer of notes (`extractive`) chooses the papers, their groups and a sentence of each paper to quote. For each
of them, the model chooses in a separate request what is left out at its end. Short parts then stand without
quotation marks. Papers without such a sentence are described by their titles. The model writes no word, so every
sentence consists of consecutive words of its paper, after a verb.

A model of 1.5 B parameters was also asked for an opening sentence of each paragraph, given the titles. It wrote
claims ("many-shot in-context learning has been shown to be robust to noise"), so there are none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...costs import Estimate
from ...defaults import SECTION_SECONDS
from ...errors import WriterInvalid, WriterTimedOut, WriterTruncated
from ...models.structured_call import add
from ...monitor import Silent
from ...ports import Embedder, LanguageModel, Monitor, Written
from ...types import Paper, Query, Selected, Sentence, Usage
from ..extractive.writer import ONLY_QUOTED, SEE_ALSO, THESE_ARE_NOTES, ExtractiveWriter
from .shortening import UNMARKED, Choice, choice_of
from .titles import of_title

_NO_CHOICE = "{} of {} papers are quoted as in notes, because the model's answers had another form."
_LATE = (
    "{} of {} papers are quoted as in notes, because the model was too slow: it has {:.0f} s for a section. "
    "`texgeist config set writer.timeoutSeconds {:.0f}` gives it more time."
)
_MOST_SECONDS = 3600  # that the setting can have
_NOTHING_TO_SHORTEN = "No quotation of the notes was shortened, so they are as without a model."
_HOW = (
    "Ends of sentences of the papers were left out, by rule or as a model on this machine chose, perhaps with a "
    f"condition: compare them with the papers. Up to {UNMARKED} of a paper's words in a row, and titles, have no "
    "quotation marks: reword them before you submit."
)
_LONG = 18  # words of a quotation of another form, which the title replaces


class _Until:
    """The monitor, which ends a request when the time of the section is over, with `WriterTimedOut`."""

    def __init__(self, monitor: Monitor, end: float) -> None:
        self._monitor, self._end, self.report = monitor, end, monitor.report

    def check(self) -> None:
        self._monitor.check()
        if time.monotonic() >= self._end:
            raise WriterTimedOut("The time for the section is over.")


class SmallWriter:
    """A writer for models that cannot deal with thirty papers at once. `seconds`: the time for all requests, of
    which each gets what is left; papers for which no time is left are quoted. Without an `embedder`, only `estimate` can be called."""

    def __init__(
        self, model: LanguageModel, embedder: Embedder | None = None, seconds: float = SECTION_SECONDS
    ) -> None:
        self._model, self._embedder, self._seconds = model, embedder, seconds

    @property
    def name(self) -> str:
        return f"texgeist, with notes shortened by {self._model.name}"

    @property
    def local(self) -> bool:
        return self._model.local

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Returns the section. Raises `Cancelled`, and `WriterError` if the model's server cannot
        be reached."""
        embedder = self._needed()
        notes = ExtractiveWriter(embedder).write(query, selected, monitor)
        if query.kind in ("question", "sentence"):  # an answer is best in the papers' own words
            return replace(notes, by=ExtractiveWriter.name)
        choices = _choices(notes)
        asked = _asked(choices)
        certain = ((c.quotation, c.sentence({"cut": next(iter(c.kept))})) for c in choices if c not in asked)
        shorter = {quotation: sentence for quotation, sentence in certain if sentence}
        usage, answers, invalid, began = Usage(), 0, 0, time.monotonic()
        many = f"{len(asked)} sentence{'s' * (len(asked) > 1)}"
        for number, choice in enumerate(asked):
            if (spent := time.monotonic() - began) >= self._seconds:
                break
            share = max(number / len(asked), spent / self._seconds)  # it ends when the time is over
            monitor.report(f"Writing {many}", round(100 * share), 100)
            try:
                answer, tokens = self._ask(choice, _Until(monitor, began + self._seconds))
            except WriterTimedOut:  # perhaps only this answer
                continue
            usage, answers = add(usage, tokens), answers + 1
            if sentence := choice.sentence(answer):
                shorter[choice.quotation] = sentence
            else:
                invalid += 1
        late = len(asked) - answers
        if asked and late + invalid == len(asked):
            shorter = {}  # the section of a model that fails is the notes
        shorter = {quotation: made for quotation, made in shorter.items() if made != quotation}
        papers = {e.id: s.candidate.paper for s in selected for e in s.evidence}
        paragraphs = tuple(_with(paragraph, shorter, papers) for paragraph in notes.section.paragraphs)
        more = [_HOW] if shorter else [] if late or invalid else [_NOTHING_TO_SHORTEN]
        more += [_NO_CHOICE.format(invalid, len(choices))] if invalid else []
        longer = min(2 * self._seconds, _MOST_SECONDS)
        more += [_LATE.format(late, len(choices), self._seconds, longer)] if late else []
        return replace(
            notes,
            section=replace(notes.section, paragraphs=paragraphs),
            usage=usage,
            notes=(*notes.notes, *more),
            by="" if shorter else ExtractiveWriter.name,
        )

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        notes = ExtractiveWriter(self._needed()).write(query, selected, Silent())
        prompts = (choice.prompt.text() for choice in _asked(_choices(notes)))
        return "\n\n".join(f"=== a sentence ===\n{prompt}" for prompt in prompts)

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate:
        calls = len(selected)  # tokens without the common prefix
        return Estimate(calls, 60 * calls, 12 * calls)

    def _needed(self) -> Embedder:
        if self._embedder is None:
            raise TypeError("this writer was made to estimate, without an embedder")
        return self._embedder

    def _ask(self, choice: Choice, monitor: Monitor) -> tuple[Any, Usage]:
        """The answer of the model; None if it is not JSON or was cut off."""
        monitor.check()
        prompt = choice.prompt
        try:
            return self._model.complete_json(
                prompt.system, prompt.user, choice.schema,
                max_tokens=prompt.max_tokens, monitor=monitor, cached_prefix=prompt.prefix,
            )  # fmt: skip
        except (WriterInvalid, WriterTruncated):
            return None, Usage(calls=1)


def _choices(notes: Written) -> list[Choice]:
    """The quotations of the notes that can be shortened, in order."""
    sentences = (sentence for sentence in notes.section.sentences if sentence.evidence)
    return [choice for sentence in sentences if (choice := choice_of(sentence))]


def _asked(choices: list[Choice]) -> list[Choice]:
    """The choices with several ends; else the first choice, so that a model that cannot be reached is noticed."""
    return [choice for choice in choices if len(choice.kept) > 1] or choices[:1]


def _with(
    paragraph: Sequence[Sentence], shorter: Mapping[Sentence, Sentence], papers: Mapping[str, Paper]
) -> tuple[Sentence, ...]:
    """The paragraph with shortened quotations, and with titles of papers that are not quoted or whose quotation is
    long. The comment for the author then says how the text was made."""
    if not shorter:
        return tuple(replace(s, text=ONLY_QUOTED) if s.text == THESE_ARE_NOTES else s for s in paragraph)
    sentences = list[Sentence]()
    for sentence in paragraph:
        if sentence.text == THESE_ARE_NOTES:
            sentence = replace(sentence, text=_HOW)
        if sentence in shorter:
            sentences.append(shorter[sentence])
            continue
        titled = set[str]()
        whole = sentence.text.startswith("write") or not sentence.textual
        is_poor = whole and "“" in sentence.text and len(sentence.text.split()) > _LONG
        for id in sentence.evidence if sentence.text == SEE_ALSO or is_poor else ():
            if title := of_title(papers[id], id, sentences[-1].text if sentences else ""):
                sentences.append(title)
                titled.add(id)
        others = tuple(id for id in sentence.evidence if id not in titled)
        if others or not titled:
            sentences.append(replace(sentence, evidence=others))
    return tuple(sentences)
