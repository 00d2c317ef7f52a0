"""Compares two author lists: whether they name the same people in the same order.

Initials match names; accents and particles are ignored; a given name may be a middle name or a short form;
family and given name may be swapped; `and others` stands for any number of authors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from ..bib.authors import PARTICLES, SUFFIXES, parse_name, split_authors
from ..bib.index import folded
from ..tex.accents import read_accents, to_ascii
from ..types import FieldCorrection
from .findings import Finding

_OTHERS = frozenset(
    "others;et al;etal;u. a;u.a;und andere;et coll;et autres;és mtsai;és társai;等".split(";")
)
_INITIALS_LAST = re.compile(r"([^,]{2,200}?)((?:[\s~]\w\.?){1,20})")  # Chen X. Y.
_SAME_SPELLING = 80.0  # similarity, from 0 to 100: Schuetze for Schütze, Alexandre for Aleksandr


@dataclass(frozen=True, slots=True)
class Person:
    given: tuple[str, ...]  # words, lower-case ASCII
    family: tuple[str, ...]  # without particles
    shown: str
    raw: str  # as in the field
    joined: tuple[str, ...]  # the given names with hyphens removed: `hotaek` for "Ho-Taek"


@dataclass(frozen=True, slots=True)
class People:
    persons: tuple[Person, ...]
    more: bool  # `and others`


@lru_cache(maxsize=1 << 14)  # an author field is compared several times, with equal fields of records
def read_people(field: str) -> People:
    """The people in an `author` field, without LaTeX and numbers of namesakes ("Wei Li 0001")."""
    names = split_authors(field)
    persons = [name for name in names if read_accents(name).lower().strip(" .{}") not in _OTHERS]
    more = len(persons) < len(names) or bool(re.search(r"\bet\s*al\b", field))
    return People(tuple(_person(re.sub(r"[\s,]*\bet\s*al\b.*", "", name)) for name in persons), more)


def same_person(one: Person, other: Person) -> bool:
    if one.family == other.family or _ends_alike(one, other):
        return _given_agree(one.given, other.given)
    if any(
        _same_words(a + one.family, b + other.family)
        for a, b in ((one.given, other.given), (one.joined, other.joined))
    ):
        return True
    alike = fuzz.ratio("".join(one.family), "".join(other.family)) >= _SAME_SPELLING
    return alike and len("".join(one.family)) > 4 and _given_agree(one.given, other.given)


def _same_words(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the names have the same words in any order, with a whole word in common. An initial stands for a
    word, and the shorter name may lack words: Blei D. for David M. Blei."""
    short, long = sorted((one, other), key=len)
    left = list(long) if 2 <= len(short) <= len(long) < 20 else []
    for word in sorted(short, key=lambda word: (word not in long, -len(word))):
        fitting = [w for w in left if w == word or (1 in (len(w), len(word)) and w[0] == word[0])]
        if not fitting:
            return False
        left.remove(max(fitting, key=word.__eq__))
    return any(len(word) > 1 and word in long for word in short)


def compare_people(mine: People, theirs: People) -> list[Finding]:
    """The differences between an entry's and a record's authors."""
    if not mine.persons or not theirs.persons:
        return []
    if _name_all(mine, theirs):
        message = "BibTeX does not read all of the authors: separate them by `and`."
        return [Finding("authors", message, False)]
    places = _places(mine.persons, theirs.persons)
    places = _with_slip(mine.persons, theirs.persons, places)
    strangers = [p for p, at in zip(mine.persons, places, strict=True) if at is None]
    if strangers and not theirs.more:
        return [_strangers(strangers, mine, theirs)]
    if strangers:  # the record's list is cut
        known = [at for at in places[: len(theirs.persons)] if at is not None]
        if len(known) * 2 < min(len(places), len(theirs.persons)):
            return [_other_people(theirs)]
        message = f"Not among the authors that the record names: {_named(strangers)}."
        return [Finding("authors-added", message, False)]
    found = [at for at in places if at is not None]
    if len(found) < len(theirs.persons) and not mine.more:
        missing = [p.shown for at, p in enumerate(theirs.persons) if at not in found]
        who = ", ".join(missing[:4]) + (" …" if len(missing) > 4 else "")
        message = f"Authors are missing: {who}. Add them, or `and others`."
        return [Finding("authors-missing", message)]
    if theirs.more and not mine.more and not strangers:
        last = theirs.persons[-1].shown
        message = f"The record has more authors after {last}. Add them, or `and others`."
        return [Finding("authors-missing", message)]
    if found != sorted(found):
        return [Finding("author-order", f"The record has the authors in another order: {_listed(theirs)}.")]
    return _spellings(mine.persons, theirs, places)


def _name_all(mine: People, theirs: People) -> bool:
    """Whether fewer persons were read, but their text has all family names in order, separated by any word."""
    words = iter(_words(" ".join(person.raw for person in mine.persons)))
    names = (word for person in theirs.persons for word in person.family)
    return len(mine.persons) < len(theirs.persons) and all(name in words for name in names)


def _with_slip(
    mine: tuple[Person, ...], theirs: tuple[Person, ...], places: list[int | None]
) -> list[int | None]:
    """Completes the places if a single author of the entry has none: the author gets the same position in the
    record, if the person there has the same family name (the given name may be a nickname), or the same given
    name and a family name with a single slip (Seik for Siek)."""
    unknown = [at for at, place in enumerate(places) if place is None]
    if len(unknown) != 1 or len(mine) != len(theirs) or unknown[0] in places:
        return places
    one, other = mine[unknown[0]], theirs[unknown[0]]
    letters = OSA.distance("".join(one.family), "".join(other.family))
    same = letters == 0 or (letters == 1 and one.given == other.given)
    return [unknown[0] if place is None else place for place in places] if same else places


