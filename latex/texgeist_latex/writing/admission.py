"""The gate for what comes from outside and is written into a document or its bibliography.

Papers' records and sentences come from strangers: from indexes, PDFs, models. Here, and nowhere else, they
are brought into bounds before anything is planned: one line each, no control characters and no halves of
letters, names that are names, addresses made of what addresses may hold. What is too long to be what it
says it is gets cut, or is refused where a cut would change what it says. What LaTeX makes of the signs
that remain is `escape`'s concern; that BibTeX reads an entry as it was meant, `readback`'s.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import quote

from texgeist_latex.bib.identity import clean_arxiv_id, find_doi
from texgeist_latex.errors import Unfit
from texgeist_latex.types import ProseSection, ProseSentence, Reference

# In code points. Real ones stay far below: the longest title on arXiv has under 400.
LONGEST_TITLE, LONGEST_NAME, LONGEST_VENUE, LONGEST_ADDRESS, LONGEST_KEY = 600, 200, 300, 2000, 250
LONGEST_SENTENCE, LONGEST_IDENTIFIER = 8000, 100
MOST_NAMES = (
    50  # of one paper; the others become BibTeX's "and others": of more, biber may compare lists for minutes
)
OTHERS = "others"

_SPACE = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = frozenset(["Cc", "Cf", "Co", "Cs", "Cn"])
_CLASS = re.compile(r"[A-Za-z-]{1,40}(?:\.[A-Za-z-]{1,40})?")
_DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._;()/:<>+#%&\[\]*,=!@'-]{1,200}")
_ADDRESS = re.compile(r"https?://[^\s{}\\\"<>|^`]+", re.I)
_ADDRESS_SIGNS = "/:?#@!&*+,;=%()._~-"  # others, and all that is not ASCII, are percent-encoded
_UNCITABLE = re.compile(r"[\\{}%#~,\"\s\x00-\x1f\x7f]")
# What programs obey in a comment, texgeist itself and the editors' builds: marks, notes, magic comments.
_OBEYED = re.compile(r"(?<![\w{,])(texgeist|arara)\s*:[\s:]*|(?:!\s*)+(?=(?:TEX|BIB|LW)\b)", re.IGNORECASE)


def one_line(text: str) -> str:
    """The text on one line, without control characters, halves of surrogate pairs and the like."""
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text)).strip()
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in _INVISIBLE)


def checked_section(section: ProseSection) -> ProseSection:
    """The section within the limits. Raises `Unfit` for an overlong sentence: cut, it would mean something else."""
    paragraphs = tuple(tuple(map(_checked_sentence, paragraph)) for paragraph in section.paragraphs)
    return ProseSection(_cut(section.title, LONGEST_TITLE), paragraphs)


def checked_reference(reference: Reference) -> Reference:
    """The paper in bounds; once more changes nothing."""
    arxiv, doi = clean_arxiv_id(reference.arxiv_id[:LONGEST_NAME]), _doi(reference.doi)
    year = reference.year
    return replace(
        reference,
        title=_cut(reference.title, LONGEST_TITLE) or _stand_in(arxiv, doi),
        authors=_names(reference.authors),
        year=year if year is not None and 1000 <= year <= 2999 else None,
        arxiv_id=arxiv,
        primary_class=reference.primary_class if _CLASS.fullmatch(reference.primary_class) else "",
        doi=doi,
        venue=_cut(reference.venue, LONGEST_VENUE),
        url=_address(reference.url),
    )


def checked_references(references: Iterable[Reference]) -> list[Reference]:
    return [checked_reference(reference) for reference in references]


def is_citable(key: str) -> bool:
    r"""Whether `\cite{key}` is a citation and nothing more, whatever stands in a stranger's bibliography."""
    return len(key) <= LONGEST_KEY and not _UNCITABLE.search(key) and one_line(key) == key


def comment(text: str) -> str:
    """Text for a comment, wherever it is broken: nobody takes it for a mark, an author's note or an order."""
    return _OBEYED.sub(lambda found: f"{found[1]} " if found[1] else "", _cut(text, LONGEST_SENTENCE))


def _checked_sentence(sentence: ProseSentence) -> ProseSentence:
    for part in (sentence.lead, sentence.text):
        if len(part) > LONGEST_SENTENCE:
            raise Unfit(
                f"A sentence has {len(part):,} characters, too many, so nothing was written.",
                "Try again, or with another model.",
            )
    return replace(sentence, lead=one_line(sentence.lead), text=one_line(sentence.text))


def _cut(text: str, longest: int) -> str:
    """One line of at most `longest` characters, cut at a word's end."""
    line = one_line(text[: 2 * longest])
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0] + " …"


def _stand_in(arxiv: str, doi: str) -> str:
    """For a paper whose title nobody gave: an entry needs one."""
    return f"arXiv:{arxiv}" if arxiv else doi or "Untitled"


def _names(names: Sequence[str]) -> tuple[str, ...]:
    """Those that hold a letter or a digit: no bibliography program takes an empty name, or one of dashes."""
    found = [line for name in names[: 10 * MOST_NAMES] if _is_name(line := _cut(name, LONGEST_NAME))]
    named = [name for name in found if name.lower() != OTHERS]
    more = len(named) > MOST_NAMES or len(named) < len(found) or len(names) > 10 * MOST_NAMES
    return (*named[:MOST_NAMES], *([OTHERS] if more and named else []))


def _is_name(line: str) -> bool:
    return any(char.isalnum() for char in line)


def _doi(text: str) -> str:
    """The DOI as it is capitalised in the text, "" if there is no DOI."""
    found = find_doi(text[:LONGEST_ADDRESS])
    start = text.lower().find(found)
    written = text[start : start + len(found)] if found and start >= 0 else found
    return written if _DOI.fullmatch(written) else ""


def _address(text: str) -> str:
    address = text.strip()
    if len(address) > LONGEST_ADDRESS or one_line(address) != address or not _ADDRESS.fullmatch(address):
        return ""
    return quote(address, safe=_ADDRESS_SIGNS)
