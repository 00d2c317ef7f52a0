"""A result in the terms of the LaTeX side."""

from __future__ import annotations

from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_retrieval.types import Clause, Evidence, Result, Selected, Sentence

from ..references import reference_of


def section_of(result: Result) -> ProseSection:
    """The written section, each sentence with the papers that it stands on in place of the evidence."""
    known = evidence_of(result)
    return ProseSection(
        result.section.title,
        tuple(tuple(_prose(s, known) for s in p.sentences) for p in result.section.paragraphs),
    )


def references_of(result: Result) -> tuple[Reference, ...]:
    return tuple(reference_of(selected.candidate.paper) for selected in result.selected)


def sentences_of(result: Result) -> list[Sentence]:
    return [sentence for paragraph in result.section.paragraphs for sentence in paragraph.sentences]


def evidence_of(result: Result) -> dict[str, tuple[Selected, Evidence]]:
    """Every piece of evidence by its id, with the paper that it is of."""
    return {one.id: (selected, one) for selected in result.selected for one in selected.evidence}


def papers_of(part: Sentence | Clause, evidence: dict[str, tuple[Selected, Evidence]]) -> tuple[str, ...]:
    """Ids of the papers that the sentence, or a clause of it, cites, each once, in its order."""
    known = (evidence[id][0].candidate.paper.id for id in part.evidence if id in evidence)
    return tuple(dict.fromkeys(known))


def _prose(sentence: Sentence, evidence: dict[str, tuple[Selected, Evidence]]) -> ProseSentence:
    clauses = tuple((clause.text, papers_of(clause, evidence)) for clause in sentence.clauses)
    return ProseSentence(
        sentence.text, papers_of(sentence, evidence), sentence.textual, sentence.lead, clauses, sentence.aside
    )
