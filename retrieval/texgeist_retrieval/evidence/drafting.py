"""Drafts a section from gathered evidence and the author's text. A model writes text; without a model, notes
are made.

The author's text stays unchanged, and new text is added after it, so that the edit shows only new text. The
writer cites numbered evidence, and names the passages of the draft that support a sentence; it never sees
keys or LaTeX. If no passage of the draft supports a statement on the author's work, the statement becomes a
comment to the author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from ..models.structured_call import add
from ..ports import Embedder, LanguageModel, Monitor, Written
from ..text.sentences import is_rubble, split_sentences
from ..types import (
    AskedQuery,
    Candidate,
    Evidence,
    EvidenceRun,
    Paper,
    Query,
    QueryPart,
    Reasons,
    Section,
    Selected,
    Sentence,
)
from ..writing.extractive.key_sentences import may_answer
from ..writing.extractive.writer import ANSWERS
from ..writing.model.checks import Material, is_unfounded, tidy
from ..writing.model.section_prompts import OWN, draft_prompt, own_passages, words_of
from ..writing.model.writer import draft_text, left_out, paragraphs_of, repaired

MOST_NOTES = 12  # notes of an outline
_LONGEST_NOTE = 60  # words of a note
_MOST_NEEDS = 8
NOTHING = "Nothing that was found supports this section, so nothing was written."


def material_of(query: Query, selected: Sequence[Selected], embedder: Embedder | None = None) -> Material:
    """The texts that the sentences of a drafted section or of an answer are compared with."""
    if query.brief is None:
        return Material.for_query(query, selected, embedder)
    material = Material.of(selected, f"{query.abstract}\n{query.written}", embedder)
    texts = {id: text for id, (_, text) in own_passages(query).items()}
    return replace(
        material,
        own=texts,
        founded=True,
        names=material.names.knowing([query.title, query.introduction, *texts.values()]),
    )


def selected_of(run: EvidenceRun) -> tuple[Selected, ...]:
    """The run's evidence, grouped by paper; the paper with the best evidence comes first."""
    by_paper: dict[str, list[Evidence]] = {}
    for one in run.evidence:  # the vectors are made by the search's model, and the writer may have another
        bare = replace(one, passage=replace(one.passage, vector=None))
        by_paper.setdefault(one.passage.paper_id, []).append(bare)
    known = {paper.id: paper for paper in run.papers}
    return tuple(
        _selected(known.get(id) or Paper(id, id), evidence, rank, run.queries)
        for rank, (id, evidence) in enumerate(by_paper.items(), 1)
    )


def asked_as(query: Query, run: EvidenceRun) -> Query:
    """The query with all queries of the run as its parts, so that each paper refers to the query that found
    it."""
    parts = tuple(QueryPart(asked.text, _label(asked)) for asked in run.queries)
    return replace(query, parts=parts or query.parts)


def _label(asked: AskedQuery) -> str:
    """The query as shown to the user: the part of the draft that it comes from, else its words."""
    return asked.why if asked.by == "default" and asked.why else f"“{asked.text}”"


def _selected(
    paper: Paper, evidence: Sequence[Evidence], rank: int, queries: Sequence[AskedQuery]
) -> Selected:
    best = evidence[0]
    found_by = next((n for n, asked in enumerate(queries) if asked.text == best.query), 0)
    nearness = max(one.similarity for one in evidence)
    candidate = Candidate(paper, nearness, rank, found_by, best.score)
    why = best.summary or (f"found for {_label(queries[found_by])}" if queries else "")
    return Selected(candidate, tuple(evidence), best.score, reasons=Reasons(numbers=why))


