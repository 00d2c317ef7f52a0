"""Creates bibliography entries in the style of their file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from texgeist_latex.bib.authors import OTHERS, Name, parse_name, split_authors
from texgeist_latex.bib.venues import kind_of_venue
from texgeist_latex.tex.accents import romanise_names, to_ascii
from texgeist_latex.types import Reference
from texgeist_latex.writing.admission import DETAILS, check_entry, checked_reference
from texgeist_latex.writing.entry_style import BibStyle, apply_case, protect_capitals
from texgeist_latex.writing.escape import Charset, escape

_CORE = ("author", "title", "booktitle", "journal", "journaltitle", "year", "date", "howpublished")
_IDENTIFIERS = ("doi", "eprint", "archiveprefix", "eprinttype", "primaryclass", "eprintclass", "url")
_USUAL_ORDER = (*_CORE, *_IDENTIFIERS)
_ARXIV_ORDER = ("title", "author", "howpublished", "year", "date", *_IDENTIFIERS)
_AND = re.compile(r"(?<!\S)and(?!\S)", re.I)  # separates names wherever it occurs outside braces
_NAME_SIGNS = frozenset(" .'’‘-‐‑–,:/&")
_EDGES = " '’‘-‐‑–,:/&"
_LABEL = 4  # characters of a name that styles use for labels and initials
_HUMPS = {"archiveprefix": "archivePrefix", "primaryclass": "primaryClass"}


def new_entry(
    reference: Reference, key: str, style: BibStyle, charset: Charset, *, biblatex: bool = False
) -> str:
    r"""The text of the entry, with line breaks `\n`, but without a line break at its end.

    An arXiv paper becomes `@misc` with eprint fields, as arXiv suggests (`@online` with `eprinttype` for
    biblatex). A paper with a known published version becomes `@article` or `@inproceedings`, which keeps the
    eprint fields.
    """
    reference = checked_reference(reference)
    kind, fields = _fields(reference, style, charset, biblatex)
    names = _ordered(fields, style, kind)
    lines = [field_line(name, fields[name], style) for name in names]
    body = ",\n".join(lines) + ("," if style.trailing_comma else "")
    entry = f"@{_type(kind, style)}{{{key},\n{body}\n}}"
    check_entry(entry, kind, key, fields)
    return entry


def new_item(reference: Reference, key: str, charset: Charset, *, label: bool = False) -> str:
    r"""The `\bibitem` for a `thebibliography`: authors, title, venue, year; with natbib's label if
    `label`."""
    reference = checked_reference(reference)
    names = [parse_name(name) for name in reference.authors]
    authors = join_names([_spoken(name) for name in names]) if names else "Unknown authors"
    place = reference.venue if kind_of_venue(reference.venue, reference.kind) != "preprint" else ""
    arxiv = reference.arxiv_id
    where = place or (f"arXiv:{arxiv}" if arxiv else reference.venue)
    pieces = [escape(authors, charset), escape(reference.title.rstrip(". "), charset)]
    last = ", ".join(part for part in (escape(where, charset), str(reference.year or "")) if part)
    option = f"[{item_label(names, reference.year, charset)}]" if label else ""
    text = ". ".join(piece.rstrip(".") for piece in [*pieces, last] if piece)
    return f"\\bibitem{option}{{{key}}}\n{text}."


def _spoken(name: Name) -> str:
    return " ".join(filter(None, (name.first, name.last, name.suffix)))


def item_label(names: Sequence[Name], year: int | None, charset: Charset) -> str:
    """natbib's label, `Smith et~al.(2024)`."""
    shown = [escape(name.last, charset) for name in names]
    authors = (
        f"{shown[0]} et~al." if len(shown) > 2 or shown[1:] == [OTHERS] else " and ".join(shown) or "Unknown"
    )
    if re.search(r"[\[\]()]", authors):  # they would end the label or its first part
        authors = f"{{{authors}}}"
    return f"{authors}({year or ''})"


def join_names(names: Sequence[str], conjunction: str = "and") -> str:
    """Joins names as `A`, `A and B`, or `A, B, and C`; `A, B et al.` if the last is `OTHERS`."""
    if names[-1:] == [OTHERS] and len(names) > 1:
        return f"{', '.join(names[:-1])} et al."
    if len(names) < 3:
        return f" {conjunction} ".join(names)
    return ", ".join(names[:-1]) + f", {conjunction} {names[-1]}"


