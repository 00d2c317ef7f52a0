"""Learns the style of a `.bib` file from its last entries, so that new entries look like the others; and prepares titles,
which BibTeX styles convert to lower case, except for names and acronyms in braces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

from texgeist_latex.tex.accents import romanise_words
from texgeist_latex.tex.symbols import read_markup
from texgeist_latex.types import BibEntry, Bibliography
from texgeist_latex.writing.escape import Charset, escape

_SAMPLE = 40  # the newest entries, which show the present style
_FIELD_LINE = re.compile(r"^([ \t]*)([A-Za-z][\w-]*)([ \t]*)=([ \t]*)([{\"]*)", re.MULTILINE)
_TYPE = re.compile(r"@[ \t]*([A-Za-z]+)")

Case = Literal["lower", "title", "upper"]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class BibStyle:
    indent: str = "  "
    align: int = 0  # width to which field names are padded, 0 for none
    before_equals: str = " "
    after_equals: str = " "
    quotes: bool = False  # values in "…" rather than {…}
    double_title: bool = False  # title = {{…}}
    field_case: Case = "lower"
    type_case: Case = "lower"
    trailing_comma: bool = True
    blank_line: bool = True  # between entries
    order: tuple[str, ...] = ()  # field names in their usual order
    last_first: bool = False  # authors as "Last, First"
    raw_letters: bool = False  # é rather than {\'e}
    date_field: bool = False  # date rather than year
    journaltitle: bool = False  # journaltitle rather than journal


def learn_style(bibliography: Bibliography, text: str) -> BibStyle:
    """The style of the entries whose layout is the most frequent in the file, so that a new entry looks like them and
    mixes no styles; the default style if the file has no entries."""
    entries = bibliography.entries[-_SAMPLE:]
    forms = [form for entry in reversed(entries) if (form := _form(entry, text))]
    if not forms:
        return BibStyle(raw_letters=not text.isascii())
    layout = _most([form.layout for form in forms])  # of equal numbers, that of the later entries
    alike = [form for form in forms if form.layout == layout]
    blocks = [text[form.entry.span.start : form.entry.span.end] for form in alike]
    fields = [field for form in alike for field in form.fields]
    indent, align, before, after = layout
    return BibStyle(
        indent=indent,
        align=align,
        before_equals=before,
        after_equals=after,
        quotes=sum(match[5] == '"' for match in fields) * 2 > len(fields),
        double_title=_share(match[5] == "{{" for match in fields if match[2].lower() == "title") > 0.6,
        field_case=_case([match[2] for match in fields]),
        type_case=_case([match[1] for block in blocks if (match := _TYPE.match(block))]),
        trailing_comma=_share(bool(re.search(r",\s*[})]$", block)) for block in blocks) >= 0.5,
        blank_line=_blank_between(entries, text),
        order=_order([form.entry for form in alike]),
        last_first=_last_first([form.entry for form in alike]),
        raw_letters=_any_raw(bibliography, text),
        date_field=_prefers(entries, "date", "year"),
        journaltitle=_prefers(entries, "journaltitle", "journal"),
    )


@dataclass(frozen=True, slots=True)
class _Form:
    """The layout of one entry: the indent, the column of the equals signs (0 if they are not aligned), and the
    spaces before (if not aligned) and after them."""

    entry: BibEntry
    fields: list[re.Match[str]]
    layout: tuple[str, int, str, str]


def _form(entry: BibEntry, text: str) -> _Form | None:
    """Returns None if no field of the entry starts a line."""
    fields = list(_FIELD_LINE.finditer(text[entry.span.start : entry.span.end]))
    if not fields:
        return None
    indent, after = _most([match[1] for match in fields]), _most([match[4] for match in fields])
    return _Form(entry, fields, (indent, *_alignment(fields), after))


def apply_case(name: str, case: Case) -> str:
    """Changes the case of a field name. In lower case, `archivePrefix` keeps its capital, as on arXiv."""
    if case == "upper":
        return name.upper()
    return name[:1].upper() + name[1:] if case == "title" else name


def _most(values: Sequence[_T]) -> _T:
    return Counter(values).most_common(1)[0][0]


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _case(names: Sequence[str]) -> Case:
    upper = sum(name.isupper() and len(name) > 1 for name in names)
    lower = sum(name[:1].islower() for name in names)
    if lower * 2 >= len(names):
        return "lower"
    return "upper" if upper * 2 > len(names) else "title"


def _alignment(fields: Sequence[re.Match[str]]) -> tuple[int, str]:
    """The column of an entry's equals signs (0 if they are not aligned), and the space before them."""
    columns = Counter(len(match[2]) + len(match[3]) for match in fields)
    column, count = columns.most_common(1)[0]
    gaps = Counter(match[3] for match in fields)
    if count >= 0.8 * len(fields) and len(gaps) > 1:
        return column, ""
    return 0, gaps.most_common(1)[0][0]


def _blank_between(entries: Sequence[BibEntry], text: str) -> bool:
    gaps = [text[a.span.end : b.span.start] for a, b in pairwise(entries)]
    return _share(gap.count("\n") >= 2 for gap in gaps) >= 0.5 if gaps else True


