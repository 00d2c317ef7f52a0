r"""Reads a printed reference ("A. Smith and B. Doe. A title. In Proc. of X, pages 1-9, 2001.") as an entry.

A `\bibitem` marks its parts: `\newblock` separates authors, title and venue, and the venue is in italics. In
plain text, the authors are read name by name; the title follows the authors, or is in quotation marks; the venue
ends before volume, pages or year. A part that cannot be read is left out.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from ..types import BibEntry, Span
from .authors import OTHERS
from .identity import dois_in, find_arxiv_id
from .venues import kind_of_venue

PRINTED = "printed"  # field with the text of the reference
LONGEST = 5_000  # characters of a reference that are read
BLOCK, ON, OFF = "\ue000", "\ue001", "\ue002"  # private characters: a new block, italics on and off
_UPPER = "".join(char for char in map(chr, range(0x41, 0x250)) if char.isupper())
_INITIAL = rf"[{_UPPER}][a-z]?\."
_INITIALS = rf"{_INITIAL}(?:[ -]?[{_UPPER}]\.){{0,4}}"  # only the first may have two letters: `Yu. V.`
_WORD = rf"[{_UPPER}][\w’'‘`]+(?:-\w[\w’'‘`]*)*"
_PARTICLE = (
    r"(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|ter|ten|zu|zum|af|av|bin|ibn|al|el|’t|d’|y|e)"
)
_SMALL = r"(?!(?:and|und|et|in|on|for|of) )[^\W\d_A-Z][\w’']{0,4}"  # particles of all languages
_YEAR = r"(?:1[5-9]|20)\d\d"
YEARS = re.compile(rf"(?<!\d){_YEAR}(?!\d)")
_FAMILY = rf"(?:{_SMALL}[ -]){{0,3}}{_WORD}(?: (?:{_PARTICLE} ){{0,2}}{_WORD}){{0,2}}"
_JUNIOR = r"(?:,? (?:Jr|Sr|II|III|IV)\b\.?)?"
_AFTER = r"(?=[,.;:]| and | & | \(|$)"
_NAMES = {  # by form; all names of a list have one form, or some of the full names have initials
    "inverted": re.compile(
        rf"(?!{_WORD} {_WORD}, {_INITIAL} {_WORD},){_FAMILY}{_JUNIOR}, {_INITIALS}{_JUNIOR}"
    ),
    "initials": re.compile(rf"{_INITIALS}[ -]?(?:{_WORD} )?{_FAMILY}{_JUNIOR}{_AFTER}"),
    "capitals": re.compile(
        rf"{_FAMILY} [{_UPPER}]{{1,3}}(?=[,;:]| \((?:{_YEAR}|eds?\b)| et al|\.?$|\. (?!(?:{_WORD}[ -]){{0,2}}{_WORD}(?:[.,]| and | & )))"
    ),
    "full": re.compile(
        rf"(?:{_WORD}|[{_UPPER}]) (?:[{_UPPER}]\.[ -]?|(?:[{_UPPER}]|{_WORD}|{_PARTICLE})[ -]){{0,4}}{_WORD}{_JUNIOR}{_AFTER}"
    ),
}
_AND = re.compile(r"[,;]? (?:and|&|und|et|és|y) (?!al\b)|[,;] ")
ET_AL = re.compile(r"[,;]?(?: and| &|,)* et ?al\b\.?|[,;]? and others\b", re.I)
_DATE = re.compile(rf"[.,]? ?[(\[]?(?:[^\W\d]+\.? )?({_YEAR})[a-z]?(?:, [^()]{{3,20}})?[)\]]?[.,:]? ?")
_YEAR_LAST = re.compile(rf"(.+), ({_YEAR})[a-z]?\.?")  # of a title without a venue, in plainnat
_YEAR_BLOCK = re.compile(rf"[(\[]?({_YEAR}) ?[a-z]?[)\]]?[.,:]?")  # a block of its own in AAAI and ACL styles
_QUOTED = re.compile(r"[,.: ]*[“„]\s*(.+?)(?:[,.][”“]|[”“][,.]|[”“](?= \())\s*")
_ITALIC_TITLE = re.compile(rf"{ON}(.+?){OFF}, (?=[^\W\d])")  # a journal in italics is followed by its volume
_LABEL = re.compile(
    r"^\s*(?:\[[^\]]{1,40}\]|[A-Z][A-Za-z]{0,6}\+?\d\d[a-z]?\.(?= )|\(\d{1,4}\)|\d{1,4}\.(?= ))\s*"
)
_ADDRESS = re.compile(
    r"(?:\b(?:URL|doi)[:\s]*)?(?:https? ?: ?/ ?/ ?|www\.)\S*[^\s.,;]"
    r"(?: ?[/.-](?! ?[A-Z])\S*| \S+(?= ?[/.-] ?\w)(?<! [A-Z]\S)| \S*[/_=?&%]\S*[^\s.,;])*"
    r"|\bdoi:? ?10\.\S*[^\s.,;]",
    re.I,
)
_STOP = re.compile(r"([.?!])[”\"’)]* (?=\S)")
_SHORT = re.compile(rf"(?:^|[\s(.-])(?:[{_UPPER}]|vs|St|Dr|al|[Nn]o|e\.g|i\.e|cf)$")
_EDITED = re.compile(r"^.{3,300}?,? (?:editors?,|\([Ee]ds?\.\),?|[Ee]ds?\.,?) (?!by )")
_END = re.compile(
    rf"\. Ed\. by |,? \((?=\d)|(?:,|(?<=\))) \(|,? \([^()]{{0,200}}(?:{_YEAR}|eds?\.)\)|[,;] (?:\w+\.? )?(?:volume|vol|number|no|pages?|pp?|ser|{_YEAR}(?=[.,;)]|$))\b|\. ?{_YEAR};|\. (?:vol|no|pp?)\."
    rf"|,? \d{{1,4}}, [A-Z]?\d+(?:[–-]+[A-Z]?\d+)?\.?$|,? \d{{1,3}} ?(?::\s?[A-Z]?\d|\(|, \d+ \()"
)
_BOUNDARY = re.compile(  # of names: the year, or a title in quotation marks
    rf"(?=[.,:]? [“„])|(?=,?\.? [(\[](?:[^\W\d]+\.? )?{_YEAR}[a-z]?(?:, [^()]{{3,20}})?[)\]])|(?=[.,] {_YEAR}[a-z]?[.,:])"
)
_NO_NAME = re.compile(rf"\d|(?<![\w’'-])(?!others\b)[^\W\d_{_UPPER}][\w’']{{4,}}")
_ACCENT = re.compile(r"([´¨˜ˆˇ˘¯˚˝])\s?([^\W\d_])")  # of fonts that set accent and letter one after the other
_LAST_NUMBER = re.compile(r",? (\d{1,4}(?:\(\d+\))?|abs/\S+)\s*$")
_BIBLATEX_VOLUME = re.compile(r" (\d{1,3}(?:\.\d+)?)$")
_PAGES = r"([A-Z]?\d+[–-]+[A-Z]?\d+)"
_NUMBERS = re.compile(rf"(\d+) ?(?:\((\d+)\))? ?: ?(?!\d+[–-]\d+:){_PAGES}?")  # 8(2):5-11
_VOLUME = re.compile(rf"\bvol(?:ume|\.)? ?(\d+)|^,? ?(?!{_YEAR}\b)(\d{{1,4}}|abs/\S+?)(?= \(|, |\.?$)", re.I)
_NUMBER = re.compile(r"\b(?:number|no\.|issue) ?(\d+)", re.I)
_SAID_PAGES = re.compile(rf"(?:\bpages?|\bpp?\.|{_YEAR}\),?) ?{_PAGES}", re.I)


def read_reference(key: str, text: str) -> BibEntry:
    """The reference as an entry without a place in a file. The type is `misc` unless authors, title, venue
    and year were read, because a missing record proves nothing about a partly read reference, nor about a book. If authors or
    title could not be read, the entry has only the field `PRINTED`."""
    printed = text = " ".join(text[:LONGEST].replace("``", "“").replace("''", "”").split())
    doi = next((doi for _, _, doi in dois_in(text)), "")
    arxiv = find_arxiv_id(text)
    text = re.sub(r"\.- (?=\w\.)", ".-", _ADDRESS.sub("", _LABEL.sub("", text)).strip())
    names, year, title, rest = _parts(_ACCENT.sub(_accented, text))
    names = [name for name in names if re.search(r"[^\W\d_]", name)]  # a dash stands for the authors before
    years = re.findall(rf"(?<![\d.:/–-])({_YEAR})[a-z]?(?![\d:/–-]|\.\d)", rest)
    year = year or (years[-1] if years else "")
    venue, details = _venue(rest)
    said = bool(re.match(r"in\b", rest, re.I))
    kind = kind_of_venue(venue, "inproceedings" if said else "article") if venue else "misc"
    fields = {"author": " and ".join(names), "title": _bare(title), "year": year, "doi": doi, "eprint": arxiv}
    fields[PRINTED] = printed
    fields |= {"booktitle" if kind == "inproceedings" else "journal": venue, **details}
    clear = names and year and re.search(r"[^\W\d]{3}", venue) and not re.search(r"[“”]|^and ", title)
    if not title or not (names or re.match(r"[“„]", text)):
        fields = {PRINTED: printed}
    elif not clear or kind == "preprint" or not (said or details):
        kind = "misc"
    return BibEntry(
        key, kind, {name: value for name, value in fields.items() if value}, Span(Path(), 0, 0), 0
    )


def read_names(text: str) -> tuple[list[str], int]:
    """The names at the beginning of the text, in BibTeX's form, and the offset of their end (0 if there are no
    names). If the list was not read completely, its last name is `others`."""
    form = next((form for form, name in _NAMES.items() if name.match(text)), "")
    forms = (form, "initials") if form == "full" else (form, "full") if form == "initials" else (form,)
    names, end, at = [], 0, 0
    certain = 0, 0  # up to the last name with initials
    while form and (match := next((m for f in forms if (m := _NAMES[f].match(text, at))), None)):
        names.append(re.sub(rf" ([{_UPPER}]+)$", r", \1", match[0]) if form == "capitals" else match[0])
        end = match.end()
        if form != "initials" or re.match(_INITIAL, match[0]):
            certain = len(names), end
        separator = _AND.match(text, end)
        if separator is None:
            break
        at = separator.end()
    if form == "initials" and text[end : end + 1] == ",":  # a title of capitalised words follows a comma
        names, end = names[: certain[0]], certain[1]
    if names and (others := ET_AL.match(text, end)):
        return [*names, OTHERS], others.end()
    return names, end


def _bounded_names(text: str) -> tuple[list[str], int]:
    """As `read_names`, for names that end at a year or at a title in quotation marks, in any form: "Doe, Jane Q., and
    Max von Roe". The first name, and each family name before initials or a single given name, is inverted."""
    names, end = read_names(text)
    boundary = _BOUNDARY.search(text)
    at = boundary.start() if boundary else 0
    if at in (0, end) or _sentence_end(text) < at or _NO_NAME.search(text[:at]):
        return names, end
    listed = text[:at].strip()
    people = ET_AL.sub("", re.sub(r",? \(?[Ee]ds?\.?\)?$", "", listed))
    parts = [
        part.strip()
        for part in re.split(r";|" + _AND.pattern if ";" not in people else r"; ?(?:and |& )?", people)
    ]
    names = []
    for part in filter(None, parts):
        junior = re.fullmatch(_JUNIOR, f" {part}")
        if names and (junior or _completes(re.sub(rf"{_JUNIOR}$", "", names[-1]), part)):
            names[-1] += f", {part}"
        else:
            names.append(part)
    return [*names, *([OTHERS] if people != listed else [])], at