def _spellings(mine: tuple[Person, ...], theirs: People, places: list[int | None]) -> list[Finding]:
    """A correction of each name that the record spells differently."""
    pairs = [(one, theirs.persons[at]) for one, at in zip(mine, places, strict=True) if at is not None]
    return [
        Finding(
            "author-name",
            f"The record spells {one.shown} as {other.shown}.",
            False,
            FieldCorrection("author", one.raw, other.raw),
        )
        for one, other in pairs
        if not _spelled_alike(one, other)
    ]


def _spelled_alike(one: Person, other: Person) -> bool:
    """Whether two names differ only in initials, middle names, accents, hyphens or the order of the parts."""
    whole = one.given + one.family, other.given + other.family
    if _letters(whole[0]) in (_letters(whole[1]), _letters(other.family + other.given)):
        return True
    if not one.given or not other.given:
        return True
    if _letters(one.family) != _letters(other.family):  # in another order, or double: E. Loza Mencía
        return _same_words(*whole)
    # No fix shortens a name to a short form (Matt for Matthew D.); a single letter may be a slip.
    shorter = len("".join(other.given)) < len("".join(one.given)) - 1 and len(other.given) <= len(one.given)
    if shorter and all(mine.startswith(theirs) for mine, theirs in zip(one.given, other.given, strict=False)):
        return True
    initials = any(len(word) == 1 for word in one.given + other.given)
    first = (one.given, other.given) if initials else (one.joined, other.joined)
    return _abbreviated(*first) or _abbreviated(*first[::-1])


def _letters(words: tuple[str, ...]) -> str:
    """The letters of a name, with one spelling for `ü` and `ue`."""
    return re.sub(r"([aou])e", r"\1", "".join(words))


def _abbreviated(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether `short` is equal to `long` or abbreviates it: without middle names, or with initials for
    names."""
    at = 0
    for word in short:
        matches = (
            i for i in range(at, len(long)) if long[i] == word or (len(word) == 1 and long[i][0] == word)
        )
        place = next(matches, None)
        if place is None:
            break
        at = place + 1
    else:
        return True
    joined = "".join(short)
    return _letters(short) == _letters(long) or joined == "".join(word[0] for word in long)


def share_in_common(mine: People, theirs: People) -> float:
    """The share of people in the shorter list who also occur in the other list; 0 if either list is empty."""
    shorter = min(len(mine.persons), len(theirs.persons))
    if not shorter:
        return 0.0
    return sum(at is not None for at in _places(mine.persons, theirs.persons)) / shorter


def _strangers(strangers: list[Person], mine: People, theirs: People) -> Finding:
    if len(strangers) == len(mine.persons):
        return _other_people(theirs)
    names = _named(strangers)
    if len(mine.persons) > len(theirs.persons) and len(mine.persons) - len(strangers) == len(theirs.persons):
        return Finding("authors-added", f"Not among the record's authors: {names}.")
    return Finding("authors", f"Not among the record's authors: {names}. They are {_listed(theirs)}.")


def _named(strangers: list[Person]) -> str:
    return ", ".join(person.shown for person in strangers[:4])


def _other_people(theirs: People) -> Finding:
    return Finding("authors", f"The record has other authors: {_listed(theirs)}.")


def _listed(people: People) -> str:
    names = [person.shown for person in people.persons[:5]]
    return ", ".join(names) + (" and others" if people.more or len(people.persons) > 5 else "")


def _places(mine: tuple[Person, ...], theirs: tuple[Person, ...]) -> list[int | None]:
    """For each person in `mine`, the index of the same person in `theirs`, or None. Each index is used once;
    the same position is tried first."""
    free = set(range(len(theirs)))
    places: list[int | None] = []
    for at, person in enumerate(mine):
        order = sorted(free, key=lambda place: (abs(place - at), place))
        place = next((place for place in order if same_person(person, theirs[place])), None)
        free.discard(-1 if place is None else place)
        places.append(place)
    return places


def _person(name: str) -> Person:
    bare = re.sub(r"\s+\d{4}$", "", name.strip())
    if turned := _INITIALS_LAST.fullmatch(bare):
        bare = f"{turned[1]},{turned[2]}"
    read = parse_name(bare)
    family = tuple(word for word in _words(read.last) if word not in PARTICLES) or tuple(_words(read.last))
    shown = " ".join(f"{read.first} {read.last} {read.suffix}".split())
    initials = all(len(word) == 1 for word in family)  # records may have P., Smith, Christopher
    first = f"{read.first} {read.suffix}" if initials else read.first
    given = tuple(word for word in _words(first) if word not in SUFFIXES)
    joined = tuple(word for word in _words(first.replace("-", "")) if word not in SUFFIXES)
    return Person(given, family, shown, name.strip(), joined)


def _words(text: str) -> list[str]:
    return folded(to_ascii(read_accents(text)).replace("'", "").replace("’", "")).split()


def _ends_alike(one: Person, other: Person) -> bool:
    """Whether one family name is the beginning or the end of the other: `Gonzalez` and `Gonzalez Diez`."""
    short, long = sorted((one.family, other.family), key=len)
    return bool(short) and (long[: len(short)] == short or long[-len(short) :] == short)


def _given_agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if not one or not other:
        return True
    initials = "".join(word[0] for word in one), "".join(word[0] for word in other)
    if one[0] == initials[1] or other[0] == initials[0]:  # JM for Jean-Michel
        return True
    return any(
        a.startswith(b) or b.startswith(a) or (a[0] == b[0] and fuzz.ratio(a, b) >= _SAME_SPELLING)
        for a, b in product(one, other)
    )
