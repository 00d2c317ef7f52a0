"""Makes the evidence query for a section of the draft, with the parts of the draft that matter for writing
this section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from texgeist_latex.errors import NoPlace
from texgeist_latex.reading import contents
from texgeist_latex.reading.contents import Places, covering, read_results
from texgeist_latex.types import Draft, Heading, Part, SourceFile, Span
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.types import Note, Query, QueryPart, SectionBrief, SectionType

from .queries import NothingToAsk, with_draft
from .section_texts import is_within, own_text, section_span

_NEIGHBOURS = 6
_LONGEST = 6000  # characters of a neighbouring section
_DEEPEST = 2  # the deepest heading level that has a kind; headings of paragraphs have none
_MOST = 24  # captions, tables and notes, each
_OF_ITS_SECTION = ("plan", contents.RESULTS, "")  # kinds of notes that concern only their section
_ABSTRACT_END = re.compile(r"\\end\s*\{[^{}]*\}\s*\Z")


@dataclass(frozen=True, slots=True)
class DraftSection:
    """A section of the draft: its kind, its place, and where more text may be inserted."""

    kind: SectionType
    title: str
    place: Span  # empty span: where text is inserted
    parts: tuple[Part, ...]  # of the section and its subsections; empty for the abstract
    index: int  # of the first part in `Draft.parts`; -1 for the abstract
    id: str  # of the block that is generated for it


Where = Callable[[Draft], DraftSection]  # finds the section of a draft to write


def section_type(heading: str) -> SectionType:
    """The kind of section that a heading names. The import is inside the function because it loads PDF and
    network libraries, which would slow down the editor's start."""
    from texgeist_retrieval.fulltext import sections

    return sections.section_type(heading)


def section_named(draft: Draft, name: str) -> DraftSection:
    """The section with this heading, else the first section of this kind ("Methods" matches “Materials and
    methods”), else the only section whose heading begins with the name or contains it. Raises `NoPlace`, which
    lists the headings."""
    wanted = " ".join(name.lower().split())
    titles = [" ".join(part.heading.title.lower().split()) for part in draft.parts]
    kind = section_type(name)
    if wanted in titles:
        return _section(draft, titles.index(wanted))
    if kind == "abstract":
        return _abstract(draft)
    kinds = [section_type(title) for title in titles]
    of_kind = [n for n, each in enumerate(kinds) if each == kind and draft.parts[n].heading.level <= _DEEPEST]
    if kind != "other" and of_kind:
        return _section(draft, min(of_kind, key=lambda n: (draft.parts[n].heading.level, n)))
    beginning = [n for n, title in enumerate(titles) if wanted and title.startswith(wanted)]
    containing = [n for n, title in enumerate(titles) if wanted and wanted in title]
    for matching in (beginning, containing):
        if len(matching) == 1:
            return _section(draft, matching[0])
    there = ", ".join(f"“{part.heading.title}”" for part in draft.parts)
    raise NoPlace(
        f"{draft.root.name} has no section “{name}”.",
        f"Its headings are {there}." if there else "Write its heading first, then ask again.",
    )


def section_at(draft: Draft, file: Path, offset: int) -> DraftSection:
    """The section whose heading or text is at `offset`. Raises `NoPlace`."""
    if (span := draft.abstract_span) and span.file == file and span.start <= offset <= span.end:
        return _abstract(draft)
    text = draft.sources[file].text if file in draft.sources else ""
    line = text.rfind("\n", 0, offset) + 1, text.find("\n", offset) % (len(text) + 1)
    for index, part in enumerate(draft.parts):
        if (at := part.heading.span).file == file and line[0] <= at.start <= line[1]:
            return _section(draft, index)
    for index, part in reversed(list(enumerate(draft.parts))):
        if any(one.file == file and one.start <= offset <= one.end for one in part.pieces):
            return _section(draft, index)
    raise NoPlace("There is no section at the cursor.", "Put it on a heading, then ask again.")


