"""Merges three versions of a generated text: as it was generated, its current text, and newly generated.

The current text has priority: every word of the author's is kept in place. Unchanged generated sentences are
replaced by their new version. New sentences are inserted at their place. Sentences that the author removed
stay removed, also if the new text has them in other words. If both sides changed a sentence, a note shows
the new version. A section that the author has not changed is replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from texgeist_latex.tex.sentences import (
    Piece,
    ends_in_comment,
    holds_comment,
    joined,
    keys_of,
    paragraphs,
    split,
)
from texgeist_latex.writing.alignment import align
from texgeist_latex.writing.habits import Layout
from texgeist_latex.writing.prose import break_lines


@dataclass(frozen=True, slots=True)
class Merge:
    """`kept`: pairs (sentence of the author that stays, its new wording); `gone`: the sentences that the
    author removed, now or earlier. All are single lines."""

    text: str
    kept: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineBreaks:
    """How new sentences are broken into lines."""

    layout: Layout = Layout("width")
    newline: str = "\n"

    def of(self, *sentences: str) -> str:
        return break_lines(sentences, self.layout).replace("\n", self.newline)

    def new_sentence(self, piece: Piece) -> str:
        """The text of a new sentence. If it contains a comment, its line breaks are kept, because on a single
        line the comment would hide the rest."""
        if holds_comment(piece.text):
            return piece.text.replace("\r\n", "\n").replace("\n", self.newline)
        return self.of(piece.normal)

    @property
    def joint(self) -> str:
        return " " if self.layout.kind == "paragraph" else self.newline


def merge(
    base: str, theirs: str, new: str, gone: Iterable[str] = (), lines: LineBreaks = LineBreaks()
) -> Merge:
    """Merges the versions. `gone`: sentences that the author removed earlier, which are not inserted
    again."""
    versions = _Versions(split(base), split(theirs), split(new), tuple(gone))
    if _lines(base) == _lines(theirs) and not any(map(versions.was_removed, versions.new)):
        text = _with_ends_of(theirs, new.replace("\n", lines.newline))
    else:
        text = _Output(versions, lines).text(_insertions(versions))
    return Merge(text, tuple(versions.reworded()), versions.removed)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().split("\n")]


def _with_ends_of(current: str, new: str) -> str:
    """The new text with the white space at the start and end of the current text."""
    start, end = len(current) - len(current.lstrip()), len(current.rstrip())
    return current[:start] + new.strip() + current[max(start, end) :]


class _Versions:
    """The aligned sentences of the three versions, and the decision about each. Variables for the number of a
    piece: `b` in the text as it was generated, `c` in the current text, `n` in the newly generated text."""

    def __init__(
        self, base: list[Piece], current: list[Piece], new: list[Piece], gone: tuple[str, ...]
    ) -> None:
        self.base, self.current, self.new = base, current, new
        self.current_of, self.new_of = align(base, current), align(base, new)
        self.base_of_current = {c: b for b, c in self.current_of.items()}
        self.base_of_new = {n: b for b, n in self.new_of.items()}
        removed = (piece.normal for b, piece in enumerate(base) if piece.text and b not in self.current_of)
        self.removed = tuple(dict.fromkeys((*gone, *removed)))  # by the author, now or earlier
        self.removed_papers = {keys for text in self.removed if (keys := keys_of(text))}
        self.kept = {piece.normal for c, piece in enumerate(current) if self.updated(c) is piece}
        self.insertable = {n for n in range(len(new)) if self._is_insertable(n)}
        self.paragraphs, self.new_paragraphs = paragraphs(current), paragraphs(new)

    def updated(self, c: int) -> Piece | None:
        """The current piece itself if the author wrote or changed it, or if it is unchanged in the new text;
        else its new version. Returns None if the new text has no such sentence."""
        piece = self.current[c]
        if not piece.text or not self.is_untouched(c):
            return piece
        n = self.new_of.get(self.base_of_current[c])
        if n is None:
            return None
        return piece if self.new[n].normal in (piece.normal, *self.removed) else self.new[n]

    def is_untouched(self, c: int) -> bool:
        """Whether the current piece is as it was generated."""
        b = self.base_of_current.get(c)
        return b is not None and self.base[b].normal == self.current[c].normal

    def counterpart(self, n: int) -> int | None:
        """The current piece that comes from the same generated sentence as the new piece, or None."""
        b = self.base_of_new.get(n)
        return None if b is None else self.current_of.get(b)

    def _is_insertable(self, n: int) -> bool:
        """Whether a new sentence may be inserted. Not if it is a new version of a generated sentence, is in
        the current text, or was removed by the author, or if a sentence of the author cites its papers."""
        piece = self.new[n]
        if not piece.text or n in self.base_of_new or piece.normal in self.kept:
            return False
        return not self.was_removed(piece) and self._authors_sentence(n) is None

    def was_removed(self, piece: Piece) -> bool:
        """Whether the author removed this sentence, or another sentence about its papers."""
        return piece.normal in self.removed or piece.keys in self.removed_papers

    def _authors_sentence(self, n: int) -> int | None:
        """The author's sentence that already cites the papers of this new sentence, or None."""
        keys = self.new[n].keys
        if not keys:
            return None
        citing = (c for c, piece in enumerate(self.current) if keys <= piece.keys)
        return next((c for c in citing if not self.is_untouched(c)), None)

    def reworded(self) -> Iterator[tuple[str, str]]:
        """The sentences of the author that stay, each with the new sentence that is left out because of it."""
        for n, piece in enumerate(self.new):
            if not piece.text or piece.normal in self.kept or piece.normal in self.removed:
                continue
            b = self.base_of_new.get(n)
            c = self._authors_sentence(n) if b is None else self.current_of.get(b)
            if c is None or self.current[c].kind == "aside" or self.is_untouched(c):
                continue
            if holds_comment(piece.text):
                continue  # it is shown in a single line
            is_changed = b is None or self.base[b].normal != piece.normal
            if is_changed and piece.keys not in self.removed_papers:
                yield self.current[c].normal, piece.normal


