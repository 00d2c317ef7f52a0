"""Splits the body's plain text into pages that fit an embedding model, and into parts, each under a
heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ..types import Heading, Part, Span, TextPage
from .insertion import end_of_section
from .structure import Flow, Segment, Title
from .walk import Step

MAX_PIECES = 384  # the maximal input of all-mpnet-base-v2
_BUDGET = MAX_PIECES - 2  # without the two special tokens
_FRESH_PAGE = 150  # a section starts a new page if the last page has this many pieces
_LINE_END = r"(?:\r\n|\n|\r(?!\n))"
_PARAGRAPH_END = re.compile(rf"(?:{_LINE_END}[ \t]*(?:%[^\r\n]*)?){{2,}}|\\par(?![A-Za-z])")
_LONGEST = 100_000  # characters read from a paragraph; longer text is data
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\W_a-zA-Z0-9]+|[^\s\w]|_")
_SMALL_WORDS = frozenset("the of and to in is that for with are this we by as on be which a an".split())


@lru_cache(maxsize=20_000)
def pieces(text: str) -> int:
    """An upper estimate of a text's number of word pieces without the tokenizer (on 800 pages of real papers
    3 to 25 % too high). An English word has a piece for up to five letters and another for every four more; a
    word of other languages in Latin letters has a piece for every three letters; other scripts and signs have
    a piece for each character, and numbers have a piece for every two digits. The estimate is additive over
    paragraphs."""
    return sum(_pieces(part, True) for part in text.split("\n\n"))


def _pieces(text: str, english: bool) -> int:
    tokens = _TOKEN.findall(text)
    free, first, step = (6, 2, 4) if english and _is_english(tokens) else (4, 1, 3)
    count = 0
    for token in tokens:
        length = len(token)
        if not token.isascii():
            count += length
        elif token[0].isdigit():
            count += (length + 1) // 2
        else:
            count += 1 if length < free else 1 + (length - first) // step
    return count


def _is_english(tokens: list[str]) -> bool:
    words = [t for t in tokens if t.isascii() and t.isalpha()]
    return sum(w in _SMALL_WORDS for w in words) * 12 >= len(words)


def paragraphs(segments: Iterable[Segment], show: Callable[[str], str]) -> Iterator[TextPage]:
    """Plain-text paragraphs that are not empty, with their places. `show` converts LaTeX to plain text."""
    for segment in segments:
        text = segment.frame.parsed.text
        start = segment.start
        while start < segment.end:
            match = _PARAGRAPH_END.search(text, start, segment.end)
            end = match.start() if match else segment.end
            if latex := text[start : min(end, start + _LONGEST)].strip():
                shown = show(latex)
                if any(c.isalnum() for c in shown):
                    at = start + len(text[start:end]) - len(text[start:end].lstrip())
                    scan = segment.frame.parsed.scan
                    yield TextPage(shown, segment.frame.parsed.path, scan.line(at), segment.heading)
            start = match.end() if match else segment.end


def join(parts: Iterable[TextPage]) -> list[TextPage]:
    """Joins paragraphs that a float or an inclusion has cut within a sentence."""
    joined: list[TextPage] = []
    for part in parts:
        last = joined[-1] if joined else None
        if (
            last
            and last.heading == part.heading
            and last.file == part.file
            and _continues(last.text, part.text)
        ):
            joined[-1] = TextPage(f"{last.text} {part.text}", last.file, last.line, last.heading)
        else:
            joined.append(part)
    return joined


def _continues(before: str, after: str) -> bool:
    return len(before) < 5000 and not before.endswith((".", "!", "?", ":", "。")) and after[:1].islower()


def paged(parts: Iterable[TextPage], starts_page: Callable[[int], bool]) -> tuple[TextPage, ...]:
    """Fills pages of at most `MAX_PIECES`. Long paragraphs are split between words.
    `starts_page`: whether a heading has a level that may start a new page."""
    pages: list[TextPage] = []
    held: list[TextPage] = []
    size = 0
    for part in parts:
        for bit in _bits(part):
            length = pieces(bit.text)
            new_section = held and bit.heading != held[-1].heading and starts_page(bit.heading)
            if held and (
                size + length > _BUDGET or held[-1].file != bit.file or (new_section and size > _FRESH_PAGE)
            ):
                pages.append(_page(held))
                held, size = [], 0
            held.append(bit)
            size += length
    if held:
        pages.append(_page(held))
    return tuple(pages)


def _page(held: list[TextPage]) -> TextPage:
    return replace(held[0], text="\n\n".join(p.text for p in held))


def _bits(part: TextPage) -> Iterator[TextPage]:
    """The paragraph, or groups of its words that each fit on a page."""
    texts = [part.text]
    if pieces(part.text) > _BUDGET:
        texts = _filled(word[i : i + 300] for word in part.text.split() for i in range(0, len(word), 300))
    for text in texts:
        yield replace(part, text=text)


def _filled(words: Iterable[str]) -> list[str]:
    """Joins words while they fit on a page, in any language."""
    runs: list[list[str]] = []
    size = 0
    for word in words:
        length = _pieces(word, False)
        if not runs or size + length > _BUDGET:
            runs.append([])
            size = 0
        runs[-1].append(word)
        size += length
    return [" ".join(run) for run in runs]


def parts(
    flow: Flow, steps: Sequence[Step], paragraphs: Sequence[TextPage], headings: Sequence[Heading]
) -> tuple[Part, ...]:
    """The parts of the body, in the order of `headings`: the content under each heading, up to the next
    heading of any level. Linear in the steps, except for `place`, which scans each section."""
    body = [i for i, title in enumerate(flow.headings) if title.region == "body"]
    texts: dict[int, list[TextPage]] = {}
    for p in paragraphs:
        texts.setdefault(p.heading, []).append(p)
    found = []
    for heading, index in zip(headings, body, strict=True):
        place = end_of_section(flow.headings[index], flow, steps)
        pieces = _stretches(flow.headings, index, flow, steps)
        found.append(Part(heading, tuple(texts.get(index, ())), pieces, place))
    return tuple(found)


def _stretches(titles: Sequence[Title], index: int, flow: Flow, steps: Sequence[Step]) -> tuple[Span, ...]:
    """The spans from the end of the heading to the next heading, bibliography or appendix."""
    title = titles[index]
    following = titles[index + 1].step if index + 1 < len(titles) else len(steps)
    ends_of_body = flow.ends
    found: list[Span] = []
    frame, cursor = title.frame, title.item.end
    for at in range(title.step + 1, len(steps)):
        step, item = steps[at], steps[at].item
        ends = at == following or step in ends_of_body
        if step.kind == "enter":
            frame, cursor = step.frame, step.frame.begin
        elif step.kind == "leave":
            found.append(Span(frame.parsed.path, cursor, max(cursor, step.frame.parsed.scan.stop)))
            if step.frame.parent is None:
                break
            frame = step.frame.parent
            cursor = step.frame.at.end if step.frame.at else cursor
        elif item is not None and (ends or item.kind == "include"):
            found.append(Span(frame.parsed.path, cursor, max(cursor, item.start)))
            cursor = max(cursor, item.end)
        if ends:
            break
    return tuple(span for span in found if span.end > span.start)
