"""Between reading and retrieval: what a draft asks for, what stands in its related-work section already, and how much
room there is for more."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from texgeist_latex.disk.paths import tidy
from texgeist_latex.errors import LatexError, NoPlace
from texgeist_latex.types import BibEntry, Draft, Span, TextPage
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.paths import expanded
from texgeist_retrieval.types import CitedWork, Query, QueryKind, QueryPart

SHARE = 0.13  # of a paper's words that its related-work section has
LEAST, MOST = 250, 800  # words of a section
LEAST_MORE = 150  # words, where a section stands there already
FINISHED = 1500  # words from which on a draft is long enough to have habits


def words_of_section(draft: Draft, written: str) -> int:
    """How long the section may be, by the length of the draft; 0 for a draft that is only begun."""
    blocks = find_blocks(draft.sources.values())
    generated = (plain(draft.sources[b.span.file].text[b.span.start : b.span.end]) for b in blocks)
    own = draft.words - sum(len(text.split()) for text in generated)  # else each update makes the next longer
    if own < FINISHED:
        return 0
    room = min(max(round(SHARE * own), LEAST), MOST)
    return max(room - len(written.split()), LEAST_MORE)


def written_in_section(draft: Draft) -> str:
    """The author's own related-work text, as plain text; what was generated is not theirs."""
    span = _section(draft)
    if span is None:
        return ""
    text = draft.sources[span.file].text
    blocks = [b.span for b in find_blocks(draft.sources.values()) if b.span.file == span.file]
    # a generated section has its heading in its block, which then begins before the span
    cut = ((max(b.start, span.start), min(b.end, span.end)) for b in blocks)
    holes = sorted((low, high) for low, high in cut if low < high)
    edges = [span.start, *(edge for hole in holes for edge in hole), span.end]
    own = [text[low:high] for place, (low, high) in enumerate(pairwise(edges)) if place % 2 == 0]
    return plain(" ".join(own))


def _section(draft: Draft) -> Span | None:
    """From the related-work heading to the next of its rank, as far as it stands in one file."""
    heading = draft.related_work
    if heading is None or heading.span.file not in draft.sources:
        return None
    start, file = heading.span.end, heading.span.file
    later = [
        h.span.start
        for h in draft.headings
        if h.span.file == file and h.span.start > start and h.level <= heading.level
    ]
    text = draft.sources[file].text
    stop = min(later, default=len(text))
    marks = (
        text.find(mark, start, stop)
        for mark in (r"\bibliography", r"\printbibliography", r"\appendix", r"\end{document}")
    )
    return Span(file, start, min((at for at in marks if at >= 0), default=stop))


Source = Literal["abstract", "draft"]
SECTION_ID = "related-work"  # of the section that is written where none is named
MOST_PAGES = 300  # that are searched with, each a vector: some ten seconds and one request
_LEAST_WORDS = 12  # of a text that says what a paper is about
_AROUND = 1200  # code points of the paragraph around a sentence


class NothingToAsk(LatexError):
    """The draft holds no text to search with."""


def section_query(draft: Draft, source: Source, section: str = SECTION_ID) -> Query:
    """The query for a related-work section: the abstract, or every page of the draft.

    A draft without an abstract is searched with its introduction. What the generated section called
    `section` cites, and nothing else does, may be cited again: it is replaced. Raises `NothingToAsk`."""
    abstract = draft.abstract or draft.introduction
    if source == "draft" and draft.pages:
        parts = _pages(draft)
    elif len(abstract.split()) >= _LEAST_WORDS:
        parts = (QueryPart(abstract, "abstract" if draft.abstract else "introduction"),)
    elif draft.pages and draft.words >= _LEAST_WORDS:
        parts = _pages(draft)
    else:
        raise NothingToAsk(
            f"{draft.root.name} has no abstract and no introduction to search with (of {_LEAST_WORDS} words "
            "or more).",
            "Write a few sentences on what the paper is about, then ask again.",
        )
    kind: QueryKind = "draft" if source == "draft" or len(parts) > 1 else "abstract"
    written = written_in_section(draft)
    return replace(
        with_draft(draft, kind, parts, "", section_span(draft, section)),
        introduction=draft.introduction if draft.abstract else "",
        written=written,
        words=words_of_section(draft, written),
    )


