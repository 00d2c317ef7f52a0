"""A separate program that extracts the text of PDFs page by page. It is called over standard input.

PDFium is C++ code, reads untrusted files, and is not thread-safe. Because it runs in a separate process, a
crash, a hang or excessive memory use affects only one paper. The program imports nothing of texgeist, so it
starts in a tenth of a second. A request is the PDF, preceded by its length in eight bytes. The answer is JSON
in the same format: `{"pages": [...]}`, each page as text with one line for each printed line, or `{"error":
"..."}`. The answer also has `fonts` (size, boldness, left edge and base of the printed lines), `title` and `author`
(from the file's metadata), `all_pages` (the number of pages), and `head` (the first lines of the first page with
the height of their letters). The program ends when its input ends."""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from typing import Any

MOST_PAGES = 150  # further pages, for example of a thesis, are not read
MOST_LETTERS = 40_000  # of a page; a page with more letters is a figure made of letters
HEAD_LETTERS = 4_000  # of the first page, for title and authors
END_OF_LINE = re.compile(
    "(\r\n|[\n\r\ufffe\x02])"
)  # PDFium marks a hyphen at the end of a line by U+FFFE or U+0002
_NUMBER_BEFORE, _NUMBER_AFTER = re.compile(r"(\d{1,4})(?: |$)"), re.compile(r".* (\d{1,4})$")
NARROW = 20  # points; narrower text, such as the number of a line, is in no column
MOST_MEMORY = 768 * 2**20  # bytes of address space, where the system enforces it; papers take 200 MB


def main() -> int:
    _limit_memory()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while len(head := questions.read(8)) == 8:
        answer = json.dumps(pages_of(questions.read(int.from_bytes(head, "big")))).encode()
        answers.write(len(answer).to_bytes(8, "big") + answer)
        answers.flush()
    return 0


def pages_of(data: bytes) -> dict[str, Any]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        return {"error": str(error)}
    try:
        said = {name.lower(): document.get_metadata_value(name) for name in ("Title", "Author")}
        read = [page_text(document, number) for number in range(min(len(document), MOST_PAGES))]
        pages, fonts = [text for text, _ in read], [fonts for _, fonts in read]
        return {"pages": pages, "fonts": fonts, "head": head_of(document), "all_pages": len(document), **said}
    finally:
        document.close()


def page_text(document: Any, number: int) -> tuple[str, list[tuple[float, ...]]]:
    """The text of a page, with size, boldness, left edge and base of its lines; "" for a damaged page."""
    import pypdfium2

    try:
        page = document[number]
        text = page.get_textpage()
        if text.count_chars() > MOST_LETTERS:
            return "", []
        parts = END_OF_LINE.split(str(text.get_text_range()))
        if boxes := by_columns(text, page.get_width()):
            boxed = [(text.get_text_bounded(*box).strip(), box) for box in boxes]
            fonts = [(0.0, 0, *box[:2]) for part, box in boxed for _ in END_OF_LINE.split(part)[::2]]
            return "\n".join(part for part, _ in boxed), fonts
        spans = without_numbers(parts[::2])
        fonts = fonts_of(text, parts, spans)
        parts[::2] = [line[start:end] for line, (start, end) in zip(parts[::2], spans, strict=True)]
        return "".join(parts), fonts
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return "", []


def without_numbers(lines: list[str]) -> list[tuple[int, int]]:
    """Where each line begins and ends without its number, if more than half of the lines are numbered in the margin, as
    in submissions; else the whole lines. Numbers stand before or after a line."""
    spans = [(0, len(line)) for line in lines]
    for numbered in (_NUMBER_BEFORE, _NUMBER_AFTER):
        matches = {at: match for at, line in enumerate(lines) if (match := numbered.match(line))}
        for at, match in matches.items():
            near = [int(other[1]) - int(match[1]) for by in (-2, -1, 1, 2) if (other := matches.get(at + by))]
            if 1 in near or -1 in near:
                before = numbered is _NUMBER_BEFORE
                spans[at] = (match.end(), len(lines[at])) if before else (0, match.start(1))
    changed = sum(span != (0, len(line)) for span, line in zip(spans, lines, strict=True))
    if changed <= sum(map(bool, map(str.strip, lines))) / 2:
        return [(0, len(line)) for line in lines]
    return spans