def _completes(family: str, given: str) -> bool:
    """Whether the two are the parts of an inverted name: "von Roe", "J. Q."."""
    if "," in family or re.fullmatch(_INITIALS, family):
        return False
    capitals = [word for word in family.split() if word[:1].isupper()]
    return len(capitals) == 1 or re.fullmatch(rf"{_INITIALS}|{_WORD}", given) is not None


def _accented(match: re.Match[str]) -> str:
    combining = unicodedata.normalize("NFKD", match[1])[-1]
    return unicodedata.normalize("NFC", match[2].replace("ı", "i") + combining)


def _parts(text: str) -> tuple[list[str], str, str, str]:
    """Authors, year (if it follows the authors), title, and the text after the title."""
    blocks = [block.strip() for block in text.split(BLOCK)]
    if len(blocks) > 2 and (dated := _YEAR_BLOCK.fullmatch(blocks[1])):
        names, _, title, rest = _parts(BLOCK.join([blocks[0], *blocks[2:]]))
        return names, dated[1], title, rest
    if len(blocks) > 2:
        names, end = _bounded_names(blocks[0])
        after = blocks[0][end:].strip(" .")
        dated = _DATE.search(after)
        if not re.fullmatch(rf"\W*{_YEAR}[a-z]?\W*|", after):
            names = [*names, OTHERS] if end else [after] if len(after.split()) < 6 else []
        rest = " ".join(blocks[2:])
        if not dated and not re.search(_YEAR, rest) and (ended := _YEAR_LAST.fullmatch(blocks[1])):
            return names, ended[2], ended[1], rest
        return names, dated[1] if dated else "", blocks[1], rest
    text = text.replace(BLOCK, " ")
    titled = text[:1] in ("“", "„")  # no authors
    names, end = ([], 0) if titled else _bounded_names(text)
    if not names and not titled:
        quote, stop = re.search(r",? [“„]", text), _sentence_end(text)
        end = quote.start() if quote and quote.start() < stop else stop
        short = end < len(text) and len(text[:end].split()) < 6 and not text.startswith("In ")
        names = [text[:end].strip(" .,")] if short else []
    after = text[end:]
    dated = _DATE.match(after)
    if dated:
        after = after[dated.end() :]
    title, rest = _title(after)
    return names, dated[1] if dated else "", title, rest