class SectionWriter:
    """A `Writer` that drafts a section with a language model. With an `embedder`, it detects sentences that
    cite the wrong paper."""

    def __init__(
        self, model: LanguageModel, embedder: Embedder | None = None, instructions: str = ""
    ) -> None:
        self._model = model
        self._embedder = embedder
        self._instructions = instructions

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def local(self) -> bool:
        return self._model.local

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Writes the missing part of the section. Invalid answers are repaired once; then raises
        `WriterError`s. Also raises `Cancelled`."""
        title = query.brief.heading if query.brief else ""
        if not any(s.evidence for s in selected):
            return Written(Section(title, ()), notes=(NOTHING,))
        monitor.report("Writing the section")
        own = own_passages(query)
        prompt = draft_prompt(query, own, selected, self._instructions)
        material = material_of(query, selected, self._embedder)
        cites = query.brief is None or query.brief.section != "abstract"
        words = words_of(query)
        draft, usage = draft_text(self._model, prompt, material, words, monitor, needs=True, cites=cites)
        kept, out, spent = repaired(self._model, prompt, draft.paragraphs, material, monitor, OWN)
        lacking = [
            each.sentence for each, _ in out if not each.unknown and is_unfounded(each.sentence, material)
        ]
        needs = [*draft.needs, *(f"your own words, or a source, for “{s.text}”" for s in lacking)]
        section = with_needs(Section(title, paragraphs_of(kept)), needs[:_MOST_NEEDS])
        faults = [fault for each, fault in out if each.sentence not in lacking]
        return Written(section, add(usage, spent), notes=left_out(faults))

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """The exact text that `write` would send, except for the schema."""
        return draft_prompt(query, own_passages(query), selected, self._instructions).text()

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


def with_needs(section: Section, needs: Sequence[str]) -> Section:
    """The section with the model's requests to the author at its end."""
    asides = tuple(Sentence(need, aside="needs") for need in needs)
    return replace(section, paragraphs=(*section.paragraphs, asides)) if asides else section


class OutlineWriter:
    """A `Writer` without a model: writes notes to the author, which quote a sentence of each passage and cite
    its paper.

    Notes are comments in the document, so that no unfinished text gets into the PDF. A note puts the paper's
    words in quotation marks, and is valid LaTeX when the user removes its percent sign."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    name = "extractive"
    local = True

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        asked = query.kind == "question"
        title = "Answer" if asked else query.brief.heading if query.brief else ""
        found = sorted((e for s in selected for e in s.evidence), key=lambda e: -e.score)[:MOST_NOTES]
        if not found:
            return Written(Section(title, ()), notes=() if asked else (NOTHING,))
        if asked:  # a list, because the passages do not follow from each other
            notes = (self._note(e) for e in found if may_answer(query.text, self._telling(e)))
            return Written(Section(title, tuple((note,) for note in islice(notes, ANSWERS))))
        order = list(dict.fromkeys(e.query for e in found))
        paragraphs = [tuple(self._note(e) for e in found if e.query == text) for text in order]
        return Written(Section(title, tuple(paragraphs)))

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None

    def _note(self, evidence: Evidence) -> Sentence:
        passage = evidence.passage
        sentence = self._telling(evidence)
        # only the passage's first page is known; a later sentence may be on the next page
        page = f"p. {passage.page}" + ("" if passage.text.lstrip().startswith(sentence) else " f.")
        where = ", ".join(filter(None, [passage.heading or passage.section, page if passage.page else ""]))
        words = " ".join(sentence.split()).split(" ")
        short = tidy(" ".join(words[:_LONGEST_NOTE]) + (" …" if len(words) > _LONGEST_NOTE else ""))
        text = f"“{short}”" + (f" ({where})." if where else "")
        return Sentence(text, (evidence.id,), aside="note")

    def _telling(self, evidence: Evidence) -> str:
        """The sentence of the passage that is most similar to the query of the evidence; without an embedder,
        the first."""
        sentences = [s for s in split_sentences(evidence.passage.text) if not is_rubble(s)] or [
            evidence.passage.text
        ]
        if self._embedder is not None and len(sentences) > 1:
            rows = self._embedder.embed_documents(sentences)
            sentences = [sentences[int(np.argmax(rows @ self._embedder.embed_query(evidence.query)))]]
        return sentences[0]
