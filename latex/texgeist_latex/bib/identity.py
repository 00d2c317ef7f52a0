"""Decides whether two descriptions are of the same paper.

An arXiv id or DOI decides, in any field and form. Without them, titles must be equal (ignoring case, accents,
punctuation and LaTeX), first authors must be equal, and years must be close (a preprint is often two years
older than its published version). A title alone does not decide: "Introduction to Machine Learning" is the
title of many books. If neither names an author, the title must be long and the years equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from texgeist_latex.bib.authors import first_surname
from texgeist_latex.tex.accents import GREEK, read_accents, to_ascii
from texgeist_latex.types import BibEntry, Reference

ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|"
    "dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|"
    "physics|plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_MONTH = r"\d{2}(?:0[1-9]|1[0-2])"
# Without a version: `2104.12255`, `hep-th/9901001`, `math.GT/0309136`.
ARXIV_ID = rf"(?:{_MONTH}\.\d{{4,5}}|(?:{ARCHIVES})(?:\.[A-Za-z]{{2}})?/{_MONTH}\d{{3}})"


YEARS_APART = 2  # at most, between a preprint and its published version
_TELLING = 20  # characters; a longer title is rarely used twice in a year

_ID = rf"({ARXIV_ID})(?:v\d+)?(?![\d.]*\d)"
_BARE_ID = re.compile(rf"(?:arxiv\s*:\s*)?{_ID}(?:\s*\[[^\]]*\])?", re.I)
_NAMED_ID = re.compile(
    rf"(?:arxiv(?:\.org)?(?:\s*(?:preprints?|e-?prints?|abs))*[\s:./,~(]*(?:(?:abs|pdf|html|format|ps|e-print)/)?"
    rf"(?:arxiv[:.\s]*)?|\babs/){_ID}",
    re.I,
)
_ARCHIVE = re.compile(rf"(?:{ARCHIVES})(?:\.[A-Za-z]{{2}})?", re.I)
_NUMBER = re.compile(r"\d{7}")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.I)
# A character of a DOI, possibly escaped in LaTeX. A comma or semicolon ends the DOI before white space, the
# end, or another DOI.
_SIGN = r"(?:\\[_%&#]|\{\\_\}|[,;](?!\s|\Z|10\.\d)|[^\s\"<>{}|\\^`~,;])"
_DOI = re.compile(rf"10\.\d{{4,9}}(?:\.\d+){{0,9}}/{_SIGN}+(?:<[^\s<>]*>{_SIGN}*)*")
_BRACKETS = {")": "(", "]": "["}
_DOI_LED = re.compile(r"(?:doi\.org/|doi\s*[:=]\s*|^\s*|\\doi\s*\{\s*)(10\.\d{4,9}(?:\.\d+)*/\S+)", re.I)

# Fields in which no id is searched, because they may mention other papers or contain unrelated numbers.
_NO_IDS = frozenset("abstract title keywords annotation annote file crossref related booktitle".split())


@dataclass(frozen=True, slots=True)
class Identity:
    """The data that identifies a paper; "" or None if unknown."""

    arxiv: str = ""
    doi: str = ""
    title: str = ""  # normalised
    surname: str = ""  # of the first author, normalised
    year: int | None = None
    words: str = ""  # text of a \bibitem, which has no title field

    def shares_id(self, other: Identity) -> bool:
        """Whether an arXiv id or a DOI shows that both are the same paper."""
        return any(mine and mine == its for mine, its in ((self.arxiv, other.arxiv), (self.doi, other.doi)))


def same_paper(a: BibEntry | Reference | Identity, b: BibEntry | Reference | Identity) -> bool:
    """Whether both are the same paper, by the rules of this module."""
    one, other = identity_of(a), identity_of(b)
    if one.arxiv and other.arxiv:
        return one.arxiv == other.arxiv
    if one.doi and other.doi:
        return one.doi == other.doi
    if one.words or other.words:
        return _named_in(one, other) or _named_in(other, one)
    if not one.title or one.title != other.title:
        return False
    if not one.surname and not other.surname:
        return len(one.title) >= _TELLING and one.year is not None and one.year == other.year
    return bool(one.surname) and one.surname == other.surname and _close(one.year, other.year)


def _close(a: int | None, b: int | None) -> bool:
    return a is None or b is None or abs(a - b) <= YEARS_APART


def identity_of(paper: BibEntry | Reference | Identity) -> Identity:
    if isinstance(paper, Identity):
        return paper
    if isinstance(paper, Reference):
        return _of_reference(paper)
    if paper.type == "bibitem":
        return _of_item(paper)
    fields = paper.fields
    title = normalise_title(fields.get("title", ""))
    surname = normalise_title(first_surname(fields.get("author") or fields.get("editor", "")))
    return Identity(arxiv_id_of(paper), doi_of(paper), title, surname, year_of(paper))


def arxiv_id_of(entry: BibEntry) -> str:
    """The arXiv id without version, from any field and form; "" if there is none. Old ids lose their subject
    class, because `math.GT/0309136` and `math/0309136` are the same paper."""
    fields = entry.fields
    if found := _from_eprint(fields):
        return found
    for name in ("arxivid", "arxiv"):
        if match := _BARE_ID.fullmatch(fields.get(name, "").strip()):
            return _canonical(match[1])
    for name, value in fields.items():
        if name not in _NO_IDS and ("/" in value or "." in value) and (found := find_arxiv_id(value)):
            return found
    return find_arxiv_id(entry.key.replace("abs-", "abs/").replace("-", ".")) if "abs-" in entry.key else ""


def find_arxiv_id(text: str) -> str:
    """The first arXiv id that the text marks as an arXiv id (`arXiv:1706.03762v5`, a URL), without its
    version; "" if there is none."""
    lower = text.lower()
    if "arxiv" not in lower and "abs/" not in lower:
        return ""
    match = _NAMED_ID.search(text)
    return _canonical(match[1]) if match else ""


def clean_arxiv_id(text: str) -> str:
    """The arXiv id in a field, without its version; "" if it is not an arXiv id."""
    match = _BARE_ID.fullmatch(text.strip())
    return _canonical(match[1]) if match else find_arxiv_id(text)


def doi_of(entry: BibEntry) -> str:
    """The DOI in lower case, without a resolver's address; "" if there is none. arXiv's DOIs
    (`10.48550/arXiv.…`) count as arXiv ids only."""
    fields = entry.fields
    for name in ("doi", "url", "ee", "link", "note", "howpublished", "eprint", "text"):
        value = fields.get(name, "")
        if "10." in value and (doi := find_doi(value)):
            return "" if _ARXIV_DOI.fullmatch(doi) else doi
    return ""


def find_doi(text: str) -> str:
    """The first DOI that is the whole text, follows `doi:`, or is part of a resolver's address; "" if there
    is none."""
    led = _DOI_LED.search(unescaped(text).replace("%2F", "/").replace("%2f", "/"))
    return next((doi for start, _, doi in dois_in(led[1]) if start == 0), "") if led else ""


def dois_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Every DOI in a text, which may be LaTeX: its start, its end, and the DOI in lower case. Punctuation
    after a DOI is left out."""
    for match in _DOI.finditer(text):
        before = match.start() - 1
        if before < 0 or not text[before].isdigit():
            whole = without_marks(match[0])
            yield match.start(), match.start() + len(whole), unescaped(whole).lower()


