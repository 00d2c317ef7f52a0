"""New citation keys in the style of the existing keys, and the keys in use.

Each existing key is explained as author, year and title word of its entry with separators; the most common
form is used for new keys. If no form is common enough (`DBLP:conf/…`, numbers, nicknames), new keys look like
those of Google Scholar: `vaswani2017attention`.

A key counts as used if BibTeX or biber could read it, even if our parser does not. The two differ: BibTeX
reads entries inside `@comment{...}` and after a `%`, biber does not; biber stops at a damaged entry, BibTeX
continues. Both must be able to read a new entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from texgeist_latex.bib.authors import split_authors, surname
from texgeist_latex.bib.identity import year_of
from texgeist_latex.bib.parser import HEAD, block_end
from texgeist_latex.tex.accents import read_accents, to_ascii
from texgeist_latex.tex.scan import without_comments
from texgeist_latex.types import BibEntry, Bibliography, Reference

_SAMPLE = 100  # the number of entries that are examined, from the end of the file
_LONGEST = 60  # characters of a new key, without a final letter or number
_STOPWORDS = frozenset(
    "a an the on of for and in to with from by at is are be as via using towards toward der die das ein eine "
    "le la les un une el los las".split()
)
_SIGNS = frozenset("-_:./+")

Parts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeyStyle:
    """The form of keys: `parts` lists their parts in order, each with the separator before it."""

    parts: Parts  # (sign, part); parts: see `_forms`
    letter: bool = False  # always ends in a letter: Ling2015a


SCHOLAR = KeyStyle((("", "author"), ("", "yyyy"), ("", "word")))


def learn_key_style(entries: Sequence[BibEntry]) -> KeyStyle:
    """The most common form of keys if at least a third of the readable keys have it, else `SCHOLAR`."""
    found: Counter[Parts] = Counter()
    letters: Counter[Parts] = Counter()
    readable = 0
    for entry in entries[-_SAMPLE:]:
        if "author" not in entry.fields or year_of(entry) is None:
            continue
        readable += 1
        for style in _read_key(entry):
            found[style.parts] += 1
            letters[style.parts] += style.letter
    if not found:
        return SCHOLAR
    parts, count = found.most_common(1)[0]
    if count * 3 < readable:
        return SCHOLAR
    return KeyStyle(parts, letters[parts] * 2 > count)


def new_key(reference: Reference, style: KeyStyle, taken: Collection[str]) -> str:
    """A key in this style that is not in `taken`. The keys in `taken` are in lower case, because BibTeX
    ignores case."""
    forms = _forms(list(reference.authors), reference.year, reference.title)
    lead = forms[style.parts[0][1]] or _by_id(reference)  # never only a year
    base = lead + "".join(sign + forms[part] for sign, part in style.parts[1:] if forms[part])
    base = re.sub(r"[^A-Za-z0-9:_./+-]", "", base)[:_LONGEST].lstrip("-_:./+") or _by_id(reference)
    candidates = [base + letter for letter in "abcdefghijklmnopqrstuvwxyz"]
    if not style.letter:
        candidates.insert(0, base)
    for candidate in candidates:
        if candidate.lower() not in taken:
            return candidate
    number = 2
    while f"{base}-{number}".lower() in taken:
        number += 1
    return f"{base}-{number}"


def _by_id(reference: Reference) -> str:
    plain = re.sub(r"[^A-Za-z0-9]", "", reference.arxiv_id or reference.doi or to_ascii(reference.id))
    return (f"paper{plain}" if not plain or plain[0].isdigit() else plain)[:_LONGEST]


def _read_key(entry: BibEntry) -> list[KeyStyle]:
    """All styles by which this entry's data yields its key."""
    year = year_of(entry)
    if f"{(year or 0) % 100:02d}" not in entry.key:
        return []
    forms = _forms(split_authors(entry.fields["author"]), year, entry.fields.get("title", ""))
    words = [part for part in forms if part.lower().startswith("word")]
    styles: dict[KeyStyle, None] = {}  # ordered, so that of equal matches the simpler is preferred
    for author in forms:
        if not author.lower().startswith(("auth", "initials")) or not entry.key.startswith(
            forms[author] or "\0"
        ):
            continue
        for dated in ("yyyy", "yy"):
            orders = [
                (author, dated),
                *((author, dated, w) for w in words),
                *((author, w, dated) for w in words),
            ]
            styles.update((style, None) for parts in orders if (style := _explain(entry.key, parts, forms)))
    return list(styles)


