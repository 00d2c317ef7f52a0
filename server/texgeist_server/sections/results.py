"""Results for display: as LaTeX, as plain text with numbered references, and with advice for the author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from texgeist_latex.bib.authors import OTHERS
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_retrieval.types import Evidence, Passage, Query, Result, Selected, Sentence

from ..plain_text import cut
from ..references import reference_of
from .queries import in_words

if TYPE_CHECKING:
    from .runs import SearchHit

SIDE_HEADINGS = {
    "supports": "For it",
    "contradicts": "Against it",
    "neither": "On the subject, but neither for nor against",
    "not judged": "Not judged",
}


def section_of(result: Result) -> ProseSection:
    """The written section. Each sentence refers to papers instead of to evidence."""
    known = evidence_of(result)
    return ProseSection(
        result.section.title,
        tuple(tuple(_prose(s, known) for s in p) for p in result.section.paragraphs),
    )


def references_of(result: Result) -> tuple[Reference, ...]:
    return tuple(reference_of(selected.candidate.paper) for selected in result.selected)


def evidence_of(result: Result) -> dict[str, tuple[Selected, Evidence]]:
    """Every piece of evidence with its paper, by evidence id."""
    return {one.id: (selected, one) for selected in result.selected for one in selected.evidence}


def papers_of(part: Sentence, evidence: dict[str, tuple[Selected, Evidence]]) -> tuple[str, ...]:
    """Ids of the papers that the sentence or clause cites, without duplicates, in order."""
    known = (evidence[id][0].candidate.paper.id for id in part.evidence if id in evidence)
    return tuple(dict.fromkeys(known))


def _prose(sentence: Sentence, evidence: dict[str, tuple[Selected, Evidence]]) -> ProseSentence:
    clauses = tuple((clause.text, papers_of(clause, evidence)) for clause in sentence.clauses)
    return ProseSentence(
        sentence.text, papers_of(sentence, evidence), sentence.textual, sentence.lead, clauses, sentence.aside
    )


LONGEST_SHOWN = 300  # characters of a passage beside an answer


def answer_text(result: Result, asides: bool = True) -> str:
    """The text with numbered citations; [1] is the first selected paper. `asides`: include the sentences that
    are meant only for the author."""
    cited = [selected.candidate.paper for selected in result.selected]
    numbers = {paper.id: n for n, paper in enumerate(cited, 1)}
    names = {paper.id: authors_of(paper.authors) or f"“{paper.title}”" for paper in cited}
    paragraphs = []
    for paragraph in section_of(result).paragraphs:
        words = []
        for sentence in paragraph:
            if sentence.aside == "heading":
                words.append(f"{sentence.text}.")
                continue
            if sentence.aside and not asides:
                continue
            marks = ", ".join(str(numbers[r]) for r in sentence.references if r in numbers)
            if sentence.textual and sentence.references:
                subject = f"{names.get(sentence.references[0], '')} [{marks}]"
                words.append(" ".join(filter(None, [sentence.lead, subject, sentence.text])))
            elif marks:
                end = sentence.text[-1:] if sentence.text[-1:] in ".?!" else ""
                words.append(f"{sentence.text.removesuffix(end)} [{marks}]{end}")
            else:
                words.append(sentence.text)
        paragraphs.append(" ".join(words))
    return "\n\n".join(filter(None, paragraphs))


def markdown_of(result: Result) -> str:
    """The section with numbered citations, and the list of its papers. Sentences that are meant only for the
    author are quoted above the section."""
    asides = [f"> {_in_markdown(s.text)}" for s in result.section.sentences if s.aside in ("needs", "note")]
    references = "\n".join(f"- {_in_markdown(line)}" for line in reference_lines(result))
    text = _in_markdown(answer_text(result, asides=False))
    title = f"## {_in_markdown(result.section.title)}"
    return "\n\n".join([title, *asides, text, "### References", references])


def _in_markdown(text: str) -> str:
    """Escapes the characters that Markdown would take for formatting, links or HTML."""
    return re.sub(r"[\\`*_<>#|~]|(?<=\])\(", r"\\\g<0>", text)


def authors_of(authors: tuple[str, ...]) -> str:
    """Authors in short: "Smith", "Smith and Jones" or "Smith et al."; "" if they are unknown."""
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in authors if name.strip()]
    if not names:
        return ""
    return f"{names[0]} et al." if len(names) > 2 or names[1:] == [OTHERS] else " and ".join(names)


def reference_lines(result: Result) -> Iterator[str]:
    """Yields "[1] Smith et al. (2020). Title. https://…" for each paper."""
    for number, reference in enumerate(references_of(result), 1):
        year = f"({reference.year})" if reference.year else ""
        title = reference.title if reference.title.endswith((".", "?", "!")) else f"{reference.title}."
        if reference.authors:
            parts = [f"{' '.join(filter(None, [authors_of(reference.authors), year]))}.", title]
        else:
            parts = [title, year and f"{year}."]
        yield " ".join(filter(None, [f"[{number}]", *parts, reference.url]))


def cited_passages(result: Result, selected: Selected) -> tuple[Evidence, ...]:
    """The passages of the paper that the text cites; empty if no passages were searched."""
    if result.run is None:
        return ()
    used = {id for sentence in result.section.sentences for id in sentence.evidence}
    return tuple(one for one in selected.evidence if one.id in used)


def place_of(one: Evidence) -> str:
    """The place of the passage for display, such as "Results, p. 4"."""
    passage = one.passage
    page = f"p. {passage.page}" if passage.page else ""
    return ", ".join(filter(None, [passage.heading or passage.section, page])) or "passage"


def quoted(one: Evidence) -> str:
    """The beginning of the passage, in quotation marks."""
    return f"“{cut(one.passage.text, LONGEST_SHOWN)}”"


def hit_json(hit: SearchHit) -> dict[str, Any]:
    """The part of a search result that is the same on the command line and for assistants, as plain data. Callers
    add id, title, authors, year and abstract."""
    paper = reference_of(hit.candidate.paper)
    return {
        "venue": paper.venue,
        "arxiv_id": paper.arxiv_id,
        "doi": paper.doi,
        "url": paper.url,
        "chance": hit.candidate.chance,
        "similarity": round(float(hit.candidate.similarity), 4),
        "why": hit.why,
        "passages": [passage_json(one) for one in hit.passages],
    }


def passage_json(one: Evidence) -> dict[str, Any]:
    passage = one.passage
    return {
        "section": passage.section,
        "heading": passage.heading,
        "page": passage.page,
        "text": passage.text,
        "score": round(one.score, 4),
    }


def best_passage(selected: Selected) -> Passage:
    """The passage that is quoted in the reasons for the paper; else the paper's most similar passage; else
    its abstract."""
    told = selected.reasons
    if told.theirs:
        return Passage(selected.candidate.paper.id, told.page, told.theirs, heading=told.heading)
    if not selected.evidence:
        return Passage(selected.candidate.paper.id, None, selected.candidate.paper.abstract)
    return max(selected.evidence, key=lambda one: one.similarity).passage


def advice(result: Result, language: str = "en") -> tuple[str, ...]:
    """Sentences of advice for the author. `language`: the language of the document (ISO 639-1)."""
    return tuple(filter(None, [_on_abstract(result.query), _on_language(result, language)]))


def _on_abstract(query: Query) -> str:
    """Advice to write an abstract if the query needed an abstract and the draft has none; else ""."""
    if query.by_introduction or (query.kind == "draft" and not query.abstract):
        return (
            f"Your draft has no abstract, so {in_words(query)} was used for the search. With an abstract, the "
            "papers fit better."
        )
    return ""


def _on_language(result: Result, language: str) -> str:
    if result.writer != "extractive" or language in ("", "en") or not result.section.sentences:
        return ""
    return (
        f"The built-in writer writes English, and your document is in another language ({language}): "
        "translate the section, or choose a language model as the writer."
    )
