r"""Reads a `.bbl`: each `\bibitem` of BibTeX, whose parts `\newblock` separates, and the entries of biblatex:

\entry{key}{article}{}
  \name{author}{2}{}{{{hash=…}{family={Doe}, given={Jane}, prefix={von}}}…}
  \field{title}{…}  \list{publisher}{1}{{…}}
  \verb{doi}
  \verb 10.1/2
  \endverb
\endentry
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from ..tex.arguments import Arguments
from ..tex.plaintext import plain
from ..types import BibEntry, Span
from .authors import OTHERS
from .plain_references import BLOCK, ET_AL, LONGEST, OFF, ON, PRINTED, read_reference

_ENTRY = re.compile(r"\\entry\{([^{}\n]*)\}\{([^{}\n]*)\}\{[^{}\n]*\}")
_FIELD = re.compile(r"\\(field|list|name)\{(\w+)\}(?:\{\d+\}(?:\{[^{}\n]*\})?(?=\{))?")
_VERB = re.compile(r"\\verb\{(\w+)\}\r?\n\s{0,80}\\verb (.*)")
_PERSON = re.compile(r"hash=\w+\}")
_PART = re.compile(r"(?<![\w-])(prefix|family|given|suffix)=(?=\{)")
_SPACES = re.compile(r"\\bib(?:namedelim[a-z]|initdelim)\b\s*|~")
_NAMED = {"journaltitle": "journal", "location": "address", "institution": "school"}  # as BibTeX calls them
_COMPUTED = re.compile(r"^(?:label|sort|extra)")  # by biblatex
_INNER = r"((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_ITALIC = re.compile(rf"(?:\{{\\(?:em|it|sl|itshape)\b\s*|\\(?:emph|textit|textsl)\s*\{{){_INNER}")
_INFO = re.compile(
    rf"\\(?:bibinfo\s*\{{(\w+)\}}|show(article)title)\s*\{{{_INNER}"
)  # of ACM and REVTeX styles
_SET = re.compile(
    r"\\hskip[^\\]*\\relax|\\penalty\s*-?\d+|\\/|\\(?:sc|bf|rm|small|natexlab|protect)(?![A-Za-z])"
)


def read_item(item: BibEntry) -> BibEntry:
    r"""Returns the `\bibitem` with the fields read from its text; unchanged if no title can be read."""
    latex = _SET.sub(" ", item.fields.get("text", "")[:LONGEST])
    if "\\bibinfo" in latex:
        return _read_info(item, latex)
    latex = _ITALIC.sub(rf"{ON}\1{OFF}", latex)
    latex = re.sub(rf"{ON}(et[ ~]*al\.?){OFF}", r"\1", latex)
    text = BLOCK.join(plain(part).strip() for part in re.split(r"\\newblock\b", latex))
    read = read_reference(item.key, text)
    if "title" not in read.fields:
        return item
    return replace(item, type=read.type, fields={**item.fields, **read.fields})


def _read_info(item: BibEntry, latex: str) -> BibEntry:
    """The `\\bibitem` with the fields that its style marks by name."""
    parts = [(match[1] or "title", plain(match[3])) for match in _INFO.finditer(latex)]
    people = re.split(r"\\newblock|\\bibinfo\s*\{year", latex)[0]
    fields = {name: value.strip(" .,") for name, value in reversed(parts)}
    named = [plain(match[3]) for match in _INFO.finditer(people) if match[1] in ("author", "person")]
    named += [OTHERS] if ET_AL.search(plain(people)) else []
    fields = {
        PRINTED: plain(latex),
        "author": " and ".join(named),
        **{n: v for n, v in fields.items() if n not in ("author", "person")},
    }
    if not named or "title" not in fields:
        return item
    return replace(
        item, type="inproceedings" if "booktitle" in fields else "article", fields=item.fields | fields
    )


def read_biblatex(path: Path, text: str) -> Iterator[BibEntry]:
    """The entries, with the names of BibTeX's fields; each key once, although each list of a document has its own."""
    arguments, seen, line, counted = Arguments(text), set[str](), 1, 0
    heads = list(_ENTRY.finditer(text))
    for head, after in zip_longest(heads, heads[1:]):
        end = text.find(r"\endentry", head.end(), after.start() if after else len(text))
        if end < 0 or head[1] in seen:
            continue
        seen.add(head[1])
        line, counted = line + text.count("\n", counted, head.start()), head.start()
        fields = _fields(arguments, head.end(), end)
        yield BibEntry(head[1], head[2], fields, Span(path, head.start(), end), line)


def _fields(arguments: Arguments, start: int, end: int) -> dict[str, str]:
    text, fields, read = arguments.text, dict[str, str](), start
    cut = set(re.findall(r"\\true\{more(\w+)\}", text[start:end]))
    for match in _FIELD.finditer(text, start, end):
        group = arguments.group(match.end())
        if group is None or match.start() < read:  # the latter: inside another field
            continue
        value, read = arguments.words(group), group[1]
        if match[1] == "name":
            others = [OTHERS] if match[2] in cut else []
            value = " and ".join([*map(_name, _PERSON.split(value)[1:]), *others])
        elif match[1] == "list":
            value = " and ".join(re.findall(r"^[ \t]*\{(.*)\}%?\s*?$", value, re.MULTILINE))
        if value and not _COMPUTED.search(match[2]):
            fields[_NAMED.get(match[2], match[2])] = _clean(value)
    return fields | {m[1]: "".join(m[2].split()) for m in _VERB.finditer(text, start, end)}


def _name(person: str) -> str:
    arguments = Arguments(person)
    groups = {match[1]: arguments.group(match.end()) for match in _PART.finditer(person)}
    parts = {name: arguments.words(group) for name, group in groups.items() if group}
    family = " ".join(filter(None, [parts.get("prefix"), parts.get("family")]))
    if "given" not in parts:
        return f"{{{family}}}"
    return ", ".join(filter(None, [family, parts.get("suffix"), parts["given"]]))


def _clean(value: str) -> str:
    value = re.sub(r"\\bibrangedash\s*", "--", re.sub(r"\\bibrangessep\s*", ", ", value))
    return " ".join(_SPACES.sub(" ", value).split())
