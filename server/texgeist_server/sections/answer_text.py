"""An answer in words with numbered references, for a terminal and for a panel."""

from __future__ import annotations

from collections.abc import Iterator

from texgeist_retrieval.types import Evidence, Passage, Result, Selected

from .in_latex import references_of, section_of, sentences_of

LONGEST_SHOWN = 300  # characters of a passage beside an answer


def answer_text(result: Result) -> str:
    """The paragraphs; [1] is the first paper."""
    cited = [selected.candidate.paper for selected in result.selected]
    numbers = {paper.id: n for n, paper in enumerate(cited, 1)}
    names = {paper.id: authors_of(paper.authors) for paper in cited}
    paragraphs = []
    for paragraph in section_of(result).paragraphs:
        words = []
        for sentence in paragraph:
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
    return "\n\n".join(paragraphs)


def authors_of(authors: tuple[str, ...]) -> str:
    """ "Smith", "Smith and Jones", "Smith et al."."""
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in authors if name.strip()]
    if not names:
        return "The authors"
    return names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."


def reference_lines(result: Result) -> Iterator[str]:
    """ "[1] Smith et al. (2020). Title. https://…", one a paper."""
    for number, reference in enumerate(references_of(result), 1):
        names = authors_of(reference.authors) if reference.authors else ""
        year = f"({reference.year})" if reference.year else ""
        who = " ".join(filter(None, [names, year]))
        title = reference.title if reference.title.endswith((".", "?", "!")) else f"{reference.title}."
        yield " ".join(filter(None, [f"[{number}]", f"{who}." if who else "", title, reference.url]))


def cited_passages(result: Result, selected: Selected) -> tuple[Evidence, ...]:
    """The passages of a paper that the words stand on, where these were found by a search of passages."""
    if result.run is None:
        return ()
    used = {id for sentence in sentences_of(result) for id in sentence.evidence}
    return tuple(one for one in selected.evidence if one.id in used)


def place_of(one: Evidence) -> str:
    """ "Results, p. 4", for people."""
    passage = one.passage
    page = f"p. {passage.page}" if passage.page else ""
    return ", ".join(filter(None, [passage.heading or passage.section, page])) or "passage"


def quoted(one: Evidence) -> str:
    """How the passage begins, in quotation marks."""
    words = " ".join(one.passage.text.split())
    return f"“{words}”" if len(words) <= LONGEST_SHOWN else f"“{words[:LONGEST_SHOWN].rpartition(' ')[0]} …”"


def best_passage(selected: Selected) -> Passage:
    """What the paper is there for: the passage that its reasons quote, else its nearest."""
    told = selected.reasons
    if told.theirs:
        return Passage(selected.candidate.paper.id, told.page, told.theirs)
    if not selected.evidence:
        return Passage(selected.candidate.paper.id, None, selected.candidate.paper.abstract)
    return max(selected.evidence, key=lambda one: one.similarity).passage
