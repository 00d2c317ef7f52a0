"""Finds places in a file where a paragraph or a citation can be inserted safely."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from texgeist_latex.errors import NoPlace
from texgeist_latex.tex.markdown import PARENTHETICAL, prose_of, scan_of
from texgeist_latex.tex.scan import Scan, scan, without_comments
from texgeist_latex.tex.sentences import is_abbreviation
from texgeist_latex.tex.wordlists import MATH_ENVIRONMENTS
from texgeist_latex.types import Draft, Edit, SourceFile, Span

# Environments that contain normal text and may contain sections.
_WRAPPERS = frozenset(
    "document appendices multicols multicols* spacing singlespace onehalfspace doublespace linenumbers "
    "CJK CJK* "
    "otherlanguage otherlanguage* mainmatter sloppypar english german refsection refsegment".split()
)
_NO_PROSE = MATH_ENVIRONMENTS | frozenset(
    "array tikzpicture pgfpicture axis picture algorithmic lstlisting verbatim minted tabbing tikzcd prooftree".split()
)
_DISPLAY = re.compile(r"(?<!\\)\\([\[\]])")
_PARAGRAPH_END = re.compile(
    r"\n[ \t]*\r?\n|\r?\n?[ \t]*\\(?:part|chapter|section|subsection|subsubsection|paragraph|end|begin|item"
    r"|bibliography|bibliographystyle|printbibliography|appendix|newpage|clearpage|input|include)\b"
)
_SENTENCE_END = re.compile(
    r"(?P<stop>[.!?](?=[)'’”\"]*(?:\s|\\\\|$))|[。！？])|(?P<edge>\n[ \t]*\r?\n|\\\\|\\(?:begin|end|item|"
    r"section|subsection|subsubsection|paragraph|chapter|par|caption|footnote)\b|(?<!\\)&)"
)


def paragraph_place(source: SourceFile, offset: int) -> int:
    """The end of the paragraph at `offset`, outside of environments, arguments and formulas. Raises NoPlace
    in the preamble and after the document's end."""
    scanned = scan(source.text)
    text = without_comments(source.text)
    offset = min(max(offset, 0), len(text))
    begin = scanned.document.end if scanned.document else 0
    if offset < begin:
        raise NoPlace("The cursor is in the preamble.", "Put it where you want the text.")
    for _ in range(50):
        moved = _out_of_groups(scanned, offset)
        match = _PARAGRAPH_END.search(text, moved)
        end = match.start() if match else len(text)
        moved = min(max(moved, end), scanned.stop)
        moved = len(text[:moved].rstrip()) if text[:moved].rstrip() else moved
        moved = max(moved, begin)
        if _out_of_groups(scanned, moved) == moved:
            return _line_end(source.text, moved)
        offset = _out_of_groups(scanned, moved)
    return offset


def citation_place(source: SourceFile, offset: int) -> int:
    """The place before the final stop of the sentence at `offset`, after its last word. Raises NoPlace
    outside of running text."""
    scanned = scan_of(source.path, source.text)
    text = prose_of(source)
    offset = min(max(offset, 0), len(text))
    inside = (
        text[max(0, offset - 1) : offset + 1].isspace()
        and not source.text[max(0, offset - 1) : offset + 1].isspace()
    )
    if inside or any(start < offset < end for start, end in scanned.dead) or offset > scanned.stop:
        raise NoPlace(
            "No citation can be added here: this is a comment or verbatim text.",
            "Put the cursor in a sentence.",
        )
    _check_prose(scanned, text, offset)
    before = text[:offset].rstrip()
    if before.endswith((".", "!", "?", "。")) and (offset == len(text) or text[offset].isspace()):
        offset = len(before) - 1
    for match in _SENTENCE_END.finditer(text, offset):
        if match["stop"] == "." and is_abbreviation(text, match.start()):
            continue
        if match["stop"] and _out_of_formula(text, match.start()) != match.start():
            continue
        offset = match.start()
        break
    else:
        offset = len(text)
    place = len(text[: min(offset, scanned.stop)].rstrip())
    return _out_of_formula(text, place)