def _order(entries: Sequence[BibEntry]) -> tuple[str, ...]:
    """Field names by their mean position within an entry."""
    places: dict[str, list[float]] = {}
    for entry in entries:
        for place, name in enumerate(entry.fields):
            places.setdefault(name, []).append(place / max(1, len(entry.fields)))
    return tuple(sorted(places, key=lambda name: sum(places[name]) / len(places[name])))


def _last_first(entries: Sequence[BibEntry]) -> bool:
    authors = [entry.fields["author"] for entry in entries if " " in entry.fields.get("author", "")]
    return _share("," in author for author in authors) > 0.5


def _any_raw(bibliography: Bibliography, text: str) -> bool:
    return not text.isascii() and any(
        not text[entry.span.start : entry.span.end].isascii() for entry in bibliography.entries
    )


def _prefers(entries: Sequence[BibEntry], name: str, usual: str) -> bool:
    return sum(name in entry.fields for entry in entries) > sum(usual in entry.fields for entry in entries)


# Names that are recognised even in titles that are capitalised throughout.
_NAMES = frozenset(
    """
    Bayes Bayesian Bernoulli Boltzmann Brownian Cauchy Chinese Dirichlet English Euclidean Euler Fourier
    French
    Gauss Gaussian German Gibbs Hamiltonian Hawkes Hebbian Hermitian Hessian Hilbert Hoeffding Hopfield
    Internet
    Jacobian Japanese Kalman Lagrangian Langevin Laplace Laplacian Lipschitz Lyapunov Markov Markovian
    Monte Carlo
    Nash Newton Newtonian Poisson Rademacher Riemann Riemannian Russian Sobolev Spanish Stein Thompson
    Twitter Voronoi Wasserstein Wiener Wikipedia Wikidata YouTube Python Java Haskell Linux Android
    Africa African
    America American Asia Asian Europe European Arabic Hindi Korean Latin Turkish Schrödinger Poincaré
    Erdős Rényi
    """.split()
)
_WORD = re.compile(r"(\$[^$]*\$)|([^\s\-–—/]+)|([\s\-–—/]+)")
_BRACED = re.compile(r"(?<![\\\w^_}])\{([\w\- ]+)\}")  # capitals already in braces
_JOINTS = ("-", "--", "/")
_PLAIN = re.compile(r"\{[^{}\\$]+\}\{[^{}\\$]+\}")
_EDGES = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


def protect_capitals(title: str, charset: Charset, *, braces: bool = True) -> str:
    """The escaped title, with braces around words whose capitals must be kept: `BERT`, `GPT-4`, `iPhone`,
    names, formulas. In a title in sentence case, these are also all capitalised words after the first."""
    title = " ".join(title.split())
    title = title if title.endswith("...") else title.rstrip(".")
    title = title if "greek" in charset.raw else romanise_words(title)  # short words would look like symbols
    title = "".join(part if part[:1] == "$" else _words(part) for part in re.split(r"(\$[^$]*\$)", title))
    if not braces:
        return escape(title, charset)
    return _merge(_protected(title, charset))


def _words(part: str) -> str:
    """Text between formulas, without markup."""
    return _BRACED.sub(r"\1", read_markup(part))


def _protected(title: str, charset: Charset) -> list[str]:
    sentence = _is_sentence_case(title)
    pieces: list[str] = []
    opening = True  # at the start and after a colon, where BibTeX keeps the first letter
    for match in _WORD.finditer(title):
        word = match[0]
        if match[3]:
            pieces.append(escape(f"x{word}x", charset)[1:-1])
            continue
        shown = escape(word, charset)
        if shown.startswith("$") or (match[1] and "$" in shown) or "$" in shown.replace("\\$", ""):
            pieces.append(f"{{{shown}}}")
        else:
            pieces.append(_braced(word, charset) if _is_name(word, sentence and not opening) else shown)
        opening = word.endswith((":", "?", "!", "."))
    return pieces


def _braced(word: str, charset: Charset) -> str:
    match = _EDGES.match(word)
    assert match is not None  # matches always, as each part may be empty
    before, core, after = match.groups()
    if after.startswith(")") and "(" in core:  # CsI(Tl)
        core, after = f"{core})", after[1:]
    return escape(before, charset) + f"{{{escape(core, charset)}}}" + escape(after, charset)


def _is_name(word: str, capital_is_name: bool) -> bool:
    letters = re.sub(r"[^\w]", "", word)
    if any(char.isupper() for char in letters[1:]) or (
        letters[:1].isupper() and any(map(str.isdigit, letters))
    ):
        return True
    if letters.removesuffix("s") in _NAMES or letters in _NAMES or word.split("’")[0].split("'")[0] in _NAMES:
        return True
    return capital_is_name and letters[:1].isupper()


def _is_sentence_case(title: str) -> bool:
    """Whether most long words after the first are in lower case."""
    words = re.findall(r"[^\W\d_]{4,}", title)[1:]
    return bool(words) and sum(word[0].islower() for word in words) * 2 > len(words)


def _merge(pieces: list[str]) -> str:
    """Joins `{GPT}`, `-`, `{X}` to `{GPT-X}`. Only plain words are joined, because braces of formulas and
    accents are significant."""
    merged: list[str] = []
    for piece in pieces:
        if len(merged) > 1 and merged[-1] in _JOINTS and _PLAIN.fullmatch(merged[-2] + piece):
            joint, before = merged.pop(), merged.pop()
            piece = before[:-1] + joint + piece[1:]
        merged.append(piece)
    return "".join(merged)
