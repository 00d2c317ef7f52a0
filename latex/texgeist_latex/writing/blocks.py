"""Generated text in a document, between two comments that mark it.

% texgeist:begin related-work
...
% texgeist:end related-work
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from texgeist_latex.errors import NoPlace
from texgeist_latex.tex.sentences import keys_of
from texgeist_latex.types import Draft, Edit, SourceFile, Span
from texgeist_latex.writing.admission import LONGEST_IDENTIFIER
from texgeist_latex.writing.habits import Layout

_MARK = re.compile(r"^[ \t]*%[ \t]*texgeist:(begin|end)[ \t]+([\w.:-]+)[ \t]*\r?$", re.MULTILINE)
SECTION_ID = "related-work"  # the default id
_BIBLIOGRAPHY = re.compile(
    r"\\(?:begin\s*\{thebibliography\}|bibliography\s*\{|printbibliography|end\s*\{document\})"
)
_CONFLICT = re.compile(r"^<{7}(?=[ \r\n])", re.MULTILINE)
_HEAD = re.compile(
    r"\A\s*\\(?:chapter|section|subsection|subsubsection|paragraph)\b[^\n]*"
    r"(?:\n[ \t]*\\label\{[^{}\n]*\}[ \t]*(?=\r?\n|\Z))*"
)


@dataclass(frozen=True, slots=True)
class GeneratedBlock:
    """A generated block. `span`: from the start of the begin line to the end of the end line."""

    id: str
    span: Span
    body: Span  # between the two lines

    def heading(self, text: str) -> str:
        """The heading of the block with its labels; "" if there is none. The user may have renamed it."""
        match = _HEAD.match(text[self.body.start : self.body.end])
        return match[0].strip() if match else ""


def prose_span(text: str, block: GeneratedBlock) -> tuple[int, int]:
    """The span of the block after its heading and labels, which are always kept."""
    match = _HEAD.match(text[block.body.start : block.body.end])
    return block.body.start + (match.end() if match else 0), block.body.end


def begin(identifier: str) -> str:
    return f"% texgeist:begin {identifier}"


def end(identifier: str) -> str:
    return f"% texgeist:end {identifier}"


def find_blocks(sources: Iterable[SourceFile]) -> list[GeneratedBlock]:
    """All blocks with a begin and an end mark."""
    return [block for source in sources for block in _blocks(source)]


def _blocks(source: SourceFile, *, whole: bool = False) -> list[GeneratedBlock]:
    """The blocks of a text. With `whole`, raises NoPlace if a mark is alone."""
    found: list[GeneratedBlock] = []
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(source.text) if "texgeist:" in source.text else ():
        closes = opened is not None and mark[1] == "end" and opened[2] == mark[2]
        if whole and not closes and (opened is not None or mark[1] == "end"):
            raise _torn(source, opened or mark)
        if opened is not None and closes:
            line_end = mark.end() - (source.text[mark.end() - 1] == "\r")
            span = Span(source.path, opened.start(), line_end)
            found.append(GeneratedBlock(mark[2], span, Span(source.path, opened.end(), mark.start())))
        if mark[1] == "begin" or closes:
            opened = None if closes else mark
    if whole and opened is not None:
        raise _torn(source, opened)
    return found


def _whole_blocks(draft: Draft) -> list[GeneratedBlock]:
    """All blocks of the document. Raises NoPlace if a begin or end mark is missing or an id occurs twice,
    because generated text can then not be distinguished from the author's text."""
    blocks = [block for source in draft.texts for block in _blocks(source, whole=True)]
    places = dict[str, str]()
    for block in blocks:
        here = _line(draft.sources[block.span.file], block.span.start)
        if block.id in places:
            raise NoPlace(
                f"Two generated texts are called {block.id}: {places[block.id]}, and {here}.",
                "Delete the begin and end line of the text that you want to keep unchanged, and try again.",
            )
        places[block.id] = here
    return blocks


def _torn(source: SourceFile, mark: re.Match[str]) -> NoPlace:
    kind, other, side = ("begin", "end", "after") if mark[1] == "begin" else ("end", "begin", "before")
    return NoPlace(
        f"The line “% texgeist:{other} {mark[2]}” is missing or damaged: “% texgeist:{kind} {mark[2]}” stands "
        f"alone in {_line(source, mark.start())}.",
        f"Put it back on its own line {side} the generated text, or delete the other line too: texgeist then "
        "treats the text as yours.",
    )


def _line(source: SourceFile, offset: int) -> str:
    return f"{source.path.name}, line {source.text.count(chr(10), 0, offset) + 1}"


def behind_blocks(source: SourceFile, place: int) -> int:
    """The end of the block around `place`, because blocks must not be nested; `place` if there is no such
    block."""
    return next((b.span.end for b in find_blocks([source]) if b.span.start < place <= b.span.end), place)


