"""Checks that the names and quotations of a sentence occur in the material given to the writer.

A name, a quotation or a name with a year is allowed only if it occurs in a passage, a title or the draft.
"Halloran", "HALLORAN" and "H a l l o r a n" are all refused if no text contains the word, so no list of
people, places or systems is needed. Names that are frequent in abstracts ("Gaussian", "ImageNet") are common
knowledge and allowed, except as the source of a statement. The surname of an author of a given paper is
refused as a citation by hand, in any letter case, unless the texts also use the word with another meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...ranking.storage import load_words
from ...text.words import STOP_WORDS, singular
from .plain import DraftLanguage, is_english

YEAR = r"(?:1[89]\d\d|20[0-3]\d)"
_COMMON = 30  # a word in this many of the 16,280 abstracts of the shipped word list is common knowledge
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "’": "'"}
)
_SPACED = re.compile(r"(?<!\w)(?:[A-Za-z](?:[ .·_-]| {2}|\. )){3,}[A-Za-z](?!\w)")
_TOKEN = re.compile(r"[^\W_]+")
_NAME_LIKE = re.compile(r"[^\W\d_a-zß-öø-ÿ]|^[^\W\d_].*\d")  # has a capital, or digits after letters
_SENTENCE_START = re.compile(r"(?:^|[.?!:] )[\"'(“‘\[]*$")
_DERIVED = re.compile(  # endings of ordinary words that may be rare
    r"(?:ing|ly|ed|[st]ions?|ments?|ity|ities|ness|ists?|isms?|ous|ive|able|ible|ical|less|ful|wards?|ers|ors|ics|i[sz]ed)$"
)
_OPENERS = frozenset("aside closest besides albeit notwithstanding akin amid".split())
_SHORT_WORDS = frozenset("he so do you go no us my me man see".split())  # common words that are also surnames
_OWN_PARTS = frozenset("section sections appendix sec eq eqs fig figs tab app".split())  # "see Sec. 2"

_WORD = r"[^\W\d_][\w'-]+"
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'-]*"
_BOUNDED = r"[^\W\d_a-zß-öø-ÿ][\w'-]{0,40}"
_DOCUMENT = (
    r"(?:papers?|articles?|stud(?:y|ies)|works?|surveys?|reports?|books?|monographs?|thes[ie]s|dissertations?|preprints?"
    r"|publications?|chapters?|essays?|reviews?|manuscripts?|notes?)"
)
_PEOPLE = "(?i:authors|researchers|scientists|group|team|lab|laborator(?:y|ies)|school)"
_MADE = (
    "(?:built|developed|proposed|introduced|shown|released|done|carried out|designed|invented|argued|written)"
)
_AS_SOURCE = tuple(  # patterns in which a word is the source of a statement, in any letter case
    re.compile(pattern)
    for pattern in (
        rf"\b(?:[Aa]ccording to|due to|credited to|{_MADE} (?:by|at)) ({_WORD})((?: {_CAPITAL})*)",
        rf"\b({_CAPITAL}) (?:{_PEOPLE}|{_DOCUMENT})\b",
        rf"\(({_CAPITAL})((?:,? & {_CAPITAL})+)\)",
        rf"\b(?:{_PEOPLE}|{_DOCUMENT}) (?:\w+ )?(?:by|from|at|of) ({_CAPITAL})",
    )
)
_DATED = rf"{_WORD},? ?[(\[](?:[^()\[\]]*[^\w()\[\]])?{YEAR}[a-z]?(?:[,;:][^()\[\]]*)?[)\]]"
_INITIALLED = rf"(?<![\w.])(?:[A-Z]\. ?){{1,3}}{_CAPITAL}\w"
_PERSON = re.compile(rf"{_DATED}|{_INITIALLED}")  # a word with a year in parentheses, or with initials
_QUOTED = re.compile(
    r"[\"“„«‹「『《]\s*([^\"“”„«»‹›」』》]{3,}?)\s*[\"”“»›」』》]|(?<!\w)['‘]([^'‘’]{8,}?)['’](?!\w)"
)
_LONGEST_QUOTE = 3  # greatest number of words of a quotation without a source, as in a "manner of speaking"
_CITED = re.compile(  # repetitions are bounded, because passages are untrusted text
    rf"\([^()]{{0,120}}{YEAR}[^()]{{0,120}}\)"
    rf"|{_BOUNDED}(?:,? (?:and|&) {_BOUNDED}){{0,2}},? (?:et al\b|[(\[]{YEAR}[a-z]?[)\]])"
)


def plain_letters(text: str) -> str:
    """The text without accents, special letters and spaces that hide a word, as in "Ｈａｌｌｏｒａｎ"
    and "H a l l o r a n"."""
    if not text.isascii():
        letters = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in letters if unicodedata.category(c)[0] not in "MC").translate(_UNDECOMPOSED)
        text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    text = re.sub(r"\b([A-Z])[.·](?=[a-z]{3})", r"\1", text)
    return _SPACED.sub(lambda match: re.sub(r"\W|_", "", match[0]), text)


def words_of(text: str) -> list[str]:
    """The words of a text in order, case-folded and without accents, as in `Names.runs`."""
    return re.findall(r"[^\W_]+", plain_letters(text).casefold())


@dataclass(frozen=True, slots=True)
class Names:
    """The material given to the writer, for looking up names. `surnames`: of the papers' authors;
    `vocabulary`: the words of the texts, without those that occur only in citations of people; `runs`: all
    words of the texts in order, with "|" at the end of each text."""

    surnames: frozenset[str]
    vocabulary: frozenset[str]
    runs: str
    language: DraftLanguage = DraftLanguage()
    """The language of the draft. It matters because German, for example, capitalises every noun."""

    @classmethod
    def of(
        cls, surnames: Iterable[str], texts: Iterable[str], language: DraftLanguage | None = None
    ) -> Names:
        """Reads the material. `surnames`: of the papers' authors; `texts`: all texts given to the writer;
        `language`: of the draft, English by default."""
        parts = [
            words_of(name) for name in surnames
        ]  # "van der Berg" is known as "berg", "García-Márquez" by each of the two names
        people = {word for words in parts for word in words if len(word) > 3 or len(words) == 1}
        empty = cls(
            frozenset(word for word in people if len(word) > 1), frozenset(), " ", language or DraftLanguage()
        )
        return empty.knowing(texts)

    def knowing(self, texts: Iterable[str]) -> Names:
        """A copy to which the words of these texts are added, for example the author's passages."""
        texts = list(texts)
        more = "".join(" ".join([*words_of(text), "| "]) for text in dict.fromkeys(texts))
        given = (word for text in texts for word in words_of(_CITED.sub(" ", text)))
        vocabulary = self.vocabulary.union(given)
        return replace(self, vocabulary=vocabulary, runs=self.runs + more)

    def has(self, word: str) -> bool:
        """Whether a text contains the word (in lower case), or its singular or plural."""
        forms = {word, singular(word), f"{word}s", word.removesuffix("s"), word.removesuffix("n")}  # "Kenyan"
        return not self.vocabulary.isdisjoint(forms)

    def has_run(self, text: str) -> bool:
        return f" {' '.join(words_of(text))} " in self.runs

    def spells_out(self, letters: str, text: str) -> bool:
        """Whether consecutive words of the material, or of `text`, begin with these letters: "GNN" for "graph
        neural networks"."""
        words = "".join(rf" {letter}\w*" for letter in letters)
        return bool(re.search(words, self.runs) or re.search(words, f" {' '.join(words_of(text))}"))