def without_marks(id: str) -> str:
    """The id without punctuation of the surrounding text. A bracket that was opened inside the id is kept."""
    end = len(id)
    beyond = {close: id.count(close) - id.count(begin) for close, begin in _BRACKETS.items()}
    while end and (id[end - 1] in ".,;:'’" or beyond.get(id[end - 1], 0) > 0):
        end -= 1
        if id[end] in beyond:
            beyond[id[end]] -= 1
    return id[:end]


def unescaped(text: str) -> str:
    """Removes the backslashes before special characters in ids: many DOIs contain a `_`."""
    return re.sub(r"\{\\_\}|\\([_%&#])", lambda sign: sign[1] or "_", text)


def year_of(entry: BibEntry) -> int | None:
    for name in ("year", "date", "issued"):
        if match := re.search(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)", entry.fields.get(name, "")):
            return int(match[0])
    return None


_FORMATTING = re.compile(
    r"\\(?:text(?:bf|it|rm|sc|sf|sl|tt|md|up)?|math(?:bf|it|rm|cal|bb|frak|sf|tt|scr|ds|normal)?|emph|em|it|bf|rm|sc|tt|sf|"
    r"mbox|hbox|ensuremath|operatorname|MakeUppercase|MakeLowercase|NoCaseChange|uppercase|lowercase|protect|"
    r"boldsymbol|bm|url|relax|noopsort|textsuperscript|textsubscript|[,;:! ])(?![A-Za-z])"
)
_KIND = re.compile(r"\s*\[(?:[A-Z]|EB|[A-Z]{1,2}/OL)\]$")  # GB/T 7714
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")
_GREEK_NAMES = str.maketrans(dict(GREEK))


