"""Finds the characters that a document's fonts and files support, from its preamble and text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from texgeist_latex.tex.scan import without_comments
from texgeist_latex.types import Draft, SourceFile
from texgeist_latex.writing.escape import Charset, script_of

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
