"""The gate for foreign text that is written into a document or its bibliography.

Records and sentences come from indexes, PDFs and models. Before anything is planned, they are brought within
limits here, and only here: single lines, no control characters or unpaired surrogates, valid names, and valid
addresses. Overlong text is cut, or refused if a cut would change its meaning. `escape` handles the remaining
characters in LaTeX; `check_entry` checks that BibTeX reads an entry as intended.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from texgeist_latex.bib.authors import OTHERS, split_authors
from texgeist_latex.bib.identity import clean_arxiv_id, find_doi
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.bib.venues import later_meeting
from texgeist_latex.errors import Unfit
from texgeist_latex.types import ProseSection, ProseSentence, Reference

# In code points. Real values are far shorter: the longest title on arXiv has less than 400.
LONGEST_TITLE, LONGEST_NAME, LONGEST_VENUE, LONGEST_ADDRESS, LONGEST_KEY = 600, 200, 300, 2000, 250
DETAILS = frozenset(
    "volume number pages publisher editor series edition chapter school institution organization address".split()
)
LONGEST_SENTENCE, LONGEST_IDENTIFIER = 8000, 100
MOST_NAMES = 50  # of a paper, then "and others": biber may take minutes to compare longer lists

_SPACE = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = frozenset(["Cc", "Cf", "Co", "Cs", "Cn"])
_CLASS = re.compile(r"[A-Za-z-]{1,40}(?:\.[A-Za-z-]{1,40})?")
_DOI = re.compile(r"10\.\d{4,9}/[A-Za-z0-9._;()/:<>+#%&\[\]*,=!@'-]{1,200}")
_ADDRESS = re.compile(r"https?://[^\s{}\\\"<>|^`]+", re.I)
_ADDRESS_SIGNS = "/:?#@!&*+,;=%()._~-"  # all other characters are percent-encoded
_UNCITABLE = re.compile(r"[\\{}%#~,\"\s\x00-\x1f\x7f]")
# Text in comments that programs act on (texgeist, build tools of editors): marks, notes, magic comments.
_OBEYED = re.compile(r"(?<![\w{,])(texgeist|arara)\s*:[\s:]*|(?:!\s*)+(?=(?:TEX|BIB|LW)\b)", re.IGNORECASE)


def one_line(text: str) -> str:
    """The text in a single line, without control characters and unpaired surrogates."""
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text)).strip()
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in _INVISIBLE)


def checked_section(section: ProseSection) -> ProseSection:
    """The section within the limits. Raises `Unfit` for an overlong sentence, whose meaning a cut would
    change."""
    paragraphs = tuple(tuple(map(_checked_sentence, paragraph)) for paragraph in section.paragraphs)
    return ProseSection(_cut(section.title, LONGEST_TITLE), paragraphs)


def checked_reference(reference: Reference) -> Reference:
    """The reference within the limits. Registries may give the year of a preprint with the venue of the published
    paper; then the venue's year is taken. Idempotent."""
    arxiv, doi = clean_arxiv_id(reference.arxiv_id[:LONGEST_NAME]), _doi(reference.doi)
    year = later_meeting(reference.venue, reference.year) or reference.year
    return replace(
        reference,
        title=_cut(reference.title, LONGEST_TITLE) or (f"arXiv:{arxiv}" if arxiv else doi or "Untitled"),
        authors=_names(reference.authors),
        year=year if year is not None and 1000 <= year <= 2999 else None,
        arxiv_id=arxiv,
        primary_class=reference.primary_class if _CLASS.fullmatch(reference.primary_class) else "",
        doi=doi,
        venue=_cut(reference.venue, LONGEST_VENUE),
        url=_address(reference.url),
        entry_type=reference.entry_type if _CLASS.fullmatch(reference.entry_type) else "",
        details=tuple(
            (name, _cut(text, LONGEST_VENUE)) for name, text in reference.details if name in DETAILS
        ),
    )


def checked_references(references: Iterable[Reference]) -> list[Reference]:
    return [checked_reference(reference) for reference in references]


def is_citable(key: str) -> bool:
    r"""Whether `\cite{key}` does nothing but cite. A key from a foreign bibliography may contain any
    characters."""
    return len(key) <= LONGEST_KEY and not _UNCITABLE.search(key) and one_line(key) == key