def normalise_title(title: str) -> str:
    """The letters and digits of the title in lower-case ASCII, without LaTeX, accents, punctuation and
    spaces, and without the mark of its kind of document in Chinese bibliographies (`[J]`). If more than half
    of the letters have no ASCII form, all letters are kept as they are."""
    if title.endswith("]"):
        title = _KIND.sub("", title)
    if "\\" in title:
        title = _FORMATTING.sub("", read_accents(title))
    if title.isascii():
        return _NOT_LETTERS.sub("", title.lower())
    folded = title.lower().translate(_GREEK_NAMES)
    plain = _NOT_LETTERS.sub("", to_ascii(folded).lower())
    letters = [char for char in folded if char.isalnum()]
    return plain if len(plain) * 2 >= len(letters) else "".join(letters)


def _from_eprint(fields: dict[str, str]) -> str:
    eprint = fields.get("eprint", "").strip()
    if not eprint:
        return ""
    archive = (fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv").strip()
    if match := _BARE_ID.fullmatch(eprint):
        return _canonical(match[1])
    if _NUMBER.fullmatch(eprint):  # eprint = {9901001}, archivePrefix = {hep-th}
        for prefix in (archive, fields.get("primaryclass", ""), fields.get("eprintclass", "")):
            if _ARCHIVE.fullmatch(prefix):
                return _canonical(f"{prefix}/{eprint}")
    return find_arxiv_id(eprint) if "arxiv" in eprint.lower() else ""


def _canonical(found: str) -> str:
    if "/" not in found:
        return found
    archive, _, number = found.partition("/")
    return f"{archive.split('.')[0].lower()}/{number}"


def _of_reference(paper: Reference) -> Identity:
    doi = find_doi(paper.doi)
    as_arxiv = _ARXIV_DOI.fullmatch(doi)
    arxiv = clean_arxiv_id(paper.arxiv_id) or (clean_arxiv_id(as_arxiv[1]) if as_arxiv else "")
    surname = normalise_title(first_surname(paper.authors[0])) if paper.authors else ""
    return Identity(arxiv, "" if as_arxiv else doi, normalise_title(paper.title), surname, paper.year)


def _of_item(entry: BibEntry) -> Identity:
    text = entry.fields.get("text", "")
    doi = re.search(r"(?:doi\.org/|doi\s*[:=]?\s*)(10\.\d{4,9}/\S+)", text, re.I)
    return Identity(
        arxiv=find_arxiv_id(text),
        doi=find_doi(doi[1]) if doi and not _ARXIV_DOI.match(doi[1]) else "",
        words=" ".join(normalise_title(word) for word in re.split(r"[\s~]+", text)),
    )


def _named_in(item: Identity, paper: Identity) -> bool:
    r"""Whether a `\bibitem`'s text contains the paper's title, first author and a close year."""
    if not item.words or len(paper.title) < 8 or not paper.surname:
        return False
    joined = item.words.replace(" ", "")
    position = joined.find(paper.title)
    if position < 0 or paper.surname not in joined[:position]:
        return False
    years = [int(word) for word in re.findall(r"(?<!\d)(?:1[5-9]|20)\d\d(?=[a-z]?(?:\s|$))", item.words)]
    return paper.year is None or not years or min(abs(year - paper.year) for year in years) <= YEARS_APART


class KnownPapers:
    """Finds entries for a paper by id and title. Each entry is indexed once."""

    def __init__(self, entries: Iterable[BibEntry]) -> None:
        self._by_mark: dict[str, list[tuple[BibEntry, Identity]]] = {}
        self._items: list[tuple[BibEntry, Identity]] = []
        for entry in entries:
            identity = identity_of(entry)
            known = (entry, identity)
            for mark in (identity.arxiv, identity.doi, identity.title):
                if mark:
                    self._by_mark.setdefault(mark, []).append(known)
            if identity.words:
                self._items.append(known)

    def find(self, paper: Reference | BibEntry | Identity) -> list[BibEntry]:
        """All entries for the paper, in the order of their bibliographies. If there are none, entries with its long
        title that may be the same paper, because one side names no author: a second entry for a paper that the
        author has already is worse than a rare homonym."""
        wanted = identity_of(paper)
        marks = [mark for mark in (wanted.arxiv, wanted.doi, wanted.title) if mark]
        close = [known for mark in marks for known in self._by_mark.get(mark, ())] + self._items
        return _entries(close, wanted, same_paper) or _entries(close, wanted, _may_be_same)


def _entries(
    known: Iterable[tuple[BibEntry, Identity]], wanted: Identity, same: Callable[[Identity, Identity], bool]
) -> list[BibEntry]:
    return list({id(entry): entry for entry, identity in known if same(identity, wanted)}.values())


def _may_be_same(one: Identity, other: Identity) -> bool:
    """Whether only missing authors, or missing years, keep both from being the same paper."""
    if (one.arxiv and other.arxiv) or (one.doi and other.doi) or (one.surname and other.surname):
        return False
    return len(one.title) >= _TELLING and one.title == other.title and _close(one.year, other.year)
