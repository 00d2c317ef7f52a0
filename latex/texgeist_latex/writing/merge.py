"""Merges three versions of a generated text: as it was generated, its current text, and newly generated.

The current text has priority: every word of the author's is kept in place. Unchanged generated sentences are
replaced by their new version. New sentences are inserted at their place. Sentences that the author removed
stay removed, in other words too. If both sides changed a sentence, the new version is offered as an
alternative.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from texgeist_latex.tex.sentences import (
    Piece,
    ends_in_comment,
    holds_comment,
    joined,
    keys_of,
    paragraphs,
    split,
)
from texgeist_latex.types import Offer
from texgeist_latex.writing.alignment import Regrouped, align, regrouped
from texgeist_latex.writing.habits import Layout
from texgeist_latex.writing.prose import break_lines


@dataclass(frozen=True, slots=True)
class Merge:
    """`gone`: the sentences that the author removed, now or earlier, as single lines."""

    text: str
    offers: tuple[Offer, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineBreaks:
    """How new sentences are broken into lines."""

    layout: Layout = Layout("width")
    newline: str = "\n"

    def of(self, *sentences: str) -> str:
        return break_lines(sentences, self.layout).replace("\n", self.newline)

    def said(self, piece: Piece) -> str:
        """The text of a new sentence. With a comment in it, line breaks are kept: on a single line the
        comment would hide the rest."""
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
    return _Versions(split(base), split(theirs), split(new), tuple(gone), lines).merged()


class _Versions:
    """The three versions and their alignment; built for a single merge and not changed after `__init__`."""

    def __init__(
        self,
        base: list[Piece],
        theirs: list[Piece],
        new: list[Piece],
        gone: tuple[str, ...],
        lines: LineBreaks,
    ) -> None:
        self.base, self.theirs, self.new, self.lines = base, theirs, new, lines
        self.standing, self.retold = align(base, theirs), align(base, new)
        self.origin = {j: i for i, j in self.standing.items()}
        self.source = {k: i for i, k in self.retold.items()}
        out = (piece.normal for i, piece in enumerate(base) if piece.text and i not in self.standing)
        self.gone = tuple(dict.fromkeys((*gone, *out)))
        self.unwanted = {keys for text in self.gone if (keys := keys_of(text))}
        self.stays = {piece.normal for j, piece in enumerate(theirs) if self._fate(j) is piece}
        self.welcome = {k for k in range(len(new)) if self._is_welcome(k)}

    def merged(self) -> Merge:
        places = paragraphs(self.theirs)
        whole = regrouped(self.base, self.theirs, self.new, self.standing, self.retold, self._may_come)
        new_places = paragraphs(self.new)
        before, after, later = self._placed(places, new_places, whole)
        made: list[tuple[list[Piece], str]] = []
        made += [(self._paragraph(one), "") for one in later.get(-1, ())]
        for at, place in enumerate(places):
            gap = self.theirs[place[-1]].gap
            if at in whole.at:
                made += [(self._verbatim(new_places[r]), gap) for r in whole.at[at]]
            else:
                made.append((self._sentences(place, before, after), gap))
            made += [(self._paragraph(one), "") for one in later.get(at, ())]
        return Merge(self._text(made), tuple(self._offers(whole)), self.gone)

    # -- the new form of a sentence --------------------------------------------------------------------

    def _as_written(self, j: int) -> bool:
        i = self.origin.get(j)
        return i is not None and self.base[i].normal == self.theirs[j].normal

    def _fate(self, j: int) -> Piece | None:
        """The piece itself if it is the author's or is unchanged in the new text; else its new version.
        Returns None if the new text has no such sentence."""
        piece = self.theirs[j]
        if not piece.text or not self._as_written(j):
            return piece
        k = self.retold.get(self.origin[j])
        if k is None:
            return None
        return piece if self.new[k].normal in (piece.normal, *self.gone) else self.new[k]

    def _is_welcome(self, k: int) -> bool:
        """Whether a new sentence without an old counterpart may be inserted."""
        piece = self.new[k]
        known = not piece.text or k in self.source or piece.normal in self.stays
        return (
            not known
            and piece.normal not in self.gone
            and piece.keys not in self.unwanted
            and (self._beside(k) is None)
        )

    def _beside(self, k: int) -> int | None:
        """The author's sentence that already cites the papers of this new sentence, or None."""
        keys = self.new[k].keys
        own = (j for j, piece in enumerate(self.theirs) if keys <= piece.keys and not self._as_written(j))
        return next(own, None) if keys else None

    def _may_come(self, k: int) -> bool:
        """Whether the new sentence can be used when its whole paragraph is replaced."""
        if self.new[k].normal in self.gone:
            j = self._stands_at(k)
            return j is not None and self.theirs[j].normal == self.new[k].normal
        return (
            k in self.welcome
            or (k in self.source and self.new[k].normal not in self.stays)
            or (k in self.source and self.base[self.source[k]].normal == self.new[k].normal)
        )

    def _offers(self, whole: Regrouped) -> Iterable[Offer]:
        for k, piece in enumerate(self.new):
            if not piece.text or piece.normal in self.stays or piece.normal in self.gone:
                continue
            i = self.source.get(k)
            j = self.standing.get(i) if i is not None else self._beside(k)
            if j is None or self.theirs[j].kind == "aside" or self._as_written(j):
                continue
            if holds_comment(piece.text):
                continue  # an offer is a single line
            if piece.keys not in self.unwanted and (i is None or self.base[i].normal != piece.normal):
                yield Offer(self.theirs[j].normal, piece.normal)

    # -- the places of new sentences -------------------------------------------------------------------

    def _placed(
        self, places: list[list[int]], new_places: list[list[int]], whole: Regrouped
    ) -> tuple[dict[int, list[int]], dict[int, list[int]], dict[int, list[list[int]]]]:
        """The places of new sentences: before and after current pieces, and in new paragraphs after current
        paragraphs (-1: before all)."""
        of = {j: at for at, place in enumerate(places) for j in place}
        before: dict[int, list[int]] = {}
        after: dict[int, list[int]] = {}
        later: dict[int, list[list[int]]] = {}
        home = -1
        for r, place in enumerate(new_places):
            if r in whole.home:
                home = whole.home[r]
                continue
            stand = {k: j for k in place if (j := self._stands_at(k)) is not None and of[j] not in whole.at}
            fresh = [k for k in place if k in self.welcome]
            if not stand:
                if any(self.new[k].keys or self.new[k].kind == "aside" for k in fresh):
                    later.setdefault(home, []).append(fresh)
                continue
            for n, k in enumerate(place):
                if k not in self.welcome:
                    continue
                earlier = [stand[one] for one in place[:n] if one in stand]
                if earlier:
                    after.setdefault(self._end_of_thought(earlier[-1], places[of[earlier[-1]]]), []).append(k)
                else:
                    first = next(stand[one] for one in place[n:] if one in stand)
                    if self.new[k].keys or places[of[first]][0] == first:  # no opening inside a paragraph
                        before.setdefault(first, []).append(k)
            home = of[list(stand.values())[-1]]
        return before, after, later

    def _stands_at(self, k: int) -> int | None:
        i = self.source.get(k)
        return None if i is None else self.standing.get(i)

    def _end_of_thought(self, j: int, place: list[int]) -> int:
        """The last piece that the author added after that sentence."""
        for one in place[place.index(j) + 1 :]:
            if one in self.origin:
                break
            j = one
        return j

    # -- output ----------------------------------------------------------------------------------------

    def _sentences(
        self, place: list[int], before: dict[int, list[int]], after: dict[int, list[int]]
    ) -> list[Piece]:
        made: list[Piece] = []
        for j in place:
            gap = self.theirs[j].gap
            fate = self._fate(j)
            repeated = fate is not None and fate is not self.theirs[j] and fate.normal in self.stays
            made += [self._written(k) for k in before.get(j, ())]
            if fate is self.theirs[j]:
                made.append(fate)
            elif fate is not None and not repeated:
                made.append(Piece(self.lines.said(fate), self._own_line(gap)))
                if len(made) > 1 and made[-2].gap:
                    made[-2] = Piece(made[-2].text, self._own_line(made[-2].gap), made[-2].kind)
            elif made and not made[-1].gap:
                made[-1] = Piece(made[-1].text, gap, made[-1].kind)
            for k in after.get(j, ()):
                if made:
                    made[-1] = Piece(made[-1].text, self._joint(made[-1]), made[-1].kind)
                made.append(self._written(k))
        return made

    def _written(self, k: int) -> Piece:
        """The piece to insert. A comment gets its own lines."""
        new = self.new[k]
        if new.kind == "aside":
            return Piece(new.text.replace("\n", self.lines.newline), self.lines.newline, "aside")
        return Piece(self.lines.said(new), self._joint(new))

    def _own_line(self, gap: str) -> str:
        """The gap before an inserted sentence: with a line width it starts a new line, so that current lines
        are not rebroken."""
        return gap if "\n" in gap or self.lines.layout.kind != "width" else self.lines.newline

    def _joint(self, piece: Piece) -> str:
        alone = piece.kind == "aside" or ends_in_comment(piece.text)
        return self.lines.newline if alone else self.lines.joint

    def _verbatim(self, place: list[int]) -> list[Piece]:
        new = self.lines.newline
        return [
            Piece(p.text.replace("\n", new), p.gap.replace("\n", new))
            for p in map(self.new.__getitem__, place)
        ]

    def _paragraph(self, fresh: list[int]) -> list[Piece]:
        pieces = [self.new[k] for k in fresh]
        if all(piece.kind == "sentence" and not holds_comment(piece.text) for piece in pieces):
            return [Piece(self.lines.of(*(piece.normal for piece in pieces)), "")]
        return [self._written(k) for k in fresh]

    def _text(self, made: list[tuple[list[Piece], str]]) -> str:
        """The text of the paragraphs with their gaps. It ends like the current text."""
        break_ = 2 * self.lines.newline
        kept = [(pieces, gap) for pieces, gap in made if pieces]
        lead = self.theirs[0].gap if self.theirs and not self.theirs[0].text else ""
        final = self.theirs[-1].gap if self.theirs else ""
        parts = [lead]
        for n, (pieces, gap) in enumerate(kept):
            last = pieces[-1]
            if n + 1 == len(kept):
                gap = final
            elif not Piece("", gap).ends_paragraph:
                gap = break_
            parts.append(joined(pieces[:-1]) + last.text + gap)
        return "".join(parts)
