"""A result in the terms of the LaTeX side: the only place where a paper becomes a reference."""

from __future__ import annotations

from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_retrieval.types import Clause, Evidence, Paper, Result, Selected, Sentence


def section_of(result: Result) -> ProseSection:
    """The written section, each sentence with the papers that it stands on in place of the evidence."""
    known = evidence_of(result)
    return ProseSection(
        result.section.title,
        tuple(tuple(_prose(s, known) for s in p.sentences) for p in result.section.paragraphs),
    )


def references_of(result: Result) -> tuple[Reference, ...]:
    return tuple(reference_of(selected.candidate.paper) for selected in result.selected)


def reference_of(paper: Paper) -> Reference:
    """The paper as a bibliography needs it."""
    is_arxiv = ":" not in paper.id
    return Reference(
        id=paper.id,
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        arxiv_id=paper.id if is_arxiv else "",
        primary_class=paper.primary,
        doi=paper.doi or (paper.id.removeprefix("doi:") if paper.id.startswith("doi:") else ""),
        venue=paper.venue,
        kind="article" if paper.venue and not is_arxiv else "preprint",
        url=paper.url or (f"https://arxiv.org/abs/{paper.id}" if is_arxiv else ""),
    )


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