def comment(text: str) -> str:
    """The text made safe for a comment, wherever its lines are broken: no program reads any part of it as a
    mark, a note or a magic comment."""
    return _OBEYED.sub(lambda found: f"{found[1]} " if found[1] else "", _cut(text, LONGEST_SENTENCE))


def _checked_sentence(sentence: ProseSentence) -> ProseSentence:
    for part in (sentence.lead, sentence.text):
        if len(part) > LONGEST_SENTENCE:
            raise Unfit(
                f"A sentence has {len(part):,} characters, which is too many, so nothing was written.",
                "Try again, or use another model.",
            )
    return replace(sentence, lead=one_line(sentence.lead), text=one_line(sentence.text))


def _cut(text: str, longest: int) -> str:
    """A single line of at most `longest` characters, cut between words."""
    line = one_line(text[: 2 * longest])
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0] + " …"


def _names(names: Sequence[str]) -> tuple[str, ...]:
    """The names that contain a letter or digit, because no bibliography program accepts empty names or names
    of dashes. At most `MOST_NAMES` names, then "others" if there are more."""
    found = [
        line for name in names[: 10 * MOST_NAMES] if any(map(str.isalnum, line := _cut(name, LONGEST_NAME)))
    ]
    named = [name for name in found if name.lower() != OTHERS]
    more = len(named) > MOST_NAMES or len(named) < len(found) or len(names) > 10 * MOST_NAMES
    return (*named[:MOST_NAMES], *([OTHERS] if more and named else []))


def _doi(text: str) -> str:
    """The DOI, capitalised as in the text; "" if there is none."""
    found = find_doi(text[:LONGEST_ADDRESS])
    start = text.lower().find(found)
    written = text[start : start + len(found)] if found and start >= 0 else found
    return written if _DOI.fullmatch(written) else ""


def _address(text: str) -> str:
    address = text.strip()
    if len(address) > LONGEST_ADDRESS or one_line(address) != address or not _ADDRESS.fullmatch(address):
        return ""
    return quote(address, safe=_ADDRESS_SIGNS)


_NOWHERE = Path("entry.bib")


def check_entry(entry: str, kind: str, key: str, fields: Mapping[str, str]) -> None:
    """Raises `Unfit` unless the text contains exactly one entry with this kind, key and fields (by lower-case
    name), and every author has a last name. Takes 0.1 ms, and 0.1 s for the import at first use."""
    if problem := _problem(entry, kind, key, fields):
        raise Unfit(
            f"The bibliography entry {key[:60]} was not written, because BibTeX would misread {problem}.",
            "Leave the paper out and try again.",
        )


def _problem(entry: str, kind: str, key: str, fields: Mapping[str, str]) -> str:
    ours = read_bib(_NOWHERE, entry)
    meant = {name: " ".join(value.split()) for name, value in fields.items()}
    if ours.problems or [(each.type, each.key, each.fields) for each in ours.entries] != [(kind, key, meant)]:
        return "its braces"
    if _by_bibtexparser(entry) != (kind, key, dict(fields)):
        return "its fields"
    return "an author's name" if "author" in fields and not _are_names(fields["author"]) else ""


def _by_bibtexparser(entry: str) -> tuple[str, str, dict[str, str]] | None:
    import bibtexparser
    from bibtexparser.middlewares import RemoveEnclosingMiddleware

    library = bibtexparser.parse_string(entry, parse_stack=[RemoveEnclosingMiddleware()])
    if library.failed_blocks or len(library.blocks) != 1 or len(library.entries) != 1:
        return None
    found = library.entries[0]
    fields = {field.key.lower(): str(field.value) for field in found.fields}
    return found.entry_type.lower(), found.key, fields


def _are_names(authors: str) -> bool:
    from bibtexparser.middlewares.names import (
        InvalidNameError,
        parse_single_name_into_parts,
        split_multiple_persons_names,
    )

    names = split_authors(authors)  # bibtexparser 2.1 loses characters of names that start with a command
    try:
        parts = [parse_single_name_into_parts(name) for name in names]
    except InvalidNameError:
        return False
    return len(split_multiple_persons_names(authors)) == len(names) and all(part.last for part in parts)
