"""A generated section, newly written, brought into what the author has made of the one that stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.types import Edit, Offer, SourceFile
from texgeist_latex.writing.blocks import Block, find_blocks, prose_span
from texgeist_latex.writing.habits import Layout
from texgeist_latex.writing.merge import Lines, merge
from texgeist_latex.writing.sentences import joined, keys_of, split

_NOTE = re.compile(r"^[ \t]*%+(.*)$", re.MULTILINE)  # a commented line


@dataclass(frozen=True, slots=True)
class Before:
    """The section as it was written last, with its two comments, and what the author took out earlier."""

    written: str
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Merged:
    """`latex` is the whole block as it is to stand; no edit where it stands so already."""

    edits: tuple[Edit, ...]
    latex: str
    keys: frozenset[str]  # that it cites, in its commented notes too
    offers: tuple[Offer, ...]
    gone: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.offers:
            return ()
        count = len(self.offers)
        what = "A sentence that you changed was" if count == 1 else f"{count} sentences that you changed were"
        return (f"{what} newly written too: yours stand, and the new ones are offered beside them.",)


def merged_into(
    source: SourceFile, old: Block, new: str, before: Before, layout: Layout, keys: Mapping[str, str]
) -> Merged:
    """`new` is the block as newly written, lines ended by \n; `keys` those of its papers, by Reference.id."""
    start, end = prose_span(source.text, old)
    theirs = source.text[start:end]
    lines = Lines(layout, source.newline)
    made = merge(prose_of(before.written), theirs, prose_of(new), before.gone, lines)
    text = (
        made.text if made.text.endswith("\n") else made.text + source.newline
    )  # the end mark has its own line
    edits = (Edit(source.path, start, end, text),) if text != theirs else ()
    latex = source.text[old.span.start : start] + text + source.text[end : old.span.end]
    ids = {key: id for id, key in keys.items()}
    offers = tuple(
        replace(offer, papers=tuple((key, ids[key]) for key in sorted(keys_of(offer.new)) if key in ids))
        for offer in made.offers
    )
    return Merged(edits, latex, cited_in(latex), offers, made.gone)


def cited_in(block: str) -> frozenset[str]:
    """The keys that a block cites, in its commented notes too; a line of those at a time, for what is commented out
    may begin what it does not end."""
    return keys_of(block).union(*map(keys_of, _NOTE.findall(block)))


def prose_of(block: str) -> str:
    """The text of a block that stands alone, without its comments and its heading; "" for no block."""
    source = SourceFile(Path(), block)
    spans = [prose_span(block, found) for found in find_blocks([source])]
    return block[slice(*spans[0])] if spans else ""


def place_of(source: SourceFile, block: Block, sentence: str) -> tuple[int, int] | None:
    """Where this sentence (LaTeX on one line) stands in the block, however its lines are broken."""
    start, end = prose_span(source.text, block)
    pieces = split(source.text[start:end])
    for n, piece in enumerate(pieces):
        if piece.text and piece.normal == sentence:
            at = start + len(joined(pieces[:n]))
            return at, at + len(piece.text)
    return None
