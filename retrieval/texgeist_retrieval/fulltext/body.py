"""The text of a PDF: printed lines without running heads, the body without references, appendix and acknowledgements,
and running text with ligatures and hyphens resolved.

References, appendix and acknowledgements are recognised by their structure. A heading counts only if the lines
after it confirm it: after "References" there must be a list of references, recognised by its numbering and by the
density of years, venues and names. Citations in brackets in the text are not used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from .extract import END_OF_LINE

WINDOW = 40  # lines examined after a heading
DENSE = 0.30  # share of these lines that must look like parts of references
EARLIEST = 0.25  # references and appendix begin only after this share of the lines
LARGER = 1.08  # a line of at least so many times the size of the text is set apart
RUN = 6  # so many consecutive numbers count as a list of references without heading
_NUMBER = r"(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})[.)]?\s+)?"
_REFERENCES = {
    "references", "bibliography", "workscited", "literaturecited", "referencesandnotes", "literature",
    "referencescited", "citedreferences", "literatur", "literaturverzeichnis", "bibliographie", "rfrences",
    "irodalom", "irodalomjegyzk",
}  # fmt: skip
_APPENDIX = re.compile(
    rf"^{_NUMBER}(?:appendix|appendices|supplementary (?:materials?|information)"
    r"|supplemental material|online appendix)\b(?P<rest>.{0,70})$",
    re.IGNORECASE,
)
_THANKS = re.compile(
    rf"^{_NUMBER}a\s?c\s?knowledge?ments?\b\s*(?P<colon>[.:—–-])?(?P<rest>.*)$", re.IGNORECASE
)
_YEAR = re.compile(r"(?:19|20)\d\d[a-z]?\b")
_ENTRY = re.compile(r"^\s*(?:\[(?P<a>\d{1,3})\]|\((?P<b>\d{1,3})\)|(?P<c>\d{1,3})\.)\s+\S")
_KEYED = re.compile(r"^\s*\[[A-Za-z+]{2,12}\d{2}[a-z]?\]")
_PARTS = re.compile(
    r"arxiv|\bdoi\b|https? ?: ?/|\bpp\.|\bpages? \d|\bvol\.|\bproc(?:\.|eedings)|\bin proc|\bconference\b"
    r"|\bjournal\b|\btrans(?:\.|actions)|\bpress\b|\bsymposium\b|\bworkshop\b|\bpreprint\b|\bet al\b"
    r"|\d+\s?\(\d+\)\s?:|:\d+[-–]{1,2}\d+",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"^(?:[A-Z][\w’'\-]+,\s+(?:[A-Z]\.\s?)+|(?:[A-Z]\.\s?){1,3}[A-Z][\w’'\-]+,)")
_HEADING = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]{1,5}\.)\s+[A-Z][^.!?]{2,70}$")
_NAMED = {"introduction", "conclusion", "conclusions", "discussion", "background", "methods", "results"}


Fonts = Sequence[Sequence[Sequence[float]]]  # see `PdfText`


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line. `size` in points, `left` and `base` from the page's lower left corner; 0 if unknown."""

    page: int
    text: str
    size: float = 0.0
    bold: float = 0
    left: float = 0.0
    base: float = 0.0


