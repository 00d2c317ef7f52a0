"""Writes a section with a small model, which retells the quotations of the notes.

The writer of notes (`extractive`) chooses the papers, their groups and a sentence of each paper to quote. The
model retells each of these sentences in a separate request. If its sentence does not agree with the source,
the quotation stays. So in the worst case, the section consists of the same quotations as
the notes.

A model of 1.5 B parameters was also asked for an opening sentence of each paragraph, given the titles. It wrote
claims ("many-shot in-context learning has been shown to be robust to noise"), so there are none."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...costs import Estimate
from ...defaults import SECTION_SECONDS
from ...errors import WriterInvalid, WriterTimedOut, WriterTruncated
from ...models.structured_call import Prompt, Schema, add
from ...monitor import Silent
from ...ports import Embedder, LanguageModel, Monitor, Written
from ...text.sentences import clean
from ...types import Query, Selected, Sentence, Usage
from ..extractive.key_sentences import MAKING
from ..extractive.writer import ONLY_QUOTED, THESE_ARE_NOTES, ExtractiveWriter
from ..model.checks import Material
from .retelling import (
    Source,
    agrees,
    retelling_prompt,
    retelling_schema,
    sentences_of,
    source_of,
    with_marks,
)

_DISAGREED = "{} of {} papers are quoted, because the model's sentences did not agree with them."
_LATE = (
    "{} of {} papers are quoted, because the model was too slow: it has {:.0f} s for a section. "
    "`texgeist config set writer.timeoutSeconds {:.0f}` gives it more time."
)
_MOST_SECONDS = 3600  # that the setting can have
_NOTHING_TO_RETELL = (
    "The notes quote no abstract that the model could retell, so they are as without a model."
)
_QUOTED = re.compile("“([^”]+)”")
_HOW = (
    "A model on this machine shortened sentences of the papers. Its sentences are close to the papers' words: compare "
    "them with the papers, and reword them before you submit. Text in quotation marks is copied word for word."
)
_OFFERING = MAKING[:3]  # verbs that can replace each other


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
        return f"{self._model.name}, sentence by sentence"

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
        sources = _sources(notes, selected)
        material = Material.for_query(query, selected, embedder)
        retold, usage, answers, began = dict[Sentence, Sentence](), Usage(), 0, time.monotonic()
        for asked, (quotation, source) in enumerate(sources.items()):
            if (spent := time.monotonic() - began) >= self._seconds:
                break
            share = max(asked / len(sources), spent / self._seconds)  # it ends when the time is over
            monitor.report(
                f"Retelling {len(sources)} paper{'s' * (len(sources) > 1)}", round(100 * share), 100
            )
            try:
                sentence, tokens = self._retell(source, material, _Until(monitor, began + self._seconds))
            except WriterTimedOut:  # perhaps only this answer
                continue
            usage, answers = add(usage, tokens), answers + 1
            if sentence:
                retold[quotation] = sentence
        paragraphs = tuple(_with(paragraph, retold) for paragraph in notes.section.paragraphs)
        late, disagreed = len(sources) - answers, answers - len(retold)
        more = [] if sources else [_NOTHING_TO_RETELL]
        more += [_DISAGREED.format(disagreed, len(sources))] if disagreed else []
        longer = min(2 * self._seconds, _MOST_SECONDS)
        more += [_LATE.format(late, len(sources), self._seconds, longer)] if late else []
        shown = {sources[q].evidence: " ".join(sources[q].sentences) for q in retold}
        return replace(
            notes,
            section=replace(notes.section, paragraphs=paragraphs),
            usage=usage,
            supports=tuple({**dict(notes.supports), **shown}.items()),
            notes=(*notes.notes, *more),
            by="" if retold else ExtractiveWriter.name,
        )

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        notes = ExtractiveWriter(self._needed()).write(query, selected, Silent())
        prompts = (retelling_prompt(source).text() for source in _sources(notes, selected).values())
        return "\n\n".join(f"=== a sentence ===\n{prompt}" for prompt in prompts)

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate:
        calls = len(selected)  # tokens without the common prefix
        return Estimate(calls, 100 * calls, 40 * calls)

    def _needed(self) -> Embedder:
        if self._embedder is None:
            raise TypeError("this writer was made to estimate, without an embedder")
        return self._embedder

    def _retell(self, source: Source, material: Material, monitor: Monitor) -> tuple[Sentence | None, Usage]:
        """The model's sentence for a source, None if no sentence agrees with the source. It is not asked again,
        because the time is better spent on the next paper."""
        answer, usage = self._ask(retelling_prompt(source), retelling_schema(source), monitor)
        for sentence in sentences_of(answer, source):
            marked = with_marks(sentence, source)
            if marked and agrees(sentence, source, material, self._needed()):
                return marked, usage
        return None, usage

    def _ask(self, prompt: Prompt, schema: Schema, monitor: Monitor) -> tuple[Any, Usage]:
        """The answer of the model; None if it is not JSON or was cut off."""
        monitor.check()
        try:
            return self._model.complete_json(
                prompt.system, prompt.user, schema,
                max_tokens=prompt.max_tokens, monitor=monitor, cached_prefix=prompt.prefix,
            )  # fmt: skip
        except (WriterInvalid, WriterTruncated):
            return None, Usage(calls=1)


def _sources(notes: Written, selected: Sequence[Selected]) -> dict[Sentence, Source]:
    """The sentences of the notes that contain a quotation, in order, each with the source of the
    quotation."""
    owner = {e.id: (s.candidate.paper, e.passage) for s in selected for e in s.evidence}
    made = dict[Sentence, Source]()
    for sentence in (s for s in notes.section.sentences if s.evidence):
        quoted = _QUOTED.findall(sentence.text)
        paper, passage = owner[sentence.evidence[0]]
        if quoted:
            text = passage.text if quoted[-1] in clean(passage.text) else paper.abstract
            made[sentence] = source_of(sentence.evidence[0], paper, text, quoted[-1])
    return made


def _with(paragraph: Sequence[Sentence], retold: Mapping[Sentence, Sentence]) -> tuple[Sentence, ...]:
    """The paragraph with the model's sentences in place of the quotations. The comment for the author then
    says how the text was made."""
    sentences = list[Sentence]()
    for sentence in paragraph:
        previous = sentences[-1].text if sentences else ""
        sentences.append(_varied(retold[sentence], previous) if sentence in retold else sentence)
    how = _HOW if retold else ONLY_QUOTED
    return tuple(replace(s, text=how) if s.text == THESE_ARE_NOTES else s for s in sentences)


def _varied(sentence: Sentence, previous: str) -> Sentence:
    """The sentence with another verb if the previous sentence begins with the same one."""
    verb, _, rest = sentence.text.partition(" ")
    bare = verb.removesuffix("s")
    if not sentence.textual or bare not in _OFFERING or previous.split(" ")[0].removesuffix("s") != bare:
        return sentence
    other = _OFFERING[(_OFFERING.index(bare) + 1) % len(_OFFERING)]
    return replace(sentence, text=f"{other}{verb.removeprefix(bare)} {rest}")
