"""Are two descriptions of the same paper?

An arXiv id or a DOI decides, in whatever field and form it stands. Where neither does, the title must
agree letter for letter (case, accents, punctuation and LaTeX aside) and so must the first author, and
the years must be close: a preprint is often two years older than what became of it. A title alone never
decides: "Introduction to Machine Learning" is the title of many books. Where neither names an author, the
title must be a long one and the years the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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


YEARS_APART = 2  # a preprint and its published version
_TELLING = 20  # letters of a title that is hardly given twice in a year

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
# A sign of a DOI, as it may be written in LaTeX; a comma or semicolon divides where the next id or nothing follows.
_SIGN = r"(?:\\[_%&#]|\{\\_\}|[,;](?!\s|\Z|10\.\d)|[^\s\"<>{}|\\^`~,;])"
_DOI = re.compile(rf"10\.\d{{4,9}}(?:\.\d+){{0,9}}/{_SIGN}+(?:<[^\s<>]*>{_SIGN}*)*")
_BRACKETS = {")": "(", "]": "["}
_DOI_LED = re.compile(r"(?:doi\.org/|doi\s*[:=]\s*|^\s*|\\doi\s*\{\s*)(10\.\d{4,9}(?:\.\d+)*/\S+)", re.I)

# Fields that speak of other papers too, or hold words in which a number means nothing.
_NO_IDS = {
    "abstract",
    "title",
    "keywords",
    "annotation",
    "annote",
    "file",
    "crossref",
    "related",
    "booktitle",
}


@dataclass(frozen=True, slots=True)
class Identity:
    """What identifies a paper; "" or None for what is not known."""

    arxiv: str = ""
    doi: str = ""
    title: str = ""  # normalised
    surname: str = ""  # of the first author, normalised
    year: int | None = None
    words: str = ""  # of a \\bibitem, which has no field for its title


def same_paper(a: BibEntry | Reference | Identity, b: BibEntry | Reference | Identity) -> bool:
    """Whether the two describe one paper; see the module for how that is decided."""
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
    return _same_author(one, other) and _close(one, other)


def identity_of(paper: BibEntry | Reference | Identity) -> Identity:
    if isinstance(paper, Identity):
        return paper
    if isinstance(paper, Reference):
        return _of_reference(paper)
    if paper.type == "bibitem":
        return _of_item(paper)
    fields = paper.fields
    title = normalise_title(fields.get("title", ""))
    surname = normalise_name(first_surname(fields.get("author") or fields.get("editor", "")))
    return Identity(arxiv_id_of(paper), doi_of(paper), title, surname, year_of(paper))


def arxiv_id_of(entry: BibEntry) -> str:
    """The arXiv id without its version, from any field, in any form; "" without one. Old-style ids
    lose their subject class: `math.GT/0309136` and `math/0309136` are one paper."""
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
    """The first arXiv id in running text that is named as one (`arXiv:1706.03762v5`, a URL)."""
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
    """The DOI in lower case without any resolver before it, "" without one. arXiv's own DOIs
    (`10.48550/arXiv.…`) are arXiv ids and not counted here."""
    fields = entry.fields
    for name in ("doi", "url", "ee", "link", "note", "howpublished", "eprint", "text"):
        value = fields.get(name, "")
        if "10." in value and (doi := find_doi(value)):
            return "" if _ARXIV_DOI.fullmatch(doi) else doi
    return ""


def find_doi(text: str) -> str:
    """The first DOI in the text that is said to be one: alone, after `doi:`, in a resolver's address."""
    led = _DOI_LED.search(unescaped(text).replace("%2F", "/").replace("%2f", "/"))
    return next((doi for start, _, doi in dois_in(led[1]) if start == 0), "") if led else ""


def dois_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Every DOI in running text, LaTeX or not: where it stands, without the marks that end a clause behind it, and
    the id itself, in lower case."""
    for match in _DOI.finditer(text):
        before = match.start() - 1
        if before < 0 or not text[before].isdigit():
            whole = without_marks(match[0])
            yield match.start(), match.start() + len(whole), unescaped(whole).lower()


def without_marks(id: str) -> str:
    """Without what belongs to the text around: a bracket that was opened inside belongs to the id."""
    end = len(id)
    beyond = {close: id.count(close) - id.count(begin) for close, begin in _BRACKETS.items()}
    while end and (id[end - 1] in ".,;:'’" or beyond.get(id[end - 1], 0) > 0):
        end -= 1
        if id[end] in beyond:
            beyond[id[end]] -= 1
    return id[:end]


def unescaped(text: str) -> str:
    """Without the backslashes that LaTeX wants before signs which ids may hold: Springer's have a `_`."""
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
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")
_GREEK_NAMES = str.maketrans(dict(GREEK))


def normalise_title(title: str) -> str:
    """The title's letters and digits in lower-case ASCII, nothing between them: LaTeX, accents, case,
    punctuation and hyphens do not count. Where no letter has an ASCII form the letters stay."""
    if "\\" in title:
        title = _FORMATTING.sub("", read_accents(title))
    if title.isascii():
        return _NOT_LETTERS.sub("", title.lower())
    folded = title.lower().translate(_GREEK_NAMES)
    plain = _NOT_LETTERS.sub("", to_ascii(folded).lower())
    letters = [char for char in folded if char.isalnum()]
    return plain if len(plain) * 2 >= len(letters) else "".join(letters)


def normalise_name(name: str) -> str:
    return normalise_title(name)


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
    surname = normalise_name(first_surname(paper.authors[0])) if paper.authors else ""
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
    """Whether a `\\bibitem`'s words hold the paper's title, first author and a year close to its."""
    if not item.words or len(paper.title) < 8 or not paper.surname:
        return False
    joined = item.words.replace(" ", "")
    position = joined.find(paper.title)
    if position < 0 or paper.surname not in joined[:position]:
        return False
    years = [int(word) for word in re.findall(r"(?<!\d)(?:1[5-9]|20)\d\d(?=[a-z]?(?:\s|$))", item.words)]
    return paper.year is None or not years or min(abs(year - paper.year) for year in years) <= YEARS_APART


def _same_author(one: Identity, other: Identity) -> bool:
    return bool(one.surname) and one.surname == other.surname


def _close(one: Identity, other: Identity) -> bool:
    return one.year is None or other.year is None or abs(one.year - other.year) <= YEARS_APART


class KnownPapers:
    """Finds the entry for a paper among many: by id and by title, each entry looked at once."""

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
        """All entries for the paper, in the order of their bibliographies."""
        wanted = identity_of(paper)
        marks = [mark for mark in (wanted.arxiv, wanted.doi, wanted.title) if mark]
        close = [known for mark in marks for known in self._by_mark.get(mark, ())] + self._items
        return list({id(entry): entry for entry, identity in close if same_paper(identity, wanted)}.values())