def _title(text: str) -> tuple[str, str]:
    """The title at the beginning of the text after the authors, and the text after it; "" if there is none."""
    if quoted := _QUOTED.match(text):
        return quoted[1], text[quoted.end() :]
    commas = text.startswith(", ")
    text = text.lstrip(" .:,;")
    if commas and (italic := _ITALIC_TITLE.match(text)):
        return italic[1], text[italic.end() :]
    if commas and (venue := re.search(r", in:? (?=\S)", text)):
        return text[: venue.start()], text[venue.start() + 2 :]
    if commas and (venue := re.search(rf", (?=[^,]+ \d+ \((?:\d+\) \()?{_YEAR})", text)):
        return text[: venue.start()], text[venue.end() :]
    end = _sentence_end(text)
    if commas and (
        re.match("in:? [A-Z]", text)
        or _END.search(text[:end])
        or not _NO_NAME.search(re.split("[,.]", text)[0])
    ):  # further names, which could not be read
        return "", text
    return text[:end], text[end:].lstrip(' .”"')


def _sentence_end(text: str) -> int:
    """The offset after the first sentence, without its full stop. A question mark ends the
    sentence only if a venue follows, because a title may go on after a question mark."""
    for stop in _STOP.finditer(text):
        at, after = stop.start(), text[stop.end() :]
        if stop[1] == ".":
            if not _SHORT.search(text, max(0, at - 4), at):
                return at
        elif re.match(rf"In\b|{ON}", after) or not _STOP.search(after):
            return at + 1
    return len(text)