def _fields(
    reference: Reference, style: BibStyle, charset: Charset, biblatex: bool
) -> tuple[str, dict[str, str]]:
    arxiv = reference.arxiv_id
    found = kind_of_venue(reference.venue, reference.kind)
    published = found != "preprint"
    kind = reference.entry_type or (found if published else "online" if biblatex else "misc")
    title = protect_capitals(reference.title, charset, braces=not style.double_title)
    fields = {
        "author": " and ".join(shown_authors(reference, style, charset)),
        "title": f"{{{title}}}" if style.double_title else title,
    }
    if reference.year:
        fields["date" if biblatex and style.date_field else "year"] = str(reference.year)
    elif not biblatex:
        fields["year"] = "n.d."  # natbib fails on entries without a year
    if published:
        fields[_venue_field(kind, style, biblatex)] = escape(reference.venue, charset)
    elif reference.venue and not arxiv:
        fields["howpublished"] = escape(reference.venue, charset)
    if arxiv:
        fields |= _eprint(arxiv, reference.primary_class, biblatex)
    for name, text in reference.details:
        fields[name] = escape(numbers(text) if name in NUMBERS else text, charset)
    if kind in ("book", "proceedings") and _names_editors(reference):
        fields["editor"] = fields.pop("author")
    doi = reference.doi if published or not arxiv else ""  # the DOI of a preprint is of the published paper
    if doi and not doi.lower().startswith("10.48550/"):
        fields["doi"] = doi if biblatex else re.sub(r"([_#%&])", r"\\\1", doi)
    url = _url(reference, arxiv, charset, biblatex)
    if url and not (published and (arxiv or doi)):
        fields["url"] = url
    return kind, {name: _closed(value) for name, value in fields.items() if value}


def _names_editors(reference: Reference) -> bool:
    """Whether the names are those of the editors, who are not authors. Compares two names, because a long list
    of editors may be cut."""
    editors = split_authors(dict(reference.details).get("editor", ""))[:2]
    names = [[_spoken(parse_name(name)) for name in each] for each in (editors, reference.authors[:2])]
    return bool(editors) and names[0] == names[1]


def _closed(value: str) -> str:
    r"""Replaces escaped braces of formulas by commands, because BibTeX counts `\{` as an opening brace."""
    return value.replace("\\{", "\\lbrace ").replace("\\}", "\\rbrace ")


def _venue_field(kind: str, style: BibStyle, biblatex: bool) -> str:
    if kind in ("inproceedings", "incollection", "inbook"):
        return "booktitle"
    return "journaltitle" if biblatex and style.journaltitle else "journal"


def _eprint(arxiv: str, primary_class: str, biblatex: bool) -> dict[str, str]:
    if biblatex:
        return {"eprint": arxiv, "eprinttype": "arxiv", "eprintclass": primary_class}
    return {"eprint": arxiv, "archiveprefix": "arXiv", "primaryclass": primary_class}


def _url(reference: Reference, arxiv: str, charset: Charset, biblatex: bool) -> str:
    """The value of the url field. biblatex reads the value literally. For BibTeX `%` and `#` are escaped,
    because styles pass the address on as an argument; if no package formats addresses, all special characters
    are escaped."""
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv}"
    if biblatex:
        return reference.url
    url = re.sub(r"([#%])", r"\\\1", reference.url)
    return url if charset.urls else re.sub(r"([_&])", r"\\\1", url).replace("~", "\\~{}")


def shown_authors(reference: Reference, style: BibStyle, charset: Charset) -> list[str]:
    """The authors as LaTeX, without names that have no printable character."""
    shown = [_author(name, style, charset) for name in reference.authors]
    shown = [name for name in shown if name.strip("{}") != "0"]  # biber would never end with such a name
    return [name for name in shown if any(char.isalnum() or char == "?" for char in name)]


