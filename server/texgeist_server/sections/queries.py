"""From a draft to a retrieval query: the text to search with, the author's existing related-work text, and
the length that a new section may have."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from itertools import islice, pairwise
from pathlib import Path
from typing import Literal

from texgeist_latex.disk.paths import tidy
from texgeist_latex.errors import LatexError, NoPlace
from texgeist_latex.reading.cited_sentences import cited_sentences, sentence_around
from texgeist_latex.tex.markdown import prose_of
from texgeist_latex.tex.plaintext import plain as plain_latex
from texgeist_latex.types import BibEntry, Draft, Span, TextPage
from texgeist_latex.writing.blocks import SECTION_ID, find_blocks
from texgeist_retrieval.paths import expanded
from texgeist_retrieval.types import Paper, Query, QueryKind, QueryPart
from texgeist_retrieval.types.papers import UNPRINTED

from ..plain_text import plain

SHARE = 0.13  # a related-work section's usual share of a paper's words
LEAST, MOST = 250, 800  # words of a section
LEAST_MORE = 150  # words to add if the section already has text
FINISHED = 1500  # words; the length of a shorter draft says nothing about its section


def words_of_section(draft: Draft, written: str) -> int:
    """The maximal number of words to add to the section. It depends on the length of the draft, and is 0 if the
    draft has fewer than `FINISHED` words. `written`: the author's text that is already in the section."""
    blocks = find_blocks(draft.sources.values())
    generated = (plain(draft.sources[b.span.file].text[b.span.start : b.span.end]) for b in blocks)
    # Generated text does not count; else each update would allow a longer section.
    own = draft.words - sum(len(text.split()) for text in generated)
    if own < FINISHED:
        return 0
    room = min(max(round(SHARE * own), LEAST), MOST)
    return max(room - len(written.split()), LEAST_MORE)


def written_in_section(draft: Draft) -> str:
    """The author's own related-work text as plain text, without generated sections."""
    span = related_work_span(draft)
    if span is None:
        return ""
    return own_text(draft, span)


def own_text(draft: Draft, span: Span) -> str:
    """The plain text of the span without generated sections."""
    text = draft.sources[span.file].text
    blocks = [b.span for b in find_blocks([draft.sources[span.file]])]
    # a generated section may include its heading, and then begins before the span
    cut = ((max(b.start, span.start), min(b.end, span.end)) for b in blocks)
    holes = sorted((low, high) for low, high in cut if low < high)
    edges = [span.start, *(edge for hole in holes for edge in hole), span.end]
    own = [text[low:high] for place, (low, high) in enumerate(pairwise(edges)) if place % 2 == 0]
    return plain(" ".join(own))


def related_work_span(draft: Draft) -> Span | None:
    """The span from the related-work heading to the next heading of its level, within the same file; None if
    there is no such heading."""
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
MOST_PAGES = 300  # pages to search with; each needs a vector: about ten seconds for all
_LEAST_WORDS = 12  # words; a shorter text cannot describe a paper
_TEXTUAL = re.compile(
    r"[Cc]itet(?!alias|itle)|[Tt]extcite|[Cc]iteauthor|(?:short)?cite[AN]\b|citeasnoun|possessivecite"
)
_REFERENCE = re.compile(r"\\(?!href)[A-Za-z]*ref(?![A-Za-z])")
_MOST_REFERENCES = 200  # of a file
_IN_PARENTHESES = 80  # code points before a reference in which its parenthesis begins
MOST_CITING = 2  # sentences with citations to search the literature for
_AROUND = 1200  # code points of the paragraph around a sentence


class NothingToAsk(LatexError):
    """The draft has no text to search with."""


def section_query(draft: Draft, source: Source, section: str = SECTION_ID) -> Query:
    """The query for a related-work section: the abstract, or every page of the draft.

    Without an abstract, the introduction is used. Papers cited only by the generated section `section` may be
    cited again, because that section is replaced. Raises `NothingToAsk`.
    """
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
        discussed=_discussed(draft, section_span(draft, section)),
        introduction=draft.introduction if draft.abstract else "",
        written=written,
        words=words_of_section(draft, written),
        year=date.today().year,
        unquotable=(*_without_names(draft), *_without_numbers(draft)),
    )


def _without_names(draft: Draft) -> tuple[str, ...]:
    """Sentences that name authors by a command such as `\\citet`. They cannot be quoted: their plain text
    lacks the command, and with it the subject or object of the sentence."""
    named = tuple(c for c in draft.citations if _TEXTUAL.match(c.command))
    return tuple(sentence.text for sentence in cited_sentences(replace(draft, citations=named)))


def _without_numbers(draft: Draft) -> Iterator[str]:
    """Sentences that refer to a section or figure by a command such as `\\ref`, outside parentheses. Their
    plain text lacks the number."""
    for source in draft.texts:
        prose = prose_of(source)
        for match in islice(_REFERENCE.finditer(prose), _MOST_REFERENCES):
            before = prose[max(0, match.start() - _IN_PARENTHESES) : match.start()]
            if before.rfind("(") <= before.rfind(")"):
                span = sentence_around(prose, Span(source.path, match.start(), match.end()))
                yield plain_latex(source.text[span.start : span.end])