# -- the places of new sentences ---------------------------------------------------------------------

_START = -1  # the place before the first current paragraph


@dataclass(frozen=True, slots=True)
class _Insertions:
    """The places of new sentences. `before` and `after`: the new pieces before and after a current piece;
    `paragraphs`: the new paragraphs after a current paragraph, or at `_START`."""

    before: dict[int, list[int]] = field(default_factory=dict)
    after: dict[int, list[int]] = field(default_factory=dict)
    paragraphs: dict[int, list[list[int]]] = field(default_factory=dict)


def _insertions(versions: _Versions) -> _Insertions:
    """Finds a place for every new sentence that may be inserted. A sentence goes beside the current sentences
    of its paragraph. A new paragraph without current sentences goes after the current paragraph that
    corresponds to the new paragraph before it."""
    found = _Insertions()
    paragraph_of = {c: place for place, pieces in enumerate(versions.paragraphs) for c in pieces}
    last = _START  # the current paragraph that corresponds to the last new paragraph
    for pieces in versions.new_paragraphs:
        fresh = [n for n in pieces if n in versions.insertable]
        current = {n: c for n in pieces if (c := versions.counterpart(n)) is not None}
        if current:
            _beside(versions, pieces, fresh, current, found)
            last = paragraph_of[list(current.values())[-1]]
        elif any(versions.new[n].keys or versions.new[n].kind == "aside" for n in fresh):
            found.paragraphs.setdefault(last, []).append(fresh)
    return found


def _beside(
    versions: _Versions, pieces: list[int], fresh: list[int], current: dict[int, int], found: _Insertions
) -> None:
    """Places the `fresh` sentences of a new paragraph: after the counterpart of the sentence before (before it, if
    the author's own sentence behind it closes the paragraph), else before the counterpart of the sentence after.
    `current`: the counterparts of the paragraph's pieces."""
    for n in fresh:
        at = pieces.index(n)
        earlier = [current[other] for other in pieces[:at] if other in current]
        if earlier:
            end = _end_of_thought(versions, earlier[-1])
            closes = any(end == paragraph[-1] for paragraph in versions.paragraphs)
            if closes and end != earlier[-1] and versions.current[end].kind == "sentence":
                found.before.setdefault(earlier[-1], []).append(n)
            else:
                found.after.setdefault(end, []).append(n)
            continue
        first = next(current[other] for other in pieces[at:] if other in current)
        opens = any(paragraph[0] == first for paragraph in versions.paragraphs)
        if versions.new[n].keys or opens:  # an opening sentence is not put inside a paragraph
            found.before.setdefault(first, []).append(n)


