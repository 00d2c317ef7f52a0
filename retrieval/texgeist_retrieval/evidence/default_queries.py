"""The default queries of a section, from the draft's material for it.

Each kind of section needs different evidence: an Introduction needs the problem and earlier approaches,
Methods need the sources of methods, data and measures, Results and Discussion need findings that agree or
disagree, a Conclusion needs related findings. The queries for each kind therefore come from different parts
of the draft."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ..text.sentences import split_sentences
from ..types import Query, QueryPart, SectionBrief
from .methods import TEXGEIST, GatheringMethod

_LONGEST = 700  # characters of a query, approximately the context of an embedding model
_FEWEST = 4  # a shorter query, in words, is not used
_SAYS = 12  # a shorter paragraph, in words, is not used
_LAYOUT = re.compile(
    r"^(?:The (?:remainder|rest) of (?:this|the|our) \w+|(?:This|The|Our) (?:paper|article|thesis|chapter|work) is (?:organi[sz]ed|structured)"
    r"|(?:Then |Next |Finally |Lastly |And |, )*(?:[Ii]n )?(?:[Ss]ection|[Cc]hapter|[Aa]ppendix)\b)",
)


def default_queries(query: Query, method: GatheringMethod = TEXGEIST) -> tuple[QueryPart, ...]:
    """The queries of the method, the most specific first, without duplicates; empty only if the draft has no
    words."""
    if query.kind == "question":  # the question alone is searched
        return (QueryPart(query.text, "your question"),) if query.text.strip() else ()
    brief = query.brief or SectionBrief("other", query.text)
    found: dict[str, QueryPart] = {}
    for text, label in _material(query, brief):
        _add(found, text, label)
    for sentence in split_sentences(query.abstract):
        if len(found) < method.fewest_queries:
            _add(found, sentence, "a sentence of your abstract")
    if not found:
        title = " ".join([query.title, brief.heading]).strip()
        return (QueryPart(title, "your title"),) if title else ()
    return tuple(found.values())[: method.most_queries]


def _add(found: dict[str, QueryPart], text: str, label: str) -> None:
    bare = _cut(" ".join(text.split()))
    if len(bare.split()) >= _FEWEST:
        found.setdefault(bare.lower(), QueryPart(bare, label))


Texts = list[tuple[str, str]]  # pairs of a text and its label


def _material(query: Query, brief: SectionBrief) -> Iterator[tuple[str, str]]:
    abstract = split_sentences(query.abstract)
    own = _paragraphs(query.written, brief.heading)
    rest = [
        own,
        _joined(abstract[:2], "how your abstract begins"),
        _joined(abstract[2:], "the rest of your abstract"),
    ]
    yield from chain(*_first(brief, abstract, own), *rest)


def _first(brief: SectionBrief, abstract: list[str], own: Texts) -> list[Texts]:
    """The most specific texts for this kind of section."""
    captions = [(caption, "a caption") for caption in brief.captions[:2]]
    begin = _joined(abstract[:2], "how your abstract begins")
    ending = _joined(abstract[-2:], "how your abstract ends")
    findings = _notes(brief, "findings", "finding", "limitation", "hypothesis")
    match brief.section:
        case "introduction":
            return [own[:2], begin, _notes(brief, "hypothesis", "question", "plan", ""), own[2:4]]
        case "methods":
            middle = _joined(abstract[1:-1], "the middle of your abstract")
            return [own[:3], middle, _notes(brief, "method", "plan", ""), captions]
        case "results":
            tables = [(_of_table(table), "what a table compares") for table in brief.tables[:1]]
            return [findings, own[:2], ending, captions, tables]
        case "discussion" | "conclusion":
            neighbours = [_paragraphs(text, heading)[-1:] for heading, text in brief.neighbours[:2]]
            return [findings, own[:2], ending, *neighbours]
    return [own[:4], _notes(brief, *dict.fromkeys(note.kind for note in brief.notes))]


def _notes(brief: SectionBrief, *kinds: str) -> Texts:
    named = [note for kind in kinds for note in brief.notes if note.kind == kind]
    return [(n.text, f"your note on the {n.kind}" if n.kind else "your note") for n in named[:3]]


def _paragraphs(text: str, heading: str) -> Texts:
    """The paragraphs with enough words, each with its place as a label for the user. Sentences about the
    structure of the paper are left out."""
    found = [p for p in text.split("\n\n") if len(p.split()) >= _SAYS]
    kept = [" ".join(one for one in split_sentences(p) if not _LAYOUT.search(one)) for p in found]
    return [(p, f"“{heading}”, paragraph {n}") for n, p in enumerate(kept, 1) if len(p.split()) >= _SAYS]


def _cut(text: str) -> str:
    """Cuts at a word boundary, to `_LONGEST` characters."""
    return text if len(text) <= _LONGEST else text[: _LONGEST + 1].rpartition(" ")[0] or text[:_LONGEST]


def _joined(some: list[str], label: str) -> Texts:
    return [(" ".join(some), label)] if some else []


def _of_table(table: str) -> str:
    """The words of the table's first row and first column. Its numbers are left out, because they occur in no
    other paper."""
    lines = table.split("\n")
    words = [lines[0].replace("|", " "), *(line.split("|")[0] for line in lines[1:])]
    return " ".join(" ".join(words).split())
