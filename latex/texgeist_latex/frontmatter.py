"""Title, authors and abstract as the classes that people write in have them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .flow import AbstractText, Flow
from .language import guess_language
from .types import Span
from .walk import Step

_TITLES = frozenset(
    "title Title papertitle icmltitle thesistitle ttitle etitle titleen titleEN englishtitle ctitle".split()
)
_AUTHORS = frozenset("author Author authors icmlauthor IEEEauthorblockN fnms".split())
_PDF_TITLE = re.compile(r"pdftitle\s*=\s*\{([^{}]+)\}")
_PDF_AUTHOR = re.compile(r"pdfauthor\s*=\s*\{([^{}]+)\}")
_MARKS = re.compile(r"\$[^$]*\$|\\(?:textsuperscript|thanks|footnote\w*|inst|affil|corref|fnref|orcid\w*|email)\b\*?"
                    r"(?:\[[^\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})?")  # fmt: skip
_BREAK = re.compile(
    r"\\\\|\\and\b|\\And\b|\\AND\b|\\quad\b|\\qquad\b|(?:~\s*){2,}|,|;|\\newline\b|\\hspace\*?\{[^{}]*\}"
)
_PERSON = re.compile(r"[^\W\d_][^\d@:/()\[\]{}<>=+|]{2,60}")
_NO_PERSON = re.compile(
    r"universi|institut|departm|laborator|school|facult|college|center|centre|research|academy|company|inc\.|gmbh"
    r"|address|author|member|ieee|student|email|e-mail|corporation|street|china|usa|germany|univ\.|lab$|group|team"
    r"|science|engineering|project|technolog|print",
    re.I,
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    title: str
    authors: tuple[str, ...]


def read_front_matter(steps: Sequence[Step], show: Callable[[str], str]) -> FrontMatter:
    """The last non-empty title wins, as in TeX; all `\\author` commands are read in order."""
    title, authors = "", list[str]()
    pdf_title, pdf_author = "", ""
    for step in steps:
        item = step.item
        if item is None or item.kind != "front" or not item.groups:
            continue
        latex = step.frame.parsed.scan.words(item.groups[0])
        if item.name in _TITLES and (text := show(latex)):
            title = text if item.name != "ctitle" or not title else title
        elif item.name in _AUTHORS:
            authors += people(latex, show)
        elif item.name == "hypersetup":
            pdf_title = pdf_title or "".join(_PDF_TITLE.findall(latex)[:1])
            pdf_author = pdf_author or "".join(_PDF_AUTHOR.findall(latex)[:1])
    if not authors and pdf_author:
        authors = people(pdf_author, show)
    return FrontMatter(" ".join((title or show(pdf_title)).split()), tuple(dict.fromkeys(authors)))


def people(latex: str, show: Callable[[str], str]) -> list[str]:
    """The names in an `\\author` argument, without marks, addresses and e-mail."""
    latex = re.sub(r"\\name\b", r"\\and ", latex)
    latex = re.sub(
        r"\\(?:addr|email|affiliations?|institute)\b.*?(?=\\and\b|\\And\b|\\AND\b|\Z)", "", latex, flags=re.S
    )
    latex = re.sub(r"%[^\n]*", "", latex)
    found: list[str] = []
    for block in re.split(r"\\and\b|\\And\b|\\AND\b", latex):
        block = _MARKS.sub("", block)
        for index, bit in enumerate(_BREAK.split(block)):
            name = re.sub(r"^(?:and|und|et|y|e|и)\s+|[*†‡§¶∗\d]+", " ", show(bit).strip()).strip(" ,.")
            for single in re.split(r"\s+(?:and|und)\s+", name):
                if _is_person(single):
                    found.append(" ".join(single.split()))
                elif index == 0 and not single:
                    continue
    return found


def _is_person(name: str) -> bool:
    parts = name.split()
    return (
        bool(_PERSON.fullmatch(name))
        and (2 <= len(parts) <= 6 or (len(parts) == 1 and ord(name[0]) >= 0x2E80))
        and not _NO_PERSON.search(name)
        and sum(p[0].isupper() or ord(p[0]) >= 0x2E80 for p in parts) >= min(2, len(parts))
    )


@dataclass(frozen=True, slots=True)
class Abstract:
    text: str
    span: Span | None


def choose_abstract(flow: Flow, show: Callable[[str], str]) -> Abstract:
    """The abstract to search with. Where there are several languages, English is preferred: that is what
    arXiv's abstracts are in; else the first that has words."""
    shown: list[tuple[AbstractText, str]] = []
    for candidate in flow.abstracts:
        text = abstract_text(candidate, show)
        if len(text) > 20:
            shown.append((candidate, text))
    if not shown:
        return Abstract("", None)
    best = next((pair for pair in shown if guess_language(pair[1]) == "en" and len(pair[1]) > 200), shown[0])
    candidate, text = best
    return Abstract(text, Span(candidate.frame.parsed.path, candidate.start, candidate.end))


def abstract_text(candidate: AbstractText, show: Callable[[str], str]) -> str:
    parts = [show(s.frame.parsed.text[s.start : s.end]) for s in candidate.segments]
    text = "\n\n".join(part for part in parts if part)
    return re.sub(r"^(?:Abstract|ABSTRACT)\s*[.:—–-]*\s+(?=[A-Z])", "", text)