def block_of(identifier: str, heading: str, body: str) -> str:
    r"""The text of a block, with line breaks \n."""
    gap = "\n" if heading.startswith("%") else "\n\n"
    inner = gap.join(part for part in (heading, body) if part)
    return f"{begin(identifier)}\n{inner}\n{end(identifier)}"


def old_block(draft: Draft, identifier: str) -> GeneratedBlock | None:
    """The block to replace or remove; None if no block has this id. Raises NoPlace if the author has moved
    the bibliography into it, if a mark of any block is missing, or if it contains a git conflict."""
    block = next((block for block in _whole_blocks(draft) if block.id == identifier), None)
    if block and (
        both := _CONFLICT.search(draft.sources[block.span.file].text, block.body.start, block.body.end)
    ):
        raise NoPlace(
            f"The generated text {identifier} contains two versions that git could not merge: "
            f"{_line(draft.sources[block.span.file], both.start())}.",
            "Decide which version to keep, remove the lines that begin with <<<<<<<, ======= and >>>>>>>, and try again.",
        )
    if block and _BIBLIOGRAPHY.search(draft.sources[block.span.file].text, block.body.start, block.body.end):
        raise NoPlace(
            f"The generated text {identifier} contains the bibliography, which would be lost.",
            "Move the bibliography below the line with texgeist:end, and try again.",
        )
    return block


def identifier_of(name: str) -> str:
    """A valid id for this name."""
    return re.sub(r"[^\w.:-]+", "-", name[:LONGEST_IDENTIFIER]).strip("-") or SECTION_ID


def free_identifier(draft: Draft, stem: str) -> str:
    """`stem-N` with the first number N that no block of the draft uses. Raises NoPlace like `old_block`."""
    taken = {block.id for block in _whole_blocks(draft)}
    number = 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


_NOTE = re.compile(r"^[ \t]*%+(.*)$", re.MULTILINE)  # a commented line


_SHOWN = 3  # sentences in the notes


@dataclass(frozen=True, slots=True)
class Merged:
    """`latex`: the merged block; `edits`: empty if nothing changes."""

    edits: tuple[Edit, ...]
    latex: str
    keys: frozenset[str]  # the keys cited in the block, also in commented notes
    kept: tuple[tuple[str, str], ...]  # see `Merge`
    gone: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        shown = [f"You changed “{own}”, so it stays. The new wording is “{new}”" for own, new in self.kept]
        more = len(shown) - _SHOWN
        return (*shown[:_SHOWN], *([f"{more} more sentences that you changed stay."] if more > 0 else []))


def merged_into(
    source: SourceFile, old: GeneratedBlock, new: str, written: str, gone: Sequence[str], layout: Layout
) -> Merged:
    r"""Merges `new`, the newly generated block with line breaks \n, into the document. `written`: the block as last
    generated, with its two marks; `gone`: the sentences that the author removed earlier."""
    start, end = prose_span(source.text, old)
    theirs = source.text[start:end]

    from texgeist_latex.writing.merge import LineBreaks, merge  # late, for a quick start of the server

    lines = LineBreaks(layout, source.newline)
    made = merge(prose_of(written), theirs, prose_of(new), gone, lines)
    # The end mark is on its own line.
    text = made.text if made.text.endswith("\n") else made.text + source.newline
    edits = (Edit(source.path, start, end, text),) if text != theirs else ()
    latex = source.text[old.span.start : start] + text + source.text[end : old.span.end]
    return Merged(edits, latex, cited_in(latex), made.kept, made.gone)


def cited_in(block: str) -> frozenset[str]:
    """The keys cited in a block, also in commented notes. Each comment line is read separately, because it
    may contain unclosed braces."""
    return keys_of(block).union(*map(keys_of, _NOTE.findall(block)))


def changed_citations(draft: Draft, old: GeneratedBlock, written: str, keys: frozenset[str]) -> Iterator[str]:
    """Notes on what an update changes: papers added, papers left out, and entries without a citation now."""
    span, inside = old.span, range(old.span.start, old.span.end)
    before = cited_in(draft.sources[span.file].text[span.start : span.end])
    known = {entry.key for each in draft.bibliographies for entry in each.entries}
    elsewhere = {c.key for c in draft.citations if c.span.file != span.file or c.span.start not in inside}
    uncited = known & (before | cited_in(written)) - keys - elsewhere
    for what, named in (
        ("Papers added", keys - before),
        ("Papers left out, because they were not chosen this time", before - keys),
        ("Nothing in the document cites these entries now; they stay in the bibliography", uncited),
    ):
        if named:
            yield f"{what}: {', '.join(sorted(named))}."


def prose_of(block: str) -> str:
    """The text of a separate block, without its marks and heading; "" if `block` is not a block."""
    source = SourceFile(Path(), block)
    spans = [prose_span(block, found) for found in find_blocks([source])]
    return block[slice(*spans[0])] if spans else ""