def _explain(key: str, parts: tuple[str, ...], forms: dict[str, str]) -> KeyStyle | None:
    """The style if the key consists of these parts, with at most one separator before each part and possibly
    a letter at the end; else None."""
    read: list[tuple[str, str]] = []
    position = 0
    for part in parts:
        form = forms[part]
        sign = key[position] if read and key[position : position + 1] in _SIGNS else ""
        position += len(sign)
        if not form or not key.startswith(form, position):
            return None
        read.append((sign, part))
        position += len(form)
    rest = key[position:]
    return KeyStyle(tuple(read), bool(rest)) if not rest or (len(rest) == 1 and rest.islower()) else None


def _forms(authors: Sequence[str], year: int | None, title: str) -> dict[str, str]:
    """The possible parts of a key, by the name of the form. Of 33 bibliographies of real papers, none has keys
    with other parts (such as four letters of the author) as its most common form."""
    names = [_letters(surname(name)) for name in authors if name.strip().lower() != "others"]
    words = _title_words(title)
    if not any(names) and words:  # without an author, the first title word is used
        names, words = words[:1], words[1:]
    first = names[0] if names else ""
    capitals = [word[:1].upper() + word[1:] for word in words]
    lower = first.lower()
    et_al = "etal" if len(authors) > 1 else ""
    return {
        "author": lower,
        "Author": first[:1].upper() + first[1:],
        "AUTHOR": first.upper(),
        "authoretal": lower + et_al,
        "Authoretal": first + et_al,
        "initials": _initials(names),
        "yyyy": str(year) if year else "",
        "yy": f"{year % 100:02d}" if year else "",
        "word": words[0].lower() if words else "",
        "Word": capitals[0] if words else "",
        "Word3": "".join(capitals[:3]),
    }


def _initials(names: Sequence[str]) -> str:
    """The letters of BibTeX's alpha labels: KBM for three authors, Vas for one."""
    if len(names) == 1:
        return names[0][:3]
    return "".join(name[:1].upper() for name in (names if len(names) <= 4 else names[:3]))


def _letters(name: str) -> str:
    return re.sub(r"[^A-Za-z]", "", to_ascii(name))


def _title_words(title: str) -> list[str]:
    plain = to_ascii(re.sub(r"\\[A-Za-z]+|[{}$]", "", read_accents(title)))
    words = [re.sub(r"[^A-Za-z0-9]", "", word) for word in re.split(r"[\s/:,;–—-]+", plain)]
    return [word for word in words if re.search(r"[A-Za-z]", word) and word.lower() not in _STOPWORDS][:4]


_ANY_KEY = re.compile(HEAD.pattern + r"\s*+([^\s,{}@]+)")
_AT = re.compile(r"^(?P<hidden>[^\S\n]*%[^\n]*)|@(?=\s*(?:[A-Za-z]|\Z))", re.MULTILINE)


def reserved_keys(text: str) -> Iterator[str]:
    """The keys, in lower case, of everything that looks like an entry, also of broken and commented-out
    entries."""
    for each in {text, without_comments(text)} if "%" in text else {text}:
        position = 0
        while found := _ANY_KEY.search(each, position):
            yield found[3].lower()
            position = found.end(2)  # another entry may start directly after the brace


def aliases(entry: BibEntry) -> set[str]:
    """Other keys of this entry for biblatex (field `ids`), in lower case."""
    return {key.lower() for key in re.split(r"[\s,]+", entry.fields.get("ids", "")) if key}


def damaged_tail(bibliography: Bibliography, text: str) -> int | None:
    """The start of an incomplete block after the last complete entry. If entries were appended after such a
    block, BibTeX or biber would lose them. Returns None if there is no such block."""
    position = max((entry.span.end for entry in bibliography.entries), default=0)
    broken = [each.span.start for each in bibliography.problems if each.code == "broken-entry"]
    if behind := [start for start in broken if start >= position]:
        return min(behind)
    while at := _AT.search(text, position):
        position = at.end()
        if at["hidden"]:
            continue
        head = HEAD.match(text, at.start())
        end = block_end(text, head.end() - 1) if head else None
        if end is None:
            return at.start()
        position = end
    return None