def body_pages(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of the body, by page. A page without body lines is an empty list."""
    lines = [Line(number, text) for number, page in enumerate(pages) for text in page]
    texts = [line.text for line in lines]
    end = min(_references_start(texts), _appendix_start(texts))
    dropped = set(_thanks(texts, end))
    kept: list[list[str]] = [[] for _ in pages]
    for number, line in enumerate(lines[:end]):
        if number not in dropped:
            kept[line.page].append(line.text)
    return kept


def reference_lines(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """The lines of the list of references, without its heading, up to an appendix or the next heading; empty if there
    is none."""
    lines = [line for page in pages for line in page]
    texts = [line.text for line in lines]
    start, appendix = _references_start(texts), _appendix_start(texts)
    listed = lines[start : appendix if appendix > start else None]
    listed = listed[1:] if listed and is_references_heading(listed[0].text) else listed
    listed = listed[: _next_heading(listed)]
    return [
        line
        for line, before, after in zip(listed, [None, *listed], [*listed[1:], None], strict=False)
        if not (
            line.text.isdecimal()
            and any(other is None or other.page != line.page for other in (before, after))
        )
    ]


def _next_heading(lines: Sequence[Line]) -> int:
    """The index of the line in larger or bolder type after which there are no references; the number of lines if
    there is none."""
    sizes = Counter(round(line.size, 1) for line in lines[:WINDOW] if line.size)
    usual = sizes.most_common(1)[0][0] if sizes else float("inf")
    for at, line in enumerate(lines):
        apart = line.size >= usual * LARGER or (line.bold and line.size >= usual * 0.98)
        if (
            apart
            and at
            and _density([follows.text for follows in lines[at + 1 : at + 1 + WINDOW // 2]]) < DENSE
        ):
            return at
    return len(lines)


def looks_like_reference(line: str) -> bool:
    """Whether a line looks like the beginning or another part of a reference."""
    return bool(
        _ENTRY.match(line)
        or _KEYED.match(line)
        or _AUTHOR.match(line)
        or _PARTS.search(line)
        or (_YEAR.search(line) and re.search(r"[,(.]\s*(?:19|20)\d\d", line))
    )


def is_references_heading(line: str) -> bool:
    """Whether the line is only the heading of a list of references, with or without number. Small capitals
    may be split, as in "R EFERENCES"."""
    bare = re.sub(rf"^{_NUMBER}(?=\S)", "", line.strip())
    return any(
        len(text) <= 40 and re.sub(r"[^a-z]", "", text.casefold()) in _REFERENCES for text in (line, bare)
    )


def _references_start(texts: Sequence[str]) -> int:
    """The index of the line where the list of references begins; the number of lines if there is none."""
    earliest = int(len(texts) * EARLIEST)
    headed = (i for i in range(len(texts)) if is_references_heading(texts[i]))
    for i in headed:
        # in a short paper the list may be most of the text, so an early heading needs a higher density
        if _density(texts[i + 1 : i + 1 + WINDOW]) >= (DENSE if i >= earliest else 2 * DENSE):
            return i
    return _numbered_list(texts, earliest)


def _density(following: Sequence[str]) -> float:
    if not following:
        return 0.0
    return sum(map(looks_like_reference, following)) / len(following)


def _numbered_list(texts: Sequence[str], earliest: int) -> int:
    """The index of the line where a list [1], [2], … without heading begins: `RUN` lines begin with ascending
    numbers, and the density of references is high. The number of lines if there is none."""
    numbered = [(i, n) for i in range(earliest, len(texts)) if (n := _entry_number(texts[i])) is not None]
    for start, (i, number) in enumerate(numbered):
        run = [n for _, n in numbered[start : start + RUN]]
        if number == 1 and run == list(range(1, RUN + 1)) and _density(texts[i : i + WINDOW]) >= 2 * DENSE:
            return i
    return len(texts)


def _entry_number(line: str) -> int | None:
    match = _ENTRY.match(line)
    return int(match["a"] or match["b"] or match["c"]) if match else None


def _appendix_start(texts: Sequence[str]) -> int:
    for i in range(int(len(texts) * EARLIEST), len(texts)):
        match = _APPENDIX.match(texts[i])
        if match and _is_title(match["rest"]) and _ends(texts[i - 1] if i else ""):
            return i
    return len(texts)


def _is_title(rest: str) -> bool:
    """Whether `rest`, the text after "Appendix", continues a heading, not a sentence ("Appendix A shows that
    …")."""
    words = [word for word in re.findall(r"[A-Za-z]+", rest) if len(word) > 3]
    capital = sum(1 for word in words if word[0].isupper())
    return not rest.rstrip().endswith((".", ",", ";")) and capital >= len(words) / 2


def _ends(line: str) -> bool:
    """Whether the line ends its paragraph, so that the next line may be a heading."""
    return not line or line.rstrip()[-1:] in '.!?:)]”"0123456789' or len(line) < 45


def _thanks(texts: Sequence[str], end: int) -> Iterator[int]:
    """The indices of the lines of acknowledgements: from their heading to the next heading, or to the end of
    the body."""
    i = 0
    while i < end:
        match = _THANKS.match(texts[i])
        rest = match["rest"].strip() if match else ""
        joined = re.fullmatch(r"(?:and|&) .{,50}", rest, re.IGNORECASE) and _is_title(rest)
        if not match or not (match["colon"] or not rest or joined):
            i += 1
            continue
        yield i
        i += 1
        while i < end and not (
            _HEADING.match(texts[i]) or re.sub(r"[^a-z]", "", texts[i].casefold()) in _NAMED
        ):
            yield i
            i += 1


_LIGATURES = str.maketrans(
    dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "ft", "st"), strict=True))
    | {"\u00ad": "", "\u00a0": " "}  # soft hyphen, no-break space
    # The places of the ligatures in TeX's font encodings OT1 and T1, from fonts without names for their letters.
    | dict(zip("\x0b\x0c\x0e\x0f\x1b\x1c\x1d\x1e\x1f", "ff fi ffi ffl ff fi fl ffi ffl".split(), strict=True))
    | dict(zip("\x10\x11\x15\x16", "“”–—", strict=True))  # in T1
)
_BREAKS = ("\ufffe", "\u0002")  # PDFium's marks for a hyphen at the end of a line
_STAMP = re.compile(r"^\s*arXiv:\S+v\d+\s+\[[\w.\-]+\]\s+\d{1,2} \w{3} \d{4}\s*$")
# `(?<!\w)`: else a very long word would be scanned from each letter
_HYPHENATED = re.compile(r"(?<!\w)(\w+)-\n(\w+)((?:-\w+)*)")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_IN_WORD = re.compile(rf"(?<=[^\W\d_]){_CONTROL.pattern}(?=[^\W\d_])")
LOST = "\N{REPLACEMENT CHARACTER}"  # a letter inside a word that cannot be read
EDGE = 2  # lines at the top and the bottom of a page that may be running heads
SHORTEST = 4 * EDGE  # a page with fewer lines has no running heads


