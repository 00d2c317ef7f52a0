"""Whom a sentence may mean: how names of people are written, and which words are none.

A name counts as a person's where it is a surname of the papers at hand, or is written like one and is a word
of no passage, title or draft that was given, and rare in abstracts (the word list that ships with the
ranker)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...ranking.storage import load_words
from ...text.words import STOP_WORDS, singular
from .marks import YEAR as _YEAR
from .surnames import FREQUENT
from .things import WELL_KNOWN

UPPER = "".join(c for c in map(chr, range(0x24F)) if c.isupper())
_PARTICLE = (
    r"(?:(?:[Dd]e|[Dd]e la|[Vv][ao]n|[Dd]er|[Dd]en|[Dd]el|[Dd]ella|[Dd]i|[Dd]a|[Dd]u|[Ll]a|[Ll]e|[Tt]e[rn]|[Aa]l"
    r"|[Ee]l|[Bb][ei]n|ibn|d[aeo]s?|af|av|und|[’']t|[Zz]u[rm]?|[ÓO]|N[ií]|Mac|Abd)[ -])"
)
INITIALS = rf"(?:[{UPPER}]\.[ -]?){{1,3}}"
NAME = rf"(?:(?<!\w)(?:{INITIALS}(?=[a-z’']))?{_PARTICLE}{{0,3}}(?:{INITIALS})?[{UPPER}][\w’'-]{{1,40}})"

_CITED = re.compile(  # bounded: passages are strangers' texts
    rf"\([^()]{{0,120}}{_YEAR}[^()]{{0,120}}\)"
    rf"|{NAME}(?:,? (?:and|&) {NAME}|, {NAME}){{0,3}},? (?:et al\b|[(\[]{_YEAR}[^)\]]{{0,40}}[)\]])"
)
_MONTHS = "january february march april may june july august september october november december"
NO_PERSON = frozenset(
    "the a an in on at by for of to and or as since from until during after before around about over under between"
    " this that these those it its they their we our he she his her with within while when where which who what"
    " also both each one two three four five six early recent recently later first finally then thus however"
    " similarly several many most some other another such all any few prior previous existing past appendix section"
    " red green blue orange yellow purple sec fig figure table tab app eq equation algorithm theorem lemma building based"
    " following using challenge workshop"
    f" conference competition dataset edition corpus collection census act law election season task track version see e.g. cf {_MONTHS}".split()
)
_OPENERS = frozenset(  # what else begins sentences, or stands in capitals
    "there here aside while although though whereas because if unless despite notwithstanding besides beyond beside among"
    " amid against throughout through toward towards upon near unlike like whether rather instead meanwhile moreover"
    " furthermore nevertheless nonetheless hence consequently accordingly otherwise yet still only even once again now"
    " today yesterday tomorrow of closest nearest next second third last least less more much none nothing nobody no not"
    " never nor neither either half part parts can could may might should would will must do does did done is are was were"
    " be been being has have had having him hers ours mine us me my you your yours so too very well why how whose whom"
    " concurrent concurrently orthogonal related follow follow-ups ups economists authors researchers scientists readers"
    " monday tuesday wednesday thursday friday saturday sunday north south east west god internet web kappa there's".split()
)
NO_NAME = NO_PERSON | STOP_WORDS | _OPENERS
_RARE = 30  # abstracts of the shipped list in which a word stands that may still be a surname


@dataclass(frozen=True, slots=True)
class Names:
    """Whom the papers at hand are by, and the words that they and the draft use."""

    surnames: frozenset[str]
    vocabulary: frozenset[str]
    tongue: str = ""
    """The language that they write in, "" for English: how a name is told from a noun is another matter there."""

    @classmethod
    def of(cls, surnames: Iterable[str], texts: Iterable[str], tongue: str = "") -> Names:
        """A word that stands in `texts` in a citation alone is none of theirs."""
        people = {s.casefold() for s in surnames if len(s) > 1}
        return cls(
            frozenset(people), frozenset(w for text in texts for w in words_of(_CITED.sub(" ", text))), tongue
        )

    def knowing(self, texts: Iterable[str]) -> Names:
        """With the words of more that was given: the author's own passages."""
        more = (word for text in texts for word in words_of(text))
        return replace(self, vocabulary=self.vocabulary.union(more))

    def is_person(self, name: str) -> bool:
        """`name` as it stands in a text: "Smith", "de Vries", "J. Smith"."""
        words = [w for w in words_of(name) if len(w) > 1]
        last = words[-1] if words else ""
        if not last or last in NO_NAME or not is_cased(name):
            return False
        if last in FREQUENT and last not in self.vocabulary:
            return True
        if self.is_common(last):
            return False
        return self.is_author(name) or last not in self.vocabulary | WELL_KNOWN

    def is_author(self, name: str) -> bool:
        """By one of the papers at hand, and no word of theirs: "Adam" may be an optimiser."""
        words = words_of(name)
        last = words[-1] if words else ""
        if {last, " ".join(words), name.casefold()}.isdisjoint(self.surnames):
            return False
        return last not in self.vocabulary and not self.is_common(last)

    def is_term(self, word: str) -> bool:
        """A word of the papers at hand that abstracts use often."""
        return word in self.vocabulary and self.is_common(word)

    def is_common(self, word: str) -> bool:
        """Used in abstracts often."""
        return load_words().counts.get(singular(word), 0) >= _RARE


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def is_cased(name: str) -> bool:
    """Written as surnames are: "Smith", "O'Brien", "McDonald", "LeCun", and not as "ImageNet2" or "BERT"."""
    last = re.split(r"[ .]", name)[-1]
    parts = [p for p in re.split(r"[’'-]", re.sub(r"[’']s$", "", last)) if p]
    return all(
        re.fullmatch(r"(?:Mc|Mac|De|Le|La|Van|Di|Du|Fitz)?[^\W\d_][^\W\d_]*", p) and _title(p) for p in parts
    )


def _title(part: str) -> bool:
    bare = re.sub(r"^(?:Mc|Mac|De|Le|La|Van|Di|Du|Fitz)(?=[^\W\d_a-z])", "", part)
    return bare[1:] == bare[1:].lower()