def _venue(rest: str) -> tuple[str, dict[str, str]]:
    """The venue in the text after the title, and volume, number and pages."""
    said = re.match(r"[Ii]n:? ", rest)  # proceedings or a book; their names may end in a number
    rest = rest[said.end() if said else 0 :]
    edited = _EDITED.match(rest)
    if edited and ("editor" in edited[0] or abs(read_names(rest)[1] - len(edited[0])) < 10):
        rest = rest[edited.end() :]
    if set_in := re.search(rf"{ON}(.+?){OFF}", rest):
        name, tail = set_in[1], rest[set_in.end() :]
    else:
        end = _END.search(rest)
        name = rest[: end.start() if end else len(rest)]
        stop = next(
            (s for s in _STOP.finditer(name) if re.search(r"[a-z]{8}$|[A-Z]{4}$|\)$", name[: s.start()])),
            None,
        )
        name = name[: stop.start()] if stop else name
        tail = rest[len(name) :]
    last = _BIBLATEX_VOLUME if said and ":" in said[0] else _LAST_NUMBER
    numbered = (
        None if said and last is _LAST_NUMBER else last.search(name)
    )  # `{\em Journal 5}, 3 (2001)`; "Journal, 5, 2001"
    if numbered:
        name, tail = name[: numbered.start()], f"{numbered[1]}{tail}"
    name = "" if re.match(r"\d+ ?[(:,]", name) else name
    return _bare(name), _details(tail.replace(ON, "").replace(OFF, ""))


def _details(tail: str) -> dict[str, str]:
    volume, number = _VOLUME.search(tail), _NUMBER.search(tail)
    pages = _SAID_PAGES.search(tail)
    if joined := _NUMBERS.search(tail):
        first, second = joined[1], joined[2]
    else:
        first, second = volume and (volume[1] or volume[2]), number and number[1]
    span = pages[1] if pages else joined[3] if joined else ""
    found = {"volume": first, "number": second, "pages": span}
    return {name: value for name, value in found.items() if value}


def _bare(text: str) -> str:
    return text.replace(ON, "").replace(OFF, "").strip(' .,;:“”"')
