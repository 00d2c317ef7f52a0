"""Divides a PDF into sections: splits its printed lines at headings, and keeps equations and tables whole.

A heading is recognised by its number, by its name, or by type that is larger or bolder than the body text's
(`fonts`: size and boldness for each printed line). The text before the first heading is the paper's head,
from which title and authors are removed. In case of doubt a line is text: a missing section costs a passage
its type, a wrong section splits an argument."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..text.sentences import split_sentences
from ..types import Block, TextSection
from .body import LARGER, Fonts, body_pages, mend_pages, plain_lines, split_page

TITLE = 1.5  # a line of more than so many times the size of body text is the title, not a heading
LONGEST_HEADING, SHORTEST_HEADING = 110, 3  # letters
LONGEST_TITLE_BLOCK = 4_000  # letters before an abstract; a longer text is body text in the wrong order
OF_A_TEXT = 12  # a sentence with so many words is too long for a title block
A_FEW = 4  # so many sentences are too many for a title block, even if short
_END = re.compile(r"[.?!。！？][\"'”’)\]]*$")
_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_NUMBERED = re.compile(
    r"^(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?)|(?:[IVX]{1,5}\.)|(?:[A-H]\.(?:\d\.?)*))\s+(?=[A-Z“])"
)
_OTHER = re.compile(
    r"^(?:table|figure|fig\.?|algorithm|theorem|lemma|definition|proof|corollary|proposition|remark|example|"
    r"assumption|listing|appendix|claim|conjecture|fact|observation|property|hypothesis|case|step)\b"
    r"(?:\W*(?:[A-Z]?\d|[A-H]\b)|\s*\()",
    re.I,
)
_NAMES = frozenset(
    "abstract introduction background motivation preliminaries relatedwork previouswork priorwork method methods "
    "methodology approach materialsandmethods model experiments experimentalresults experimentalsetup evaluation "
    "results resultsanddiscussion discussion analysis limitations conclusion conclusions futurework "
    "conclusionsandfuturework conclusionandfuturework summary introductionandrelatedwork data".split()
)
_MATH = re.compile(r"[=<>≤≥≈≠∈∑∏∫∂∇±×∞→∀∃⊂∪∩√^|]|\\[a-z]+|\b(?:log|exp|arg|max|min|argmax)\b")
_WORD = re.compile(r"[A-Za-z]{4,}")
_EQUATION_NUMBER = re.compile(r"\(\d{1,3}(?:\.\d{1,2})?[a-z]?\)\s*$")
_CELL = re.compile(r"^[-−+±]?\$?\d[\d.,:/%±()∗*-]*$|^[-–—]$|^[✓✗]$")


@dataclass(frozen=True, slots=True)
class _Line:
    page: int  # from 1
    text: str
    heading: bool
    set_apart: bool


def sections_of_pages(pages: Sequence[str], fonts: Fonts = ()) -> tuple[TextSection, ...]:
    """The sections in order, with the page of every sentence, without references, appendix and
    acknowledgements. The text before the first heading is a section without heading."""
    plain = plain_lines(pages)
    apart = _set_apart(pages, fonts)
    lines = [
        _Line(number, text, False, _key(text) in apart[number - 1])
        for number, page in enumerate(body_pages(plain), 1)
        for text in page
    ]
    lines = list(_marked(lines, known=any(apart)))
    return tuple(_without_title_block(list(_sections(lines))))


def _without_title_block(sections: list[TextSection]) -> Iterator[TextSection]:
    """Removes title, authors and addresses: they are no evidence, but match every query with words of the
    title. The text before the first heading is kept if it may be an abstract."""
    for number, section in enumerate(sections):
        if number or section.heading or len(sections) == 1:
            yield section
            continue
        text = [block.text for block in section.blocks if not block.whole]
        abstract_follows = (
            _key(sections[1].heading) == "abstract" and sum(map(len, text)) <= LONGEST_TITLE_BLOCK
        )
        said = [one for one in text if _END.search(one)]
        whole_ones = [one for one in said if len(_SIGN.findall(one)) >= OF_A_TEXT]
        if len(said) >= A_FEW or len(whole_ones) > abstract_follows:  # a single sentence may be a note
            yield section
        elif whole := tuple(block for block in section.blocks if block.whole):
            yield TextSection("", whole)


def _key(line: str) -> str:
    return re.sub(r"\W+", "", line).casefold()


def _set_apart(pages: Sequence[str], fonts: Fonts) -> list[frozenset[str]]:
    """For each page, the lines in larger or bolder type than the body text, each reduced to its letters and
    digits."""
    sized = [
        [(line, font) for line, font in zip(split_page(page), sizes, strict=False) if line and font[0]]
        for page, sizes in zip(pages, fonts, strict=False)
    ]
    letters: Counter[float] = Counter()
    for page in sized:
        for line, (size, *_) in page:
            letters[round(size, 1)] += len(line)
    usual = letters.most_common(1)[0][0] if letters else 0.0
    found = [
        frozenset(
            _key(line)
            for line, (size, bold, *_) in page
            if usual and (usual * LARGER <= size <= usual * TITLE or (bold and size >= usual * 0.98))
        )
        for page in sized
    ]
    return [*found, *[frozenset[str]()] * (len(pages) - len(found))]


def _marked(lines: Sequence[_Line], known: bool) -> Iterator[_Line]:
    """The lines with the headings marked; a heading of several lines becomes one line."""
    begun = False
    skip = 0
    for number, line in enumerate(lines):
        if skip:
            skip -= 1
            continue
        named = _key(line.text) in _NAMES or _key(_NUMBERED.sub("", line.text)) in _NAMES
        numbered = _NUMBERED.match(line.text)  # "A. Author" before the first heading is a name
        sure = named or (
            numbered is not None
            and (line.set_apart or not known)
            and (begun or line.text[0] in "0123456789I")
        )
        if not _may_head(line.text) or not (
            sure or (begun and line.set_apart and not _is_at_an_axis(lines, number))
        ):
            yield line
            continue
        begun = True
        text = line.text
        while not named and (follows := lines[number + skip + 1 : number + skip + 2]):
            if not (follows[0].set_apart and _goes_on(text, follows[0].text)):
                break
            text = f"{text} {follows[0].text}" if not text.endswith("-") else text[:-1] + follows[0].text
            skip += 1
        yield _Line(line.page, text, True, line.set_apart)


def _is_at_an_axis(lines: Sequence[_Line], number: int) -> bool:
    """Whether the line stands beside the numbers of a diagram's axis, and so names the axis."""
    for side in (lines[max(0, number - 3) : number][::-1], lines[number + 1 : number + 4]):
        rows = (line.text.split() for line in side if line.page == lines[number].page)
        if sum(map(len, takewhile(lambda row: all(map(_CELL.match, row)), rows))) >= 2:
            return True
    return False