def fonts_of(text: Any, parts: list[str], spans: list[tuple[int, int]]) -> list[tuple[float, ...]]:
    """Size, boldness, left edge and base (points from the page's lower left corner) of each printed line. Size and
    boldness are the smaller values of the first and last letter, because a line that only begins in bold is body
    text. `parts`: the lines, with what ends them in between; `spans`: what to read of each line. Returns [] if letters
    and positions do not agree (for example with surrogate pairs)."""
    if sum(map(len, parts)) != text.count_chars():
        return []
    found: list[tuple[float, ...]] = []
    start = 0
    for line, end, (first, last) in zip(parts[::2], [*parts[1::2], ""], spans, strict=True):
        letters = [start + at for at in range(first, last) if not line[at].isspace()]
        ends = [font_of(text, at) for at in ((letters[0], letters[-1]) if letters else ())]
        place = text.get_charbox(letters[0], loose=True)[:2] if letters else (0.0, 0.0)
        size, bold = (min(values) for values in zip(*ends, strict=True)) if ends else (0.0, 0)
        found.append((size, bold, *(round(value, 1) for value in place)))
        start += len(line) + len(end)
    return found


def font_of(text: Any, at: int) -> tuple[float, int]:
    """Size and boldness (1 for bold) of the letter at `at`. Boldness is also read from the font's name,
    because TeX fonts have no weight."""
    import ctypes

    from pypdfium2 import raw

    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(text.raw, at, name, 128, flags)
    called = name.value.decode("latin-1").lower()
    # parts of the names of bold fonts, and of TeX's small capitals, which headings also use
    bold = (
        "bold" in called
        or "bx" in called
        or "-medi" in called
        or called.endswith(("-b", "demi"))
        or "csc" in called
    )
    size = float(raw.FPDFText_GetFontSize(text.raw, at))
    return round(size, 2), int(bold or raw.FPDFText_GetFontWeight(text.raw, at) >= 600)


def head_of(document: Any) -> list[tuple[float, str]]:
    """The first lines of the first page, with the height of their letters in points. Vertical text, such as
    arXiv's stamp, is left out. A gap wider than the letters are high becomes a tab, because it separates the
    authors on a line."""
    import pypdfium2
    from pypdfium2 import raw

    lines: list[tuple[float, str]] = []
    letters: list[tuple[float, str]] = []
    end = float("inf")  # right edge of the previous letter
    try:
        text = document[0].get_textpage()
        for at in range(min(text.count_chars(), HEAD_LETTERS)):
            letter = chr(raw.FPDFText_GetUnicode(text, at))
            if letter in "\r\n":
                lines.append(_line_of(letters))
                letters, end = [], float("inf")
            elif abs(raw.FPDFText_GetCharAngle(text, at)) < 0.1:
                left, low, right, high = text.get_charbox(at, loose=True)
                if not letter.isspace():
                    if left - end > high - low:
                        letters.append((0.0, "\t"))
                    end = right
                letters.append((high - low, letter))
    except (pypdfium2.PdfiumError, IndexError, ValueError, OverflowError):
        return []
    return [(height, line) for height, line in (*lines, _line_of(letters)) if line]


def _line_of(letters: list[tuple[float, str]]) -> tuple[float, str]:
    """The median height of the line's letters, and its text. The median ignores footnote marks, which are
    smaller."""
    heights = sorted(height for height, letter in letters if letter.isalpha())
    line = "".join(letter for _, letter in letters).strip()
    return (round(heights[len(heights) // 2], 1), line) if heights else (0.0, "")


def by_columns(text: Any, width: float) -> list[Any]:
    """The boxes of the page's lines, column by column, if the text in the file alternates between two columns; else
    [].

    TeX writes one column after the other, so the file's order is correct. Other programs write line by line
    across the page."""
    boxes = [text.get_rect(i) for i in range(text.count_rects())]
    lines = [box for box in boxes if box[2] - box[0] > 2]
    wide = [_side(box, width / 2) for box in lines if box[2] - box[0] > NARROW]
    left, right = wide.count(-1), wide.count(1)
    jumps = sum(1 for a, b in pairwise(wide) if a == 1 and b == -1)
    if min(left, right) < 8 or wide.count(0) > len(wide) / 3 or jumps < min(left, right) / 3:
        return []
    return _in_order(lines, [_side(box, width / 2) for box in lines])


def _side(box: tuple[float, float, float, float], middle: float) -> int:
    """-1 left of the middle, 1 right of it, 0 across it."""
    left, _, right, _ = box
    if right <= middle + 4:
        return -1
    return 1 if left >= middle - 4 else 0


def _in_order(lines: list[Any], sides: list[int]) -> list[Any]:
    """The lines in reading order. Lines that cross the middle divide the page into bands; within a band, the
    left column comes first."""
    bars = sorted((box[3] for box, side in zip(lines, sides, strict=True) if side == 0), reverse=True)

    def place(item: tuple[Any, int]) -> tuple[int, int, float, float]:
        box, side = item
        band = 2 * sum(1 for bar in bars if bar > box[3] + 1) + (0 if side == 0 else 1)
        return band, side, -round(box[3]), box[0]

    return [box for box, _ in sorted(zip(lines, sides, strict=True), key=place)]


def _limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    raise SystemExit(main())