def at_or_again(file: Path, offset: int) -> Callable[[Draft], DraftSection]:
    """Returns a function that finds the section at `offset` in the first draft that it receives, and the same
    section in later drafts."""
    first: list[tuple[str, int, int]] = []  # title, its position among equal titles, and their number

    def find(draft: Draft) -> DraftSection:
        titles = [part.heading.title for part in draft.parts]
        if not first:
            section = section_at(draft, file, offset)
            same = [n for n, title in enumerate(titles) if title == section.title]
            first.append(
                (section.title, same.index(section.index), len(same)) if section.parts else ("", 0, 0)
            )
            return section
        title, place, number = first[0]
        if not title:
            return _abstract(draft)
        same = [n for n, each in enumerate(titles) if each == title]
        if len(same) != number:
            raise NoPlace(
                f"The section “{title}” is not where it was, so nothing was written.",
                "Put the cursor on its heading, then ask again.",
            )
        return _section(draft, same[place])

    return find


def section_query(draft: Draft, section: DraftSection) -> Query:
    """The query for evidence on a section, with captions, tables, notes, files of results and neighbouring
    sections. Raises `NothingToAsk`, and `Unreadable` for a file of results."""
    notes = _notes(draft, section)
    results = [
        read_results(draft.gate, draft.root.parent, n.text) for n in notes if n.kind == contents.RESULTS
    ]
    brief = SectionBrief(
        section.kind,
        section.title,
        tuple(_neighbours(draft, section)),
        tuple(_gathered(draft, section, contents.captions)),
        (*results, *_gathered(draft, section, contents.tables)),
        tuple(note for note in notes if note.kind != contents.RESULTS),
    )
    abstract = _own_abstract(draft)
    written = abstract if section.index < 0 else _text(draft, section.parts)
    about = abstract or _introduction(draft)
    words = " ".join([draft.title, about, written, *(n.text for n in brief.notes)])
    if len(words.split()) < 3:
        raise NothingToAsk(
            f"{draft.root.name} has no words to search with for “{section.title}”.",
            "Write an abstract, or a note such as “% texgeist: plan: …” under the heading, then ask again.",
        )
    part, span = QueryPart(about or words, "your draft"), section_span(draft, section.id)
    query = with_draft(draft, "section", (part,), section.title, span)
    return replace(query, abstract=about, written=written, brief=brief)


def _section(draft: Draft, index: int) -> DraftSection:
    parts, title = _parts_of(draft, index), draft.parts[index].heading.title
    kind, pieces = _kind(draft, index), [span for part in parts for span in part.pieces]
    place = parts[-1].place  # after its subsections: the new text continues all of the author's text
    return DraftSection(kind, title, place, parts, index, _id(draft, kind, title, pieces))


def _parts_of(draft: Draft, index: int) -> tuple[Part, ...]:
    """The section at `index` and all its subsections."""
    level, after = draft.parts[index].heading.level, index + 1
    while after < len(draft.parts) and draft.parts[after].heading.level > level:
        after += 1
    return draft.parts[index:after]


def _id(draft: Draft, kind: SectionType, title: str, pieces: Sequence[Span]) -> str:
    """The id of the generated block that is already in this section, else an unused id. A number is added if
    necessary: each chapter of a thesis may have an introduction."""
    words = re.findall(r"\w+", title.lower())
    stem = kind if kind not in ("other", "related work") else "-".join(words[:6]) or "section"
    blocks = find_blocks(draft.texts)
    ours = re.compile(rf"{re.escape(stem)}(?:-\d+)?")
    covers = _by_file((piece.file, piece.start, piece.end) for piece in pieces)
    own = (
        b.id for b in blocks if ours.fullmatch(b.id) and all(covers(b.span.file, p) for p in _ends(b.span))
    )
    taken = {block.id for block in blocks}
    free = (name for n in count(1) if (name := stem if n == 1 else f"{stem}-{n}") not in taken)
    return next(own, "") or next(free)


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end - 1


def _by_file(stretches: Iterable[tuple[Path, int, int]]) -> Callable[[Path, int], bool]:
    """Returns a function that says whether a place of a file lies in one of the stretches. It is fast for
    100,000 stretches."""
    of: dict[Path, list[tuple[int, int]]] = {}
    for file, low, high in stretches:
        of.setdefault(file, []).append((low, high))
    covers = {file: covering(spans) for file, spans in of.items()}
    return lambda file, place: file in covers and covers[file](place)


def _kind(draft: Draft, index: int) -> SectionType:
    """The kind that the section's heading names; if it names none ("other"), the kind of the heading of the
    surrounding section."""
    heading = draft.parts[index].heading
    kind = section_type(heading.title)
    above: Sequence[Heading] = [p.heading for p in draft.parts[:index] if p.heading.level < heading.level]
    return kind if kind != "other" or not above else section_type(above[-1].title)