def _may_head(text: str) -> bool:
    bare = _NUMBERED.sub("", text)
    return (
        SHORTEST_HEADING <= len(_key(bare)) <= LONGEST_HEADING
        and not _OTHER.match(text)
        and bare[:1].isupper()
        and not text.rstrip().endswith((".", ",", ";", ":"))
        and bool(_WORD.search(bare))
        and not _is_mathematics(text)
    )


def _goes_on(heading: str, line: str) -> bool:
    if _key(line) in _NAMES and not _NUMBERED.match(heading):
        return False  # a new heading; after a numbered heading, the line is the heading's last word
    return not _NUMBERED.match(line) and not _OTHER.match(line) and len(heading) + len(line) < LONGEST_HEADING


def _sections(lines: Sequence[_Line]) -> Iterator[TextSection]:
    heading, held = "", list[_Line]()
    for line in lines:
        if line.heading:
            if held:
                yield TextSection(heading, tuple(_blocks(held)))
            heading, held = line.text, []
        else:
            held.append(line)
    if held:
        yield TextSection(heading, tuple(_blocks(held)))


def _blocks(lines: Sequence[_Line]) -> Iterator[Block]:
    """The blocks of a section: single sentences of running text, and unchanged runs of equations or table
    rows."""
    runs: list[tuple[bool, list[_Line]]] = []
    for line in lines:
        whole = _is_mathematics(line.text) or _is_row(line.text)
        if runs and runs[-1][0] == whole and (whole or runs[-1][1][-1].page == line.page):
            runs[-1][1].append(line)
        else:
            runs.append((whole, [line]))
    texts = mend_pages([[line.text for line in run] for _, run in runs])
    waiting, marks = "", list[tuple[int, int]]()  # (offset in `waiting`, page that begins there)
    for (whole, run), text in zip(runs, texts, strict=True):
        if whole:
            yield from _paged(waiting, marks)
            waiting, marks = "", []
            yield Block("\n".join(line.text for line in run), run[0].page, True)
            continue
        if waiting and run[0].page != marks[-1][1] and waiting.rstrip()[-1:] in ".!?":
            yield from _paged(waiting, marks)
            waiting, marks = "", []
        before = waiting[:-1] if waiting.endswith("-") else f"{waiting} ".lstrip()
        marks.append((len(before), run[0].page))
        waiting = (before + text).strip()
    yield from _paged(waiting, marks)


def _paged(text: str, marks: Sequence[tuple[int, int]]) -> Iterator[Block]:
    """The sentences, each with the page on which it begins."""
    at = 0
    for one in split_sentences(text):
        at = text.index(one, at)
        page = next(page for offset, page in reversed(marks) if offset <= at)
        yield Block(one, page)
        at += len(one)


def _is_mathematics(text: str) -> bool:
    """Whether a line belongs to a displayed equation: it has symbols or an equation number, and at most two
    words."""
    words = _WORD.findall(text)
    if len(words) > 2:
        return False
    return bool(_MATH.search(text) and len("".join(words)) < 0.5 * len(text.replace(" ", ""))) or (
        bool(_EQUATION_NUMBER.search(text)) and len(words) <= 1
    )


def _is_row(text: str) -> bool:
    """Whether a line is a row of a table: at least half of its cells are numbers or marks."""
    cells = text.split()
    return len(cells) >= 3 and sum(map(bool, map(_CELL.match, cells))) >= 0.5 * len(cells)
