"""Writes a related-work section without a model, as notes. Similar papers share a paragraph; each is cited
with a sentence of its text, unchanged in quotation marks.

Nothing leaves the machine, and the notes say nothing about a paper that its text does not state."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ports import Embedder, Monitor, Written
from ...types import Matrix, Query, Section, Selected, Sentence
from ...types.papers import SAMPLE
from .key_sentences import LEAST_MARK, KeySentence, key_sentences
from .quotations import description, quotation

_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"
_NO_SENTENCE = "only the title is known, or no sentence of the text can be quoted"
_FARTHER = "other papers are more likely to answer the question"
_NO_ANSWER = "no sentence of its text that is known seems to answer the question"
ANSWERS = 5  # greatest number of sentences that are quoted for a question
SEE_ALSO = "See also."  # cites the papers of a paragraph that have no sentence to quote
_EACH = 4  # approximate number of papers of a paragraph
_MOST = 6  # greatest number of papers of a paragraph
ONLY_QUOTED = "These are notes, not prose. Text in quotation marks is copied word for word from the papers."
THESE_ARE_NOTES = (
    f"{ONLY_QUOTED} For prose, choose a large language model, with the setting writer.provider or with --writer "
    "on the command line."
)


class ExtractiveWriter:
    """The writer that needs no model: groups similar papers, and quotes and cites each."""

    name = "extractive"
    local = True

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Returns the notes, or the answer. Papers that are not cited are in `unused`, each with the reason.
        Raises `Cancelled`."""
        monitor.report("Choosing the sentences")
        question = query.text if query.kind == "question" else ""
        about = query.text or query.abstract or " ".join(part.text for part in query.parts)[:4000]
        focus = self._embedder.embed_query(about)
        monitor.check()
        vectors = _vectors(selected, self._embedder) if selected else np.zeros((0, len(focus)), np.float32)
        reasons = ["" if one.evidence else _NO_PASSAGE for one in selected]
        order = sorted(range(len(selected)), key=lambda i: selected[i].candidate.rank)
        kept = [i for i in order if not reasons[i]]
        papers, rows = [selected[i] for i in kept], vectors[kept]
        quoted = key_sentences(papers, rows, focus, self._embedder, question)
        monitor.check()
        if question:
            paragraphs = _listed(papers, quoted)
        else:
            nearness = rows @ focus
            groups = _grouped(rows @ rows.T)
            groups.sort(key=lambda group: -float(np.sort(nearness[group])[-3:].mean()))
            paragraphs = [_paragraph(group, papers, quoted) for group in groups]
        paragraphs = [paragraph for paragraph in paragraphs if paragraph]
        cited = {id for p in paragraphs for s in p for id in s.evidence}
        for i, each in zip(kept, quoted, strict=True):
            if not cited & {e.id for e in selected[i].evidence}:
                reasons[i] = _FARTHER if each else _NO_ANSWER if question else _NO_SENTENCE
        if paragraphs and not question:
            paragraphs.insert(0, (Sentence(THESE_ARE_NOTES, aside="note"),))
        title = "Answer" if question else "Related Work"
        unused = tuple((s.candidate.paper.id, r) for s, r in zip(selected, reasons, strict=True) if r)
        shown = ((e, one.text) for each in quoted for one in each for e in [one.evidence] if e in cited)
        return Written(Section(title, tuple(paragraphs)), unused=unused, supports=tuple(shown))

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


def _grouped(near: Matrix) -> list[list[int]]:
    """Groups the papers by average linkage. A paper that stays alone joins the most similar group."""
    groups = [[i] for i in range(len(near))]
    while len(groups) > max(1, round(len(near) / _EACH)):
        pairs = [
            (float(near[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(groups)
            for j, b in enumerate(groups[:i])
            if len(a) + len(b) <= _MOST
        ]
        if not pairs:
            break
        _, i, j = max(pairs)
        groups[j] += groups.pop(i)
    while len(groups) > 1 and (alone := next((group for group in groups if len(group) == 1), [])):
        groups.remove(alone)
        max(groups, key=lambda other: near[alone[0], other].mean()).extend(alone)
    return groups


def _listed(
    papers: Sequence[Selected], quoted: Sequence[tuple[KeySentence, ...]]
) -> list[tuple[Sentence, ...]]:
    """The sentences of the papers, the most likely paper first, each in its own paragraph: they do not follow
    from each other."""
    found = [(paper, each) for paper, each in zip(papers, quoted, strict=True) if each]
    return [tuple(_quotations(paper, each)) for paper, each in found[:ANSWERS]]


def _paragraph(
    group: Sequence[int], papers: Sequence[Selected], quoted: Sequence[tuple[KeySentence, ...]]
) -> tuple[Sentence, ...]:
    """The quotations from the papers of a group, oldest first, and a sentence that cites the others. Nothing says
    what the papers have in common: that they share a phrase does not make it their subject."""
    in_time = sorted(group, key=lambda i: (papers[i].candidate.paper.year or 9999, i))
    telling = [i for i in in_time if _is_telling(papers[i], quoted[i])]
    said = [sentence for i in telling for sentence in _quotations(papers[i], quoted[i])]
    others = tuple(sentence.evidence for i in in_time if i not in telling for sentence in quoted[i])
    said += [Sentence(SEE_ALSO, others)] if others else []
    return tuple(said)


def _quotations(paper: Selected, sentences: Sequence[KeySentence]) -> list[Sentence]:
    """The sentences with quotations from a paper. For the sample library there are no quotation marks,
    because the papers' authors did not write its abstracts."""
    authors = len(paper.candidate.paper.authors)
    make = description if paper.candidate.paper.origin == SAMPLE else quotation
    return [make(one.text, one.evidence, authors) for one in sentences]


def _is_telling(paper: Selected, sentences: Sequence[KeySentence]) -> bool:
    """Whether the quotation alone says enough of the paper."""
    return paper.candidate.paper.origin == SAMPLE or any(one.mark >= LEAST_MARK for one in sentences)


def _vectors(selected: Sequence[Selected], embedder: Embedder) -> Matrix:
    """The vectors of the papers, shape [papers, dimension]. Missing vectors are computed."""
    missing = [i for i, s in enumerate(selected) if s.candidate.vector is None]
    rows = {i: s.candidate.vector for i, s in enumerate(selected) if s.candidate.vector is not None}
    if missing:
        texts = [selected[i].candidate.paper.abstract or selected[i].candidate.paper.title for i in missing]
        rows |= dict(zip(missing, embedder.embed_documents(texts), strict=True))
    return np.asarray([rows[i] for i in range(len(selected))], dtype=np.float32)
