"""Learns the author's habits in a document, so that added text looks like the rest: headings, labels, line
width, the character before a citation, and the characters that its fonts and files support."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from texgeist_latex.tex.command_names import HEADINGS
from texgeist_latex.tex.markdown import PARENTHETICAL
from texgeist_latex.tex.scan import without_comments
from texgeist_latex.types import Draft, Heading, SourceFile
from texgeist_latex.writing.escape import Charset, script_of

_COMMANDS = {level: name for name, level in reversed(HEADINGS.items())}  # the first name of each level
_COMMAND = re.compile(r"\\(chapter|(?:sub)*section)\b(?=\*?\s*[\[{])")
_LABELLED = re.compile(r"\*?\s*(?:\[[^\]]*\])?\{[^{}]*\}\s*\\label\s*\{([^{}]+)\}")
_SENTENCE_END = re.compile(r"[.!?:][)'’\"]*\s*$")


@dataclass(frozen=True, slots=True)
class Layout:
    """How prose is broken into lines."""

    kind: Literal["width", "sentence", "paragraph"]
    width: int = 80


def heading_line(draft: Draft, title: str, level: int) -> str:
    r"""`\section{Related Work}`, starred and capitalised like other headings of that level. `title` is
    LaTeX."""
    peers = [heading for heading in draft.headings if heading.level == level]
    star = "*" if len(peers) > 1 and sum(peer.starred for peer in peers) * 2 > len(peers) else ""
    return f"\\{_COMMANDS.get(level, 'section')}{star}{{{_cased(title, peers)}}}"


def label_line(draft: Draft, title: str, level: int) -> str:
    """A label with the usual prefix if at least half of the document's headings of that level have one, directly or
    (with that prefix) elsewhere in their text."""
    text = "\n".join(source.text for source in draft.texts)
    parts = _COMMAND.split(without_comments(text))
    peers = [body for name, body in zip(parts[1::2], parts[2::2], strict=True) if HEADINGS[name] == level]
    labels = [match[1] for body in peers if (match := _LABELLED.match(body))]
    if len(labels) < 2:
        return ""
    [(prefix, _)] = Counter(
        "".join(label.partition(":")[:2]) if ":" in label else "" for label in labels
    ).most_common(1)
    labelled = sum(f"\\label{{{prefix}" in body for body in peers) if prefix else len(labels)
    if labelled * 2 < len(peers):
        return ""
    label = prefix + ("-".join(re.findall(r"[a-z0-9]+", title.lower())[:4]) or "related-work")
    return "" if f"\\label{{{label}}}" in text else f"\\label{{{label}}}"


def tie_before_citation(draft: Draft) -> str:
    """The character between a word and its parenthetical citation: `~`, a space, or "" (for superscripts)."""
    signs: Counter[str] = Counter()
    for citation in draft.citations[:400]:
        source = draft.sources.get(citation.span.file)
        if (
            source
            and citation.command.rstrip("*") == draft.style.parenthetical
            and citation.command_span.start
        ):
            before = source.text[citation.command_span.start - 1]
            signs["~" if before == "~" else " " if before.isspace() else ""] += 1
    if sum(signs.values()) < 3:
        return " " if draft.style.parenthetical == PARENTHETICAL else "~"
    return signs.most_common(1)[0][0]


def layout_of(draft: Draft, file: Path) -> Layout:
    """The line layout of this file's prose; if the file has too little prose, that of the whole document."""
    for texts in (
        [draft.sources[file].text] if file in draft.sources else [],
        [source.text for source in draft.texts],
    ):
        lines = [lengths for text in texts for lengths in _prose(text)]
        if layout := _layout(lines):
            return layout
    return Layout("width")


def _cased(title: str, peers: list[Heading]) -> str:
    long_titles = [peer.title for peer in peers if len(peer.title.split()) > 1]
    if len(peers) > 2 and all(peer.title.isupper() for peer in peers):
        return title.upper() if "\\" not in title else title
    words = [word for peer in long_titles for word in peer.split()[1:] if len(word) > 3 and word.isalpha()]
    if words and sum(word[0].islower() for word in words) * 2 > len(words):
        first, _, rest = title.partition(" ")
        return f"{first} {rest.lower()}" if rest and rest.istitle() else title
    return title