def plain_lines(pages: Sequence[str]) -> list[list[str]]:
    """The lines of each page, with ligatures resolved, and without running heads, page numbers and stamps."""
    return [[line.text for line in lines] for lines in placed_lines(pages, ())]


def placed_lines(pages: Sequence[str], fonts: Fonts) -> list[list[Line]]:
    """The lines of `plain_lines` with their type and place, as far as `fonts` has it."""
    split = [
        [
            Line(number, text, *font)
            for text, font in zip_longest(
                split_page(page), fonts[number] if number < len(fonts) else (), fillvalue=()
            )
            if text
        ]
        for number, page in enumerate(pages)
    ]
    repeated = _running_heads([[line.text for line in lines] for lines in split])
    return [_without_heads(lines, repeated) for lines in split]


def split_page(page: str) -> list[str]:
    """The printed lines of a page, cleaned, with the hyphen at their end; "" for a line without text. `fonts` of
    `PdfText` has an item for each."""
    if re.search("[\x1b-\x1f]", page):  # in T1
        page = page.replace("ÿ", "ß")
    parts = END_OF_LINE.split(page.translate(_LIGATURES))
    ends = ["-" if end in _BREAKS else "" for end in parts[1::2]]
    cleaned = (
        _CONTROL.sub("", _IN_WORD.sub(LOST, text + end)).strip()
        for text, end in zip_longest(parts[::2], ends, fillvalue="")
    )
    return ["" if _STAMP.match(line) else line for line in cleaned]


def _masked(line: str) -> str:
    """The line with its digits masked. A line of numbers is only masked if it may be the number of a page, because
    the end of a reference, such as "1–9, 2020.", is no running head."""
    if not re.search(r"[^\W\d]", line) and not re.fullmatch(r"\W*\d+(?: ?/ ?\d+)?[^\w.]*", line):
        return line
    return re.sub(r"\d+", "#", line.casefold())


def _running_heads(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """The lines that occur at the top or bottom of at least three pages, with digits masked."""
    edges = ([*lines[:EDGE], *lines[-EDGE:]] for lines in pages if len(lines) >= SHORTEST)
    seen = Counter(mask for lines in edges for mask in {_masked(line) for line in lines})
    return frozenset(mask for mask, count in seen.items() if count >= 3 and mask)


def _without_heads(lines: Sequence[Line], repeated: frozenset[str]) -> list[Line]:
    last = len(lines) - EDGE
    if len(lines) < SHORTEST:
        return list(lines)
    return [
        line
        for i, line in enumerate(lines)
        if not ((i < EDGE or i >= last) and _masked(line.text) in repeated)
    ]


def mend_pages(pages: Sequence[Sequence[str]]) -> list[str]:
    """Returns running text for each page, and joins words that were divided at line ends.

    Whether the hyphen belongs to the word is decided by the spelling elsewhere in the paper. If the word does
    not occur elsewhere, the hyphen is removed before a lower-case letter."""
    texts = ["\n".join(lines) for lines in pages]
    words = Counter(re.findall(r"\w+(?:-\w+)*", " ".join(texts).casefold()))
    return [" ".join(_HYPHENATED.sub(lambda m: _joined(m, words), text).split()) for text in texts]


def _joined(match: re.Match[str], words: Counter[str]) -> str:
    first, second, rest = match[1], match[2], match[3]
    whole, compound = words[(first + second).casefold()], words[f"{first}-{second}{rest}".casefold()]
    in_between = bool(rest) and len(second) <= 3  # state-of-the-art
    if whole <= compound and (compound or in_between or not second[0].islower()):
        return f"{first}-{second}{rest}"
    return first + second + rest