def _pages(draft: Draft) -> tuple[QueryPart, ...]:
    """The draft's pages with their places. If there are more than MOST_PAGES pages, a sample of pages at
    equal distances."""
    count = len(draft.pages)
    chosen = range(count) if count <= MOST_PAGES else (n * count // MOST_PAGES for n in range(MOST_PAGES))
    return tuple(_page(draft.pages[n]) for n in chosen)


def sentence_query(draft: Draft, sentence: str, around: str) -> Query:
    """The query for citations of a sentence. Its parts are the sentence alone and, if this is longer, the
    paragraph `around`."""
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
    """The plain text from `start` to `end`. Raises `NoPlace`, `NothingToAsk`."""
    statement = plain(text_of(draft, path)[start:end], path)
    _need(statement)
    return statement


def question_query(text: str, label: str = "the question") -> Query:
    """A query from words that are not in a draft. Invalid bytes from a terminal are replaced."""
    text = text.encode("utf-8", "replace").decode()
    return Query("question", (QueryPart(text, label),), text=text)


def in_words(query: Query) -> str:
    """The source of the query in words, for messages."""
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
    """The paragraph around `text[start:end]`, bounded in length."""
    low = max((m.end() for m in re.finditer(r"\n[ \t]*\r?\n", text[:start])), default=0)
    after = re.search(r"\n[ \t]*\r?\n", text[end:])
    high = end + after.start() if after else len(text)
    return text[max(low, start - _AROUND) : min(high, end + _AROUND)]


def text_of(draft: Draft, path: Path) -> str:
    """The text of a file of the draft. Raises `NoPlace` if the document does not include the file."""
    if path not in draft.sources:
        raise NoPlace(
            f"{path.name} is not part of {draft.root.name}, the nearest document.",
            "Include it there, or name its root document in the setting project.root.",
        )
    return draft.sources[path].text


def section_span(draft: Draft, section: str) -> Span | None:
    """The span of the generated section with this id, or None."""
    found = (block for block in find_blocks(draft.sources.values()) if block.id == section)
    return next((block.span for block in found), None)


def cited(draft: Draft, apart_from: Span | None = None) -> tuple[frozenset[str], tuple[Paper, ...]]:
    """The ids (arXiv, `doi:…`) and works that the draft cites, without citations inside `apart_from`."""
    keys = {c.key for c in draft.citations if apart_from is None or not _within(c.span, apart_from)}
    works = [*_works(draft, keys)]
    ids = {work.id for work in works} | {f"doi:{work.doi}" for work in works if work.doi}
    described = dict.fromkeys(replace(work, id="", doi="") for work in works if work.title)
    return frozenset(ids - {""}), tuple(described)


def _discussed(draft: Draft, apart_from: Span | None) -> tuple[Paper, ...]:
    """The works that the author's own related-work text cites."""
    span = related_work_span(draft)
    if span is None:
        return ()
    own = [c for c in draft.citations if apart_from is None or not _within(c.span, apart_from)]
    return tuple(_works(draft, {c.key for c in own if _within(c.span, span)}))


def _works(draft: Draft, keys: Collection[str]) -> Iterator[Paper]:
    """The works with these keys, as the bibliography describes them; all works for the key `*`."""
    from texgeist_latex.bib.authors import split_authors
    from texgeist_latex.bib.identity import arxiv_id_of, doi_of, year_of
    from texgeist_latex.entry_checks.entries import is_unprinted
    from texgeist_latex.tex.accents import read_accents

    for entry in _entries(draft):
        if entry.key in keys or "*" in keys:
            title = read_accents(entry.fields.get("title", "")).replace("{", "").replace("}", "")
            authors = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))
            yield Paper(
                arxiv_id_of(entry),
                " ".join(title.split()),
                authors=tuple(read_accents(name) for name in authors[:1]),
                year=year_of(entry),
                doi=doi_of(entry),
                kind=UNPRINTED if is_unprinted(entry) else "",
            )


def bibliography_named(draft: Draft, named: str) -> Path | None:
    """The path of the bibliography that the settings name relative to the root document's folder; None if
    `named` is "". This function does not check whether it may be written to; the draft's gate does."""
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
    """A query of this kind, with the draft's title, authors, abstract and cited works."""
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
        cited_sentences=_most_citing(draft),
        project=project_of(draft),
    )


def project_of(draft: Draft) -> str:
    """The name of the draft's library of discovered papers: its root document; for a draft that is no file,
    also its title."""
    return str(draft.root) if draft.root.is_file() else f"{draft.root} {draft.title}"


def _most_citing(draft: Draft) -> tuple[str, ...]:
    """The sentences with the most citations, without those that texgeist wrote."""
    blocks = [block.span for block in find_blocks(draft.sources.values())]
    own = [one for one in cited_sentences(draft) if not any(_within(one.span, block) for block in blocks)]
    return tuple(one.text for one in sorted(own, key=lambda one: -len(one.keys))[:MOST_CITING])


def _entries(draft: Draft) -> list[BibEntry]:
    return [entry for bibliography in draft.bibliographies for entry in bibliography.entries]


def _need(text: str) -> None:
    if len(text.split()) < 2:
        raise NothingToAsk(
            "There is nothing to search with.", "Give a sentence or a question of two words or more."
        )