def _prose(text: str) -> list[list[str]]:
    """Groups of consecutive prose lines in the document's body."""
    start = text.find("\\begin{document}")
    live = without_comments(text[max(start, 0) :][:400_000])
    found: list[list[str]] = []
    run: list[str] = []
    for line in [*live.splitlines(), ""]:
        words = line.strip()
        if len(words) > 25 and words[0] not in "\\&%{}$" and "&" not in words and words.count(" ") > 2:
            run.append(line.rstrip())
        else:
            if len(words) <= 25 and words and words[0] not in "\\&%{}$" and run:
                run.append(line.rstrip())
            if run:
                found.append(run)
            run = []
    return found


def _layout(paragraphs: list[list[str]]) -> Layout | None:
    if len(paragraphs) < 3:
        return None
    lines = [line for paragraph in paragraphs for line in paragraph]
    inner = [line for paragraph in paragraphs for line in paragraph[:-1]]
    if len(inner) < max(5, len(paragraphs)):
        return Layout("paragraph") if max(map(len, lines)) > 160 else None
    if sum(bool(_SENTENCE_END.search(line)) for line in inner) > 0.7 * len(inner):
        return Layout("sentence")
    lengths = sorted(map(len, inner))
    usual = lengths[int(0.9 * (len(lengths) - 1))]
    if 40 <= usual <= 160 and lengths[len(lengths) // 2] >= 0.7 * usual:
        return Layout("width", usual)
    return Layout("paragraph") if usual > 160 else None


_UNICODE = frozenset(
    "fontspec xeCJK ctex ctexart ctexrep ctexbook polyglossia unicode-math luatexja xltxtra mathspec kotex".split()
)
_EITHER = re.compile(
    r"\\(?:ifPDFTeX|ifpdftex|ifxetex|ifXeTeX|ifluatex|ifLuaTeX|iftutex|ifTUTeX)|\{(?:iftex|ifxetex|ifluatex)\}"
)
_MAGIC = re.compile(r"%\s*!TEX\s+(?:TS-)?program\s*=\s*(?:xe|lua)", re.I)
_AMS = frozenset("amssymb amsfonts unicode-math newtxmath newpxmath acmart mtpro2".split())
_URLS = frozenset("url xurl hyperref biblatex acmart revtex4-1 revtex4-2".split())
_T1_CLASSES = frozenset("acmart cas-sc cas-dc mlmodern cfr-lm".split())


def document_charset(draft: Draft, file: Path) -> Charset:
    """The charset for prose in `file`. Scripts used in the document's text may be written directly; accented
    letters become commands if all its text is ASCII."""
    text = "\n".join(without_comments(source.text) for source in draft.texts)
    options = {option.strip() for given in draft.packages.values() for option in given.split(",")}
    loaded = draft.packages.keys() | options  # revtex loads amssymb by an option
    any_letter = bool(loaded & _UNICODE) and not _EITHER.search(text)
    any_letter = any_letter or any(_MAGIC.search(source.text[:3000]) for source in draft.texts)
    t1 = bool(loaded & _T1_CLASSES) or "T1" in re.findall(r"\w+", draft.packages.get("fontenc", ""))
    source = draft.sources.get(file)
    return Charset(
        raw=_scripts(text),
        any_letter=any_letter,
        t1=any_letter or t1,
        ams=bool(loaded & _AMS),
        urls=bool(loaded & _URLS),
        encoding=source.encoding if source else "utf-8",
    )


def bibliography_charset(draft: Draft, document: Charset, source: SourceFile, raw_letters: bool) -> Charset:
    """The charset for entries in `source`: accented letters are written directly for biber, and in files that
    already contain accented letters. `document`: the charset of the document."""
    biber = draft.style.biber
    latin = raw_letters or biber
    return replace(
        document,
        raw=document.raw - {"latin"} | ({"latin"} if latin else set()),
        any_letter=document.any_letter and latin,
        decoded=biber and not document.any_letter,
        bytewise=not biber and source.encoding.startswith(("utf", "gb", "big5")),
        encoding=source.encoding,
    )


def _scripts(text: str) -> frozenset[str]:
    """The scripts used in the text. A single é shows that accented letters work; a few Cyrillic or Greek
    letters, for example in a listing, show nothing."""
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if script := script_of(char):
            counts[script] += count
    return frozenset(script for script, count in counts.items() if script == "latin" or count >= 30)