def _abstract(draft: Draft) -> DraftSection:
    """The abstract as a section. Raises `NoPlace` if it is a command's argument, which cannot hold
    paragraphs."""
    span = draft.abstract_span
    if span is None:
        raise NoPlace(
            f"{draft.root.name} has no abstract.",
            "Write \\begin{abstract} … \\end{abstract}, then ask again.",
        )
    text = draft.sources[span.file].text[span.start : span.end]
    end = _ABSTRACT_END.search(text)
    if end is None:
        raise NoPlace(
            "The abstract is the argument of a command, after which no paragraph can be inserted.",
            "Put it into the environment abstract, or write the text elsewhere.",
        )
    place = span.start + len(text[: end.start()].rstrip())
    id = _id(draft, "abstract", "Abstract", [span])
    return DraftSection("abstract", "Abstract", Span(span.file, place, place), (), -1, id)


def _text(draft: Draft, parts: Sequence[Part]) -> str:
    """The author's own paragraphs, without generated text."""
    generated = _by_file(line for source in draft.sources.values() for line in _generated_lines(source))
    paragraphs = [p for part in parts for p in part.paragraphs]
    own = [p.text for p in paragraphs if not generated(p.file, p.line)]
    return "\n\n".join(" ".join(text.split()) for text in own)


def _own_abstract(draft: Draft) -> str:
    """The abstract without generated text."""
    if (span := draft.abstract_span) is None:
        return draft.abstract
    inside = any(is_within(b.span, span) for b in find_blocks([draft.sources[span.file]]))
    return own_text(draft, span) if inside else draft.abstract


def _introduction(draft: Draft) -> str:
    kinds = [section_type(part.heading.title) for part in draft.parts]
    return _text(draft, _parts_of(draft, kinds.index("introduction"))) if "introduction" in kinds else ""


def _generated_lines(source: SourceFile) -> Iterator[tuple[Path, int, int]]:
    """For each generated block: the file, the first line, and the line after the last line."""
    line, at = 1, 0
    for block in find_blocks([source]):
        first = line + source.text.count("\n", at, block.span.start)
        line, at = first + source.text.count("\n", block.span.start, block.span.end), block.span.end
        yield source.path, first, line + 1


def _neighbours(draft: Draft, section: DraftSection) -> Iterator[tuple[str, str]]:
    """Titles and texts of the other sections of the same or a higher level, the nearest first."""
    level = draft.parts[section.index].heading.level if section.index >= 0 else 1
    tops = [
        n for n, part in enumerate(draft.parts) if part.heading.level <= max(level, 1) and n != section.index
    ]
    near = sorted(tops, key=lambda n: abs(n - section.index))[:_NEIGHBOURS]
    for index in near:
        if text := _text(draft, _parts_of(draft, index))[:_LONGEST]:
            yield draft.parts[index].heading.title, text


def _gathered(draft: Draft, section: DraftSection, read: contents.ReadTexts) -> list[str]:
    """The captions or tables that `read` finds in the draft, those of the section first."""
    own, others = _own_and_others(draft, section)
    places = {file: Places(draft.sources[file].text) for file in {span.file for span in (*own, *others)}}
    found = (text for s in (*own, *others) for text in read(draft.sources[s.file], s, places[s.file]))
    return list(dict.fromkeys(found))[:_MOST]


def _notes(draft: Draft, section: DraftSection) -> list[Note]:
    """The section's notes first, then the other notes of the project, without those that concern only another
    section (`_OF_ITS_SECTION`)."""
    own, others = _own_and_others(draft, section)
    files = [Span(file, 0, len(draft.sources[file].text)) for file in draft.files if file in draft.sources]
    here, there, all_ = (_notes_of(draft, spans) for spans in (own, others, files))
    elsewhere = {note for note in there if note.kind in _OF_ITS_SECTION} - {*here}
    return [note for note in dict.fromkeys([*here, *all_]) if note not in elsewhere][:_MOST]


def _own_and_others(draft: Draft, section: DraftSection) -> tuple[list[Span], list[Span]]:
    own = [span for part in section.parts for span in part.pieces]
    known = {*own}
    return own, [span for part in draft.parts for span in part.pieces if span not in known]


def _notes_of(draft: Draft, spans: Sequence[Span]) -> list[Note]:
    found = (note for span in spans for note in contents.notes(draft.sources[span.file], span))
    return [Note(note.kind, note.text) for note in found]