def _author(name: str, style: BibStyle, charset: Charset) -> str:
    """The name as LaTeX that BibTeX parses as intended; "" if none of its characters can be shown."""
    parsed = parse_name(name)
    if charset.bytewise and any(
        not word[:_LABEL].isascii() for word in f"{parsed.first} {parsed.last}".split()
    ):
        charset = replace(charset, raw=charset.raw - {"latin"}, any_letter=False)
    if parsed.group:
        group = escape(parsed.last.strip(_EDGES + '"“”$'), charset, maths=False)
        return _as_one(group) if group else ""
    last, first, suffix = (_name_part(part, charset) for part in (parsed.last, parsed.first, parsed.suffix))
    if not last or not first:
        alone = last or first or suffix
        return alone if alone == _tied(alone) else _as_one(alone)
    if _all_lower(last) and _all_lower(first):
        last = _as_one(last)  # BibTeX takes "danah" of "danah boyd" for a "von" part, and biber may hang
    if suffix:
        return f"{last}, {suffix}, {first}"
    if last[0] == "{" and _all_lower(first):
        return f"{last}, {first}"
    if style.last_first or (" " in last and not last[0].islower()):
        return f"{last}, {first}"
    return f"{first} {last}"


def _all_lower(words: str) -> bool:
    return all(word[:1].islower() for word in words.split())


def _as_one(name: str) -> str:
    """Protects a name from being split. Styles cut labels after a few characters, even inside braces, so a
    command among the first characters is not put into braces."""
    first = name.replace("{", "").replace("}", "")[:_LABEL]
    return _tied(name) if "\\" in first else f"{{{name}}}"


def _tied(name: str) -> str:
    """Puts each space and comma outside of braces into braces."""
    depth, tied = 0, ""
    for sign in name:
        depth += (sign == "{") - (sign == "}")
        tied += f"{{{sign}}}" if depth == 0 and sign in " ," else sign
    return tied


def _name_part(words: str, charset: Charset) -> str:
    r"""Escapes a part of a name. Parts that would split the name (commas, `and`) or break a label (`\&`) are
    put into braces."""
    shown = re.sub(r"\\?,|\\&", r"{\g<0>}", escape(_name_letters(words, charset), charset, maths=False))
    return _AND.sub(r"{\g<0>}", shown)


def _name_letters(words: str, charset: Charset) -> str:
    """The characters that are valid in names. Formulas and brackets would break labels and initials, so
    letters that need a formula become Latin letters."""
    text = unicodedata.normalize("NFKC", words)
    text = text if "greek" in charset.raw else romanise_names(text)
    kept = [char for char in text if unicodedata.category(char)[0] in "LMN" or char in _NAME_SIGNS]
    plain = [to_ascii(char) or "?" if "$" in escape(char, charset, maths=False) else char for char in kept]
    return re.sub(r"\?+", "?", "".join(plain).strip(_EDGES))


def _ordered(fields: dict[str, str], style: BibStyle, kind: str) -> list[str]:
    """The field names: core fields in the file's order, then identifiers."""
    usual = _ARXIV_ORDER if kind in ("misc", "online") else _USUAL_ORDER
    core = [name for name in style.order if name in fields and name in _CORE]
    for name in usual:
        if name in fields and name in _CORE and name not in core:
            before = [other for other in usual[: usual.index(name)] if other in core]
            core.insert(core.index(before[-1]) + 1 if before else 0, name)
    details = [name for name in fields if name in DETAILS]
    return core + details + [name for name in usual if name in fields and name not in _CORE]


NUMBERS = ("volume", "number", "pages")


def numbers(text: str) -> str:
    """The text with BibTeX's dash in ranges (`12--34`), and only with characters that are valid in volumes
    and pages."""
    return re.sub(r"\s*[-–]+\s*", "--", re.sub(r"[^\w\s.,:/()+–-]", "", text))


def field_line(name: str, value: str, style: BibStyle) -> str:
    shown = apply_case(_HUMPS.get(name, name), style.field_case)
    padding = " " * max(1, style.align - len(shown)) if style.align else style.before_equals
    opening, closing = ('"', '"') if style.quotes else ("{", "}")
    return f"{style.indent}{shown}{padding}={style.after_equals}{opening}{value}{closing}"


def _type(kind: str, style: BibStyle) -> str:
    if style.type_case == "title" and kind == "inproceedings":
        return "InProceedings"
    return apply_case(kind, style.type_case)