def _end_of_thought(versions: _Versions, c: int) -> int:
    """The last of the pieces that the author added directly after the piece `c`; `c` if there are none."""
    paragraph = next(pieces for pieces in versions.paragraphs if c in pieces)
    for following in paragraph[paragraph.index(c) + 1 :]:
        if following in versions.base_of_current:
            break
        c = following
    return c


class _Output:
    """Writes the merged text. New sentences are broken into lines like the rest of the document."""

    def __init__(self, versions: _Versions, lines: LineBreaks) -> None:
        self.versions, self.lines = versions, lines

    def text(self, insertions: _Insertions) -> str:
        versions = self.versions
        made = self._new_paragraphs(insertions, _START)
        for number, pieces in enumerate(versions.paragraphs):
            gap = versions.current[pieces[-1]].gap
            made.append((self._sentences(pieces, insertions), gap))
            made += self._new_paragraphs(insertions, number)
        return self._joined(made)

    def _new_paragraphs(self, insertions: _Insertions, place: int) -> list[tuple[list[Piece], str]]:
        return [(self._new_paragraph(fresh), "") for fresh in insertions.paragraphs.get(place, ())]

    def _new_paragraph(self, fresh: list[int]) -> list[Piece]:
        pieces = [self.versions.new[n] for n in fresh]
        if all(piece.kind == "sentence" and not holds_comment(piece.text) for piece in pieces):
            return [Piece(self.lines.of(*(piece.normal for piece in pieces)), "")]
        return [self._inserted(n) for n in fresh]

    def _sentences(self, pieces: list[int], insertions: _Insertions) -> list[Piece]:
        """A current paragraph with its sentences updated and with new sentences inserted."""
        made: list[Piece] = []
        for c in pieces:
            made += [self._inserted(n) for n in insertions.before.get(c, ())]
            self._add_current(made, c)
            for n in insertions.after.get(c, ()):
                if made:
                    made[-1] = replace(made[-1], gap=self._joint(made[-1]))
                made.append(self._inserted(n))
        return made

    def _add_current(self, made: list[Piece], c: int) -> None:
        """Adds a current sentence or its new version. Nothing is added if there is no new version, or if the
        current text already contains it elsewhere."""
        current, updated = self.versions.current[c], self.versions.updated(c)
        if updated is current:
            made.append(current)
        elif updated is not None and updated.normal not in self.versions.kept:
            if made and made[-1].gap:
                made[-1] = replace(made[-1], gap=self._own_line(made[-1].gap))
            made.append(Piece(self.lines.new_sentence(updated), self._own_line(current.gap)))
        elif made and not made[-1].gap:
            made[-1] = replace(made[-1], gap=current.gap)

    def _inserted(self, n: int) -> Piece:
        """A new piece as it is inserted. A comment gets separate lines."""
        new = self.versions.new[n]
        if new.kind == "aside":
            return Piece(new.text.replace("\n", self.lines.newline), self.lines.newline, "aside")
        return Piece(self.lines.new_sentence(new), self._joint(new))

    def _own_line(self, gap: str) -> str:
        """The gap around an updated sentence. In a document with a line width, the sentence gets its own
        lines, so that the lines around it need not be broken again."""
        return gap if "\n" in gap or self.lines.layout.kind != "width" else self.lines.newline

    def _joint(self, piece: Piece) -> str:
        alone = piece.kind == "aside" or ends_in_comment(piece.text)
        return self.lines.newline if alone else self.lines.joint

    def _joined(self, made: list[tuple[list[Piece], str]]) -> str:
        """The text of the paragraphs with their gaps. It starts and ends like the current text."""
        current = self.versions.current
        kept = [(pieces, gap) for pieces, gap in made if pieces]
        parts = [current[0].gap if current and not current[0].text else ""]
        for number, (pieces, gap) in enumerate(kept, 1):
            if number == len(kept):
                gap = current[-1].gap if current else ""
            elif not Piece("", gap).ends_paragraph:
                gap = 2 * self.lines.newline
            parts.append(joined([*pieces[:-1], Piece(pieces[-1].text, gap)]))
        return "".join(parts)