def _check_prose(scanned: Scan, text: str, offset: int) -> None:
    """Raises NoPlace in the preamble, in formulas and in pictures."""
    opened: list[str] = []
    for item in scanned.items:
        if item.start >= offset:
            break
        if item.kind == "begin":
            opened.append(item.name)
        elif item.kind == "end" and item.name in opened:
            del opened[len(opened) - 1 - opened[::-1].index(item.name) :]
    display = [match[1] for match in _DISPLAY.finditer(text, max(0, offset - 2000), offset)]
    inside = any(name.rstrip("*") in _NO_PROSE for name in opened) or display[-1:] == ["["]
    if inside or (scanned.document is not None and offset < scanned.document.end):
        raise NoPlace(
            "No citation can be added here: this is not running text.", "Put the cursor in a sentence."
        )


def _out_of_groups(scanned: Scan, offset: int) -> int:
    """The place after the outermost environment, brace group or display formula around the offset."""
    opened: list[str] = []
    for item in scanned.items:
        if item.start >= offset and not opened:
            break
        if item.kind == "begin" and item.name not in _WRAPPERS and (opened or item.start < offset):
            opened.append(item.name)
        elif item.kind == "end" and item.name in opened:
            while opened and opened.pop() != item.name:
                pass
            if not opened and item.end > offset:
                offset = item.end
    for start, end in scanned.braces.items():
        if start < offset <= end:
            offset = end + 1
    for start, end in scanned.dead:
        if start < offset < end:
            offset = end
    return offset


def _out_of_formula(text: str, place: int) -> int:
    """The end of the formula `$…$` around `place`; `place` if there is none."""
    start = text.rfind("\n\n", 0, place) + 1
    dollars = [m.start() for m in re.finditer(r"(?<!\\)\$", text[start:place])]
    if len(dollars) % 2 == 0:
        return place
    end = re.compile(r"(?<!\\)\$").search(text, place)
    return end.end() if end else place


def _line_end(text: str, offset: int) -> int:
    """The end of the comment that follows on the same line; `offset` if there is none."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    rest = text[offset:end]
    return offset + len(rest.rstrip()) if rest.lstrip().startswith("%") else offset


def citation_at(draft: Draft, file: Path, offset: int) -> tuple[set[str], int] | None:
    """The keys of the citation that the offset touches, and the place for another key; None if there is
    none."""
    # In Markdown, only a citation in brackets takes further keys.
    style = {PARENTHETICAL} if draft.style.parenthetical == PARENTHETICAL else None
    return _touched(draft, file, lambda span: span.start < offset <= span.end, style)


def citation_ending(draft: Draft, file: Path, place: int) -> tuple[set[str], int] | None:
    """Like `citation_at`, for a citation in the document's style that ends at `place`."""
    style = {draft.style.parenthetical, f"{draft.style.parenthetical}*"}
    return _touched(draft, file, lambda span: span.end == place, style)


def _touched(
    draft: Draft, file: Path, holds: Callable[[Span], bool], commands: set[str] | None = None
) -> tuple[set[str], int] | None:
    """The keys of the citation command whose span `holds` accepts, and the place for another key: the end of
    the last key; in Markdown the closing bracket, because a page number may follow the last key."""
    found = [
        each
        for each in draft.citations
        if each.span.file == file
        and holds(each.command_span)
        and (commands is None or each.command in commands)
    ]
    if not found or any(each.key == "*" for each in found):
        return None
    ends = (c.command_span.end - 1 if c.command == PARENTHETICAL else c.span.end for c in found)
    return {each.key for each in found}, max(ends)


def insertion(source: SourceFile, place: int, block: str) -> Edit:
    """Inserts the block on separate lines, with blank lines before and after."""
    before, after = source.text[:place], source.text[place:]
    lead = "" if not before.strip() else "\n" * max(0, 2 - _line_ends(before[::-1]))
    trail = (
        "\n" * max(1, 2 - _line_ends(after))
        if after.strip()
        else ("" if after.startswith(("\n", "\r")) else "\n")
    )
    trail = trail if not after.startswith(("\n", "\r\n")) or _line_ends(after) < 2 else ""
    return Edit(source.path, place, place, (lead + block + trail).replace("\n", source.newline))


def _line_ends(text: str) -> int:
    """The number of line breaks (at most 2) at the start of the text, ignoring spaces."""
    match = re.match(r"[ \t\r\n]*", text)
    return min(2, match[0].count("\n")) if match else 0