def strange_name(text: str, names: Names) -> str:
    """The first name, quotation or name with a year in the sentence that does not occur in the material; ""
    if there is none."""
    text = plain_letters(text)
    return next((found for find in _FINDERS for found in find(text, names)), "")


def _unknown(text: str, names: Names) -> Iterator[str]:
    """Yields capitalised words that are neither in the texts nor common knowledge, and surnames of authors in
    any letter case."""
    foreign = not names.language.english and not is_english(text)
    nouns = foreign and names.language.cased_nouns
    hyphenated = (word.replace("-", "") for word in re.findall(r"\w+(?:-\w+)+", text))
    yield from (word for word in hyphenated if _is_author(word.casefold(), names))
    for match in _TOKEN.finditer(text):
        name, word = match[0], match[0].casefold()
        if _is_author(word, names):
            yield name
        if len(word) < 2 or not _NAME_LIKE.search(name) or _is_ordinary(word, names):
            continue
        title = name[1:].islower()
        starts = title and bool(_SENTENCE_START.search(text[: match.start()]))
        if starts and (foreign or word in _OPENERS or _DERIVED.search(word)):
            continue
        letters = name.rstrip("s")
        if (title and nouns) or (letters.isupper() and names.spells_out(letters.casefold(), text)):
            continue
        yield name


def _is_ordinary(word: str, names: Names) -> bool:
    bare = word.strip("0123456789")
    if len(bare) < 2 and not word[0].isdigit():
        return names.has(word) or is_common(word)
    return (
        len(bare) < 2
        or word in STOP_WORDS | _OWN_PARTS
        or is_common(bare)
        or names.has(bare)
        or names.has(word)
    )


def is_common(word: str) -> bool:
    """Whether the word is frequent in abstracts."""
    counts = load_words().counts
    return max(counts.get(singular(word), 0), counts.get(word.removesuffix("s"), 0)) >= _COMMON


def _is_author(word: str, names: Names) -> bool:
    ordinary = word in STOP_WORDS | _SHORT_WORDS or names.has(word) or is_common(word)
    return word in names.surnames and not ordinary


def _sources(text: str, names: Names) -> Iterator[str]:
    """Yields words that are used as the source of a statement and are not in the texts, even if they are
    common knowledge. Lower-case English words are allowed."""
    for match in (m for frame in _AS_SOURCE for m in frame.finditer(text)):
        for name in (n for n in _TOKEN.findall(" ".join(filter(None, match.groups()))) if len(n) > 1):
            word = name.casefold()
            starts = bool(_SENTENCE_START.search(text[: match.start()])) and match.start() == match.start(1)
            if names.has(word) and word not in names.surnames:
                continue
            small = name.islower() or starts
            if small and word not in names.surnames and (_is_ordinary(word, names) or _DERIVED.search(word)):
                continue
            yield name


def _people(text: str, names: Names) -> Iterator[str]:
    """Yields words with a year or initials if the material does not contain both together."""
    yield from (match[0] for match in _PERSON.finditer(text) if not names.has_run(match[0]))


def _quoted(text: str, names: Names) -> Iterator[str]:
    """Yields quotations that do not occur in the material."""
    quoted = (match[1] or match[2] for match in _QUOTED.finditer(text))
    yield from (quote for quote in quoted if _is_title(quote) and not names.has_run(quote))


def _is_title(quote: str) -> bool:
    """Whether a quotation is longer than a term, or capitalised like a title."""
    capitals = len(re.findall(rf"\b{_CAPITAL}", quote))
    return len(words_of(quote)) > _LONGEST_QUOTE or capitals >= _LONGEST_QUOTE


_FINDERS = (_unknown, _sources, _people, _quoted)
