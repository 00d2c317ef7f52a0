"""Writes a section with a small model, which retells the quotations of the notes.

The writer of notes (`extractive`) chooses the papers, the themes and a sentence of each paper to quote. The
model retells each of these sentences in a separate request. If its sentence does not agree with the source
after two attempts, the quotation stays. So in the worst case, the section consists of the same quotations as
the notes.

A model of 1.5 B parameters was also asked for an opening sentence of each theme, given the titles. It wrote
claims ("many-shot in-context learning has been shown to be robust to noise"), so the neutral openings of the
notes stay."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...costs import Estimate
from ...errors import WriterInvalid, WriterTruncated
from ...models.structured_call import Prompt, Schema, add
from ...monitor import Silent
from ...ports import Embedder, LanguageModel, Monitor, Written
from ...text.sentences import clean
from ...types import Query, Selected, Sentence, Usage
from ..extractive.writer import KEPT, THESE_ARE_NOTES, ExtractiveWriter
from ..model.checks import Material
from .retelling import Source, disagreements, retelling_prompt, retelling_schema, sentences_of, source_of

_TRIES = 2
_SECONDS = 240.0  # after this time, the other papers are quoted
_NO_FORM = "It does not say what the authors did."
_DISAGREED = "{} of {} papers are quoted, because the model's sentences did not agree with them."
_LATE = "{} of {} papers are quoted, because the {:.0f} seconds for the model were over."
_NOTHING_TO_RETELL = (
    "The notes quote no abstract that the model could retell, so they are as without a model."
)
_QUOTED = re.compile("“([^”]+)”")
_HOW = (
    "A model on this machine retold the papers in this section, sentence by sentence, each from the paper's own words. "
    "What stands in quotation marks is word for word: the model's sentence did not agree with its source, or its time "
    "was over."
)


class SmallWriter:
    """A writer for models that cannot deal with thirty papers at once. `seconds`: the time for all requests;
    papers for which no time is left are quoted. Without an `embedder`, only `estimate` can be called."""

    def __init__(
        self, model: LanguageModel, embedder: Embedder | None = None, seconds: float = _SECONDS
    ) -> None:
        self._model, self._embedder, self._seconds = model, embedder, seconds

    @property
    def name(self) -> str:
        return f"{self._model.name}, sentence by sentence"

    @property
    def local(self) -> bool:
        return self._model.local

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Returns the section. Raises `Cancelled`, and `WriterError` if the model's server does not
        answer."""
        embedder = self._needed()
        notes = ExtractiveWriter(embedder).write(query, selected, monitor)
        sources = _sources(notes, selected)
        material = Material.for_query(query, selected, embedder)
        retold, until = dict[Sentence, tuple[Sentence | None, Usage]](), time.monotonic() + self._seconds
        for place, (quotation, source) in enumerate(sources.items()):
            monitor.report("Retelling the papers", place, len(sources))
            if time.monotonic() < until:
                retold[quotation] = self._retell(source, material, monitor)
        sentences = {quotation: sentence for quotation, (sentence, _) in retold.items() if sentence}
        paragraphs = tuple(_with(paragraph, sentences) for paragraph in notes.section.paragraphs)
        late, disagreed = len(sources) - len(retold), len(retold) - len(sentences)
        more = [] if sources else [_NOTHING_TO_RETELL]
        more += [_DISAGREED.format(disagreed, len(sources))] if disagreed else []
        more += [_LATE.format(late, len(sources), self._seconds)] if late else []
        return replace(
            notes,
            section=replace(notes.section, paragraphs=paragraphs),
            usage=add(*(usage for _, usage in retold.values())),
            supports=tuple((sources[q].evidence, " ".join(sources[q].sentences)) for q in sentences),
            notes=(*notes.notes, *more),
            by="" if sentences else ExtractiveWriter.name,
        )

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        notes = ExtractiveWriter(self._needed()).write(query, selected, Silent())
        prompts = (retelling_prompt(source).text() for source in _sources(notes, selected).values())
        return "\n\n".join(f"=== a sentence ===\n{prompt}" for prompt in prompts)

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate:
        calls = min(len(selected), KEPT)  # tokens without the common prefix
        return Estimate(calls, 100 * calls, 40 * calls)

    def _needed(self) -> Embedder:
        if self._embedder is None:
            raise TypeError("this writer was made to estimate, without an embedder")
        return self._embedder

    def _retell(self, source: Source, material: Material, monitor: Monitor) -> tuple[Sentence | None, Usage]:
        """The model's sentence for a source, None if no sentence agrees with the source. The second request
        names the faults of the first answer."""
        usage, problems = Usage(), list[str]()
        for _ in range(_TRIES):
            answer, spent = self._ask(retelling_prompt(source, problems), retelling_schema(source), monitor)
            usage, problems = add(usage, spent), []
            for sentence in sentences_of(answer, source):
                faults = disagreements(sentence, source, material, self._needed())
                if not faults:
                    return sentence, usage
                problems = problems or faults
            problems = problems or [_NO_FORM]
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
            return None, Usage()


def _sources(notes: Written, selected: Sequence[Selected]) -> dict[Sentence, Source]:
    """The sentences of the notes that contain a quotation, in order, each with the source of the
    quotation."""
    owner = {e.id: (s.candidate.paper, e.passage) for s in selected for e in s.evidence}
    made = dict[Sentence, Source]()
    for sentence in (s for s in notes.section.sentences if s.evidence):
        quoted = _QUOTED.findall(sentence.text)
        paper, passage = owner[sentence.evidence[0]]
        if quoted and quoted[-1] != clean(paper.title).rstrip("."):
            text = passage.text if quoted[-1] in clean(passage.text) else paper.abstract
            made[sentence] = source_of(sentence.evidence[0], paper, text, quoted[-1])
    return made


def _with(paragraph: Sequence[Sentence], retold: Mapping[Sentence, Sentence]) -> tuple[Sentence, ...]:
    """The paragraph with the model's sentences in place of the quotations. The comment for the author then
    says how the text was made."""
    sentences = [retold.get(sentence, sentence) for sentence in paragraph]
    if retold:
        sentences = [replace(s, text=_HOW) if s.text == THESE_ARE_NOTES else s for s in sentences]
    return tuple(sentences)
