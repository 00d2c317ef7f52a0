"""The text of hovers in Markdown: from the provenance record of a citation, else from its bibliography entry.
The sentences of a record are composed when a paper is chosen (`pipeline/reasons` of retrieval).

All text comes from papers and bibliographies that strangers wrote, so it is escaped, and links are made only
from ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from texgeist_latex.bib.authors import OTHERS, parse_name, split_authors
from texgeist_latex.bib.identity import arxiv_id_of, doi_of
from texgeist_latex.types import BibEntry
from texgeist_retrieval.identity import plain_title

from ..plain_text import cut, escaped, plain, visible

if TYPE_CHECKING:
    from ..sections.provenance_model import CitationRecord, PaperRecord


MOST_LINES = 25
NO_ABSTRACT = "No abstract of this paper was found. It was chosen by its title."
_WRITERS = {"extractive": "texgeist without a language model"}
_MOST_FILES = 4
_VENUE = 90  # characters: some databases append date, town and series
_VENUES = ("journal", "journaltitle", "booktitle", "publisher", "school", "institution")
_QUOTE = 420  # code points of an evidence passage that are shown
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]<>#|!~$&:.@])")


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """The facts about a paper in a record or an entry."""

    title: str
    authors: tuple[str, ...] = ()
    venue: str = ""
    year: str = ""
    arxiv: str = ""
    doi: str = ""


def why(record: CitationRecord) -> str:
    """Markdown for a citation that texgeist wrote, from its provenance record: reasons in words first, then
    numbers."""
    blocks = [
        _heading(recorded_facts(record.paper)),
        *(_reasons(record) or (*_evidence(record), escaped(record.why))),
        escaped(cut(record.reasons.discovered, _QUOTE)),
        _summary(record),
        f"*In numbers:* {escaped(record.reasons.numbers)}" if record.reasons.numbers else "",
        _made(record),
    ]
    return _bounded(blocks)


def recorded_facts(paper: PaperRecord) -> PaperFacts:
    year = str(paper.year or "")
    return PaperFacts(paper.title, tuple(paper.authors), paper.venue, year, paper.arxiv, paper.doi)


def _reasons(record: CitationRecord) -> list[str]:
    """The draft's sentence, the paper's passage, the relation of the paper to the draft, and the other paper
    before which it was chosen. Empty if the record has no reasons."""
    reasons = record.reasons
    if not reasons.theirs:
        return []
    place = _place(reasons.heading, reasons.page)
    said = f"*It says* ({place}):\n> {escaped(cut(reasons.theirs, _QUOTE))}"
    return [
        f"*You write:* {escaped(cut(reasons.yours, _QUOTE))}" if reasons.yours else "",
        NO_ABSTRACT if _is_title(reasons.theirs, record) else said,
        escaped(cut(reasons.relation, _QUOTE)),
        escaped(cut(reasons.against, _QUOTE)),
    ]


def _is_title(text: str, record: CitationRecord) -> bool:
    """Whether the text is only the paper's title: a paper without an abstract is searched by its title."""
    return plain_title(text) == plain_title(record.paper.title)


def entry_text(entry: BibEntry, abstract: str = "", elsewhere: Sequence[tuple[str, int]] = ()) -> str:
    """Markdown for a citation that the author wrote, from its bibliography entry. `elsewhere`: the files and
    lines of its other citations."""
    about = plain(entry.fields.get("abstract", "")) or abstract
    return _bounded(
        [
            _heading(paper_facts(entry)),
            escaped(cut(about, 900)) if about else "",
            "`" + visible(entry.key).replace("`", "'") + "`" + _also(elsewhere),
        ]
    )


def _also(places: Sequence[tuple[str, int]]) -> str:
    """The other citations, by file; at most `_MOST_FILES` files are named."""
    lines: dict[str, list[str]] = {}
    for file, line in dict.fromkeys(places):
        lines.setdefault(file, []).append(str(line))
    named = [f"{escaped(file)}:{','.join(of[:5])}" for file, of in list(lines.items())[:_MOST_FILES]]
    more = " and in other files" if len(lines) > _MOST_FILES else ""
    return f", also cited at {', '.join(named)}{more}" if named else ", cited only here"


def judged_text(message: str) -> str:
    """Markdown for the judge's message on a sentence."""
    return f"*Checked:* {escaped(cut(message, 2 * _QUOTE))}"


def paper_facts(entry: BibEntry) -> PaperFacts:
    fields = entry.fields
    venue = next(filter(None, map(fields.get, _VENUES)), "")
    return PaperFacts(
        plain(fields.get("title", entry.key)),
        tuple(_names(fields.get("author", ""))),
        plain(venue).rstrip(". "),
        fields.get("year") or fields.get("date", "")[:4],
        arxiv_id_of(entry) or "",
        doi_of(entry) or "",
    )


def unmarked(markdown: str) -> str:
    """Converts Markdown from this module to plain text."""
    text = re.sub(r"\[((?:\\.|[^\]\\])*)\]\(([^)]*)\)", r"\1 <\2>", markdown)
    text = re.sub(r"(?<!\\)[*`]+", "", text)
    return _ESCAPE.sub(r"\1", text)


def _heading(paper: PaperFacts) -> str:
    title, link = escaped(paper.title or "(no title)"), _link(paper)
    named = [name for name in paper.authors[:6] if name != OTHERS]
    more = " et al." if len(named) < len(paper.authors) else ""
    names = ", ".join(escaped(name) for name in named) + more
    venue = cut(paper.venue, _VENUE)
    where = escaped(", ".join(part for part in (venue, "" if paper.year in venue else paper.year) if part))
    lines = [f"**[{title}]({link})**" if link else f"**{title}**"]
    lines += [line for line in (names, where) if line]
    return "  \n".join(lines)


def _link(paper: PaperFacts) -> str:
    if paper.arxiv:
        return "https://arxiv.org/abs/" + quote(paper.arxiv, safe="/.")
    if paper.doi:
        return "https://doi.org/" + quote(paper.doi, safe="/.:;-")
    return ""


def _evidence(record: CitationRecord) -> list[str]:
    """At most two passages with their pages, the best first."""
    blocks = []
    for passage in sorted(record.evidence, key=lambda passage: -passage.similarity)[:2]:
        text = passage.summary or passage.text
        quoted = f"> {escaped(cut(text, _QUOTE))} ({_place(passage.heading, passage.page)})"
        blocks.append(NO_ABSTRACT if _is_title(text, record) else quoted)
    return blocks


def _place(heading: str, page: int | None) -> str:
    """Section and page of a passage; "abstract" if neither is known."""
    return escaped(", ".join(filter(None, [heading, f"page {page}" if page else ""]))) or "abstract"


def _summary(record: CitationRecord) -> str:
    return f"*Summary for your draft:* {escaped(cut(record.summary, 600))}" if record.summary else ""


def _made(record: CitationRecord) -> str:
    added = (
        "Added"
        + (f" on {record.date}" if record.date else "")
        + (f" from {record.index}" if record.index else "")
    )
    writer = f"Written by {_WRITERS.get(record.writer, record.writer)}" if record.writer else ""
    search = f"Found with the embedding model {record.model}" if record.model else ""
    return escaped(" ".join(f"{part}." for part in (added, writer, search) if part))


def _bounded(blocks: list[str]) -> str:
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(lines[:MOST_LINES])


def _names(field: str) -> list[str]:
    """Authors as "First Last"."""
    parsed = [parse_name(name) for name in split_authors(field)]
    return [plain(" ".join(filter(None, (name.first, name.last, name.suffix)))) for name in parsed]
