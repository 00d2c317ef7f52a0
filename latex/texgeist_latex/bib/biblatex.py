r"""Reads the entries of a `.bbl` that biber, or biblatex with BibTeX, has written:

\entry{key}{article}{}
  \name{author}{2}{}{{{hash=…}{family={Doe}, given={Jane}, prefix={von}}}…}
  \field{title}{…}  \list{publisher}{1}{{…}}  \verb{doi} \verb 10.1/2 \endverb
\endentry
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..tex.arguments import Arguments
from ..types import BibEntry, Span
from .authors import OTHERS

_ENTRY = re.compile(r"\\entry\{([^{}]*)\}\{([^{}]*)\}\{[^{}]*\}(.*?)\\endentry", re.DOTALL)
_FIELD = re.compile(r"\\(field|list|name)\{(\w+)\}(?:\{\d+\}(?:\{[^{}]*\})?(?=\{))?")
_VERB = re.compile(r"\\verb\{(\w+)\}\s*\\verb (.*?)\s*\\endverb", re.DOTALL)
_PERSON = re.compile(r"hash=\w+\}")
_PART = re.compile(r"(?<![\w-])(prefix|family|given|suffix)=(?=\{)")
_SPACES = re.compile(r"\\bib(?:namedelim[a-z]|initdelim)\b\s*|~")
_NAMED = {"journaltitle": "journal", "location": "address", "institution": "school"}  # as BibTeX calls them
_COMPUTED = re.compile(r"^(?:label|sort|extra)")  # by biblatex


def read_biblatex(path: Path, text: str) -> Iterator[BibEntry]:
    """The entries, with the names of BibTeX's fields; each key once, although each list of a document has its own."""
    seen: set[str] = set()
    arguments = Arguments(text)
    for match in _ENTRY.finditer(text):
        if match[1] not in seen:
            seen.add(match[1])
            line = text.count("\n", 0, match.start()) + 1
            fields = _fields(arguments, match.start(3), match.end(3))
            yield BibEntry(match[1], match[2], fields, Span(path, *match.span()), line)


def _fields(arguments: Arguments, start: int, end: int) -> dict[str, str]:
    text, fields = arguments.text, dict[str, str]()
    for match in _FIELD.finditer(text, start, end):
        group = arguments.group(match.end())
        value = arguments.words(group) if group else ""
        if match[1] == "name":
            cut = [OTHERS] if text.find(rf"\true{{more{match[2]}}}", start, end) >= 0 else []
            value = " and ".join([*map(_name, _PERSON.split(value)[1:]), *cut])
        elif match[1] == "list":
            value = " and ".join(re.findall(r"^\s*\{(.*)\}%?\s*$", value, re.MULTILINE))
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