def _pages(draft: Draft) -> tuple[QueryPart, ...]:
    """The draft's pages, each with its place; of a text with more than a thesis has, evenly apart."""
    count = len(draft.pages)
    chosen = range(count) if count <= MOST_PAGES else (n * count // MOST_PAGES for n in range(MOST_PAGES))
    return tuple(_page(draft.pages[n]) for n in chosen)


def sentence_query(draft: Draft, sentence: str, around: str) -> Query:
    """The query for citations of one sentence, searched with alone and in its paragraph."""
    _need(sentence)
    parts = [QueryPart(sentence, "the selected sentence")]
    if len(around.split()) > len(sentence.split()):
        parts.append(QueryPart(around, "its paragraph"))
    return with_draft(draft, "sentence", tuple(parts), sentence)


def answer_query(draft: Draft | None, question: str) -> Query:
    _need(question)
    if draft is None:
        return question_query(question)
    return with_draft(draft, "question", (QueryPart(question, "the question"),), question)


def statement_of(draft: Draft, path: Path, start: int, end: int) -> str:
    """The statement that stands at `start` to `end`, without its marks. Raises `NoPlace`, `NothingToAsk`."""
    statement = plain(text_of(draft, path)[start:end])
    _need(statement)
    return statement


def question_query(text: str, label: str = "the question") -> Query:
    """Words that stand in no draft; bytes of a terminal that are no letters are none."""
    text = text.encode("utf-8", "replace").decode()
    return Query("question", (QueryPart(text, label),), text=text)


def in_words(query: Query) -> str:
    """What was searched with, for people."""
    if query.by_introduction:
        return "your introduction"
    return {
        "abstract": "your abstract",
        "draft": "your whole draft",
        "sentence": "your sentence",
        "question": "your question",
        "section": "your section",
    }[query.kind]


def paragraph_around(text: str, start: int, end: int) -> str:
    """The paragraph of `text` in which `text[start:end]` stands, bounded in length."""
    low = max((m.end() for m in re.finditer(r"\n[ \t]*\r?\n", text[:start])), default=0)
    after = re.search(r"\n[ \t]*\r?\n", text[end:])
    high = end + after.start() if after else len(text)
    return text[max(low, start - _AROUND) : min(high, end + _AROUND)]


def text_of(draft: Draft, path: Path) -> str:
    """The text of one of the draft's files. Raises `NoPlace` for a file that no inclusion leads to."""
    if path not in draft.sources:
        raise NoPlace(
            f"{path.name} is no part of {draft.root.name}, the nearest document.",
            "Include it there, or name its root document in the setting project.root.",
        )
    return draft.sources[path].text


def plain(latex: str) -> str:
    """A piece of LaTeX as words, in one line."""
    from texgeist_latex.tex.plaintext import plain as rendered

    return " ".join(rendered(latex).split())


def section_span(draft: Draft, section: str) -> Span | None:
    """Where the generated section called `section` stands."""
    found = (block for block in find_blocks(draft.sources.values()) if block.id == section)
    return next((block.span for block in found), None)


def cited(draft: Draft, apart_from: Span | None = None) -> tuple[frozenset[str], tuple[CitedWork, ...]]:
    """Ids (arXiv, `doi:…`) of the papers that the draft cites already, but in that span, and what their
    entries say."""
    from texgeist_latex.bib.authors import split_authors
    from texgeist_latex.bib.identity import arxiv_id_of, doi_of, year_of
    from texgeist_latex.tex.accents import read_accents

    keys = {c.key for c in draft.citations if apart_from is None or not _within(c.span, apart_from)}
    ids: set[str] = set()
    works: dict[CitedWork, None] = {}
    for entry in _entries(draft):
        if entry.key not in keys and "*" not in keys:
            continue
        if arxiv_id := arxiv_id_of(entry):
            ids.add(arxiv_id)
        if doi := doi_of(entry):
            ids.add(f"doi:{doi}")
        if title := entry.fields.get("title"):
            authors = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))
            first = read_accents(authors[0]) if authors else ""
            bare = " ".join(read_accents(title).replace("{", "").replace("}", "").split())
            works[CitedWork(bare, first, year_of(entry))] = None
    return frozenset(ids), tuple(works)


def bibliography_named(draft: Draft, named: str) -> Path | None:
    """The bibliography that the settings name, relative to the root document's folder. Whether it may be
    written to is not said here, but by the draft's gate."""
    return tidy(draft.root.parent / expanded(named)) if named else None


def _page(page: TextPage) -> QueryPart:
    return QueryPart(page.text, f"{page.file.name}:{page.line}")


def _within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end


def with_draft(
    draft: Draft,
    kind: QueryKind,
    parts: tuple[QueryPart, ...],
    text: str,
    apart_from: Span | None = None,
) -> Query:
    """A query of this kind, with what every search should know of the draft."""
    ids, works = cited(draft, apart_from)
    return Query(
        kind=kind,
        parts=parts,
        abstract=draft.abstract or draft.introduction,
        title=draft.title,
        authors=draft.authors,
        cited_ids=ids,
        cited_works=works,
        text=text,
    )


def _entries(draft: Draft) -> list[BibEntry]:
    return [entry for bibliography in draft.bibliographies for entry in bibliography.entries]


def _need(text: str) -> None:
    if len(text.split()) < 2:
        raise NothingToAsk(
            "There is nothing to search with.", "Give a sentence or a question of two words or more."
        )
