"""From a draft to a retrieval query."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Literal

from texgeist_latex.disk.paths import tidy
from texgeist_latex.errors import LatexError, NoPlace
from texgeist_latex.reading.citation_marks import without_marks
from texgeist_latex.reading.cited_sentences import cited_sentences, sentence_around
from texgeist_latex.tex.markdown import prose_of
from texgeist_latex.tex.plaintext import plain as plain_latex
from texgeist_latex.types import BibEntry, Draft, Span, TextPage
from texgeist_latex.writing.blocks import SECTION_ID, find_blocks
from texgeist_retrieval.paths import expanded
from texgeist_retrieval.types import Paper, Query, QueryKind, QueryPart
from texgeist_retrieval.types.papers import UNPRINTED

from ..plain_text import plain
from .section_texts import is_within, related_work_span, section_span, words_of_section, written_in_section

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
        titles=frozenset(entry.fields.get("title", "") for entry in _entries(draft)),
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


def claim_query(draft: Draft, path: Path, start: int, end: int) -> Query:
    """The query for citations of the text from `start` to `end`, without marks of missing citations. Its parts are
    the text alone and, if this is longer, its paragraph."""
    text = text_of(draft, path)
    claim = plain(without_marks(text[start:end]), path)
    around = plain(without_marks(paragraph_around(text, start, end)), path)
    _need(claim)
    parts = [QueryPart(claim, "the selected sentence")]
    if len(around.split()) > len(claim.split()):
        parts.append(QueryPart(around, "its paragraph"))
    return with_draft(draft, "sentence", tuple(parts), claim)


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


def cited(draft: Draft, apart_from: Span | None = None) -> tuple[frozenset[str], tuple[Paper, ...]]:
    """The ids (arXiv, `doi:…`) and works that the draft cites, without citations inside `apart_from`."""
    keys = {c.key for c in draft.citations if apart_from is None or not is_within(c.span, apart_from)}
    works = [*_works(draft, keys)]
    ids = {work.id for work in works} | {f"doi:{work.doi}" for work in works if work.doi}
    described = dict.fromkeys(replace(work, id="", doi="") for work in works if work.title)
    return frozenset(ids - {""}), tuple(described)


def _discussed(draft: Draft, apart_from: Span | None) -> tuple[Paper, ...]:
    """The works that the author's own related-work text cites."""
    span = related_work_span(draft)
    if span is None:
        return ()
    own = [c for c in draft.citations if apart_from is None or not is_within(c.span, apart_from)]
    return tuple(_works(draft, {c.key for c in own if is_within(c.span, span)}))


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
    own = [one for one in cited_sentences(draft) if not any(is_within(one.span, block) for block in blocks)]
    return tuple(one.text for one in sorted(own, key=lambda one: -len(one.keys))[:MOST_CITING])


def _entries(draft: Draft) -> list[BibEntry]:
    return [entry for bibliography in draft.bibliographies for entry in bibliography.entries]


def _need(text: str) -> None:
    if len(text.split()) < 2:
        raise NothingToAsk(
            "There is nothing to search with.", "Give a sentence or a question of two words or more."
        )
