r"""Checks whether a draft for blind review reveals its authors: in its text, in the PDF's metadata, or by
citing its own preprint.

Blind review is recognised by the class and the style files. Most of them hide the authors until an option
says that the paper is accepted, so names in `\author` are not reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..bib.authors import parse_name
from ..tex.accents import read_accents
from ..tex.scan import Scan, pieces, scan, without_comments
from ..tex.wordlists import is_acknowledgement
from ..types import BibEntry, Draft, Problem, Span
from .comparison import relate_titles
from .names import read_people, share_in_common

_ANONYMOUS = frozenset({"anonymous", "anon", "doubleblind", "double-blind", "blind"})
_REVIEW = re.compile(r"(?:acl|cvpr|iccv|eccv|wacv|3dv|interspeech|aaai\d*|colm\d*\w*)", re.I)
_NAMED = frozenset({"final", "preprint", "accepted", "camera", "cameraready", "nonanonymous", "public"})
_HIDES = re.compile(  # style files whose default version is anonymous
    r"(?:neurips_?\d{4}\w*|nips_?\d{4}|nips1[0-7]submit_e|icml\d{4}|iclr\d{4}_conference|aistats\d{4}|uai\d{4}|tmlr|corl_?\d{4}|"
    r"acl20(?:1[7-9]|20)|naaclhlt20(?:18|19)|emnlp20(?:1[89]|20)|conll-?20(?:18|19))",
    re.I,
)
_FINAL = re.compile(
    r"\\(?:iclr|acl|naacl|cvpr|iccv|eccv|wacv|emnlp|bmvc|icml|nips)final(?:copy)?(?![A-Za-z])"
)
_METADATA = re.compile(r"pdfauthor\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([^,{}]*))|/Author\s*\(([^()]*)\)")
_NOBODY = re.compile(r"anonym|author|submission|under review|names? (?:hidden|withheld)", re.I)
_MOST = 20  # names in the text that are reported


def check_anonymity(draft: Draft) -> list[Problem]:
    """Problems for all places that may reveal the authors; empty if the class and styles do not show that the
    draft is for blind review."""
    scans = {path: scan(draft.sources[path].text) for path in draft.files if path in draft.sources}
    why = _blind(scans.values())
    if not why:
        return []
    authors = tuple(name for name in draft.authors if not _NOBODY.search(name))
    return [
        *(problem for path, one in scans.items() for problem in _metadata(path, one, why)),
        *(problem for path, one in scans.items() for problem in _thanks(path, one, why)),
        *_names(draft, scans, authors, why),
        *_own_preprint(draft, authors, why),
    ]


def _blind(scans: Iterable[Scan]) -> str:
    """The class, style or option that shows that the draft is for blind review, in words for a message; "" if
    none does."""
    found, final = "", False
    for one in scans:
        text = _live(one)
        final = final or _FINAL.search(text) is not None
        for item in one.items:
            if item.name in ("documentclass", "usepackage", "RequirePackage") and item.groups:
                options = {o.strip().lower() for option in item.options for o in one.words(option).split(",")}
                for name in one.words(item.groups[0]).split(","):
                    found = found or _by_style(name.strip(), options)
    return "" if final else found


def _by_style(name: str, options: set[str]) -> str:
    if said := options & _ANONYMOUS:
        return f"the option `{min(said)}` of {name}"
    if options & _NAMED:
        return ""
    if options & {"review", "submission"} and _REVIEW.fullmatch(name):
        return f"the option `{min(options & {'review', 'submission'})}` of {name}"
    return f"the style {name}" if _HIDES.fullmatch(name) else ""


def _live(one: Scan) -> str:
    """The text that TeX reads, with comments and dead text replaced by spaces."""
    kept = [" "] * min(one.stop, len(one.text))
    for start, end in pieces(one, 0, len(kept)):
        kept[start:end] = one.text[start:end]
    return without_comments("".join(kept))


def _metadata(path: Path, one: Scan, why: str) -> Iterator[Problem]:
    for match in _METADATA.finditer(_live(one)):
        said = " ".join(read_accents(match[1] or match[2] or match[3] or "").split())
        if said and not said.startswith(("\\", "#")) and not _NOBODY.search(said):
            message = f"The PDF metadata names the authors ({said[:80]}), but {why} means blind review."
            yield Problem("names-in-metadata", message, Span(path, match.start(), match.end()))


def _thanks(path: Path, one: Scan, why: str) -> Iterator[Problem]:
    for item in one.items:
        title = one.words(item.groups[-1]) if item.kind == "heading" and item.groups else ""
        if title and is_acknowledgement(title.strip()):
            message = f"Acknowledgements may reveal who you are, and {why} means blind review."
            yield Problem("acknowledgements", message, Span(path, item.start, item.end))


def _names(draft: Draft, scans: Mapping[Path, Scan], authors: Sequence[str], why: str) -> Iterator[Problem]:
    """Problems for authors' names in the body. The author list and the bibliography are not searched."""
    forms = [form for name in authors if (form := _form(name))]
    if not forms:
        return
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
    reported = 0
    for path, one in scans.items():
        text = _body(one, begins=path == draft.root)
        for match in pattern.finditer(text):
            if reported == _MOST:
                return
            reported += 1
            name = " ".join(match[0].replace("~", " ").split())
            message = f"{name} is named in the text, and {why} means blind review."
            yield Problem("names-in-text", message, Span(path, match.start(), match.end()))


def _form(name: str) -> str:
    parsed = parse_name(name)
    given = parsed.first.split()
    if parsed.group or not given or not parsed.last:
        return ""
    middle = r"(?:[\s~]+[^\W\d_a-z][\w.-]{0,20}){0,2}"
    last = r"[\s~]+".join(map(re.escape, parsed.last.split()))
    return rf"{re.escape(given[0])}{middle}[\s~]+{last}"


def _body(one: Scan, begins: bool) -> str:
    text = _live(one)
    start = one.document.end if begins and one.document else 0
    bibliography = text.find("\\begin{thebibliography}")
    kept = list(text)
    for low, high in [(0, start), *((i.start, i.end) for i in one.items if i.kind == "front")]:
        kept[low:high] = " " * (min(high, len(kept)) - min(low, len(kept)))
    return "".join(kept)[: bibliography if bibliography >= 0 else None]


def _own_preprint(draft: Draft, authors: Sequence[str], why: str) -> Iterator[Problem]:
    entries = {e.key: e for b in reversed(draft.bibliographies) for e in b.entries}
    seen: set[str] = set()
    for citation in draft.citations:
        entry = entries.get(citation.key)
        if entry is None or citation.key in seen or not _is_own(entry, draft.title, authors):
            continue
        seen.add(citation.key)
        message = f"{citation.key} is this paper's own preprint, and {why} means blind review."
        yield Problem("own-preprint", message, citation.span)


def _is_own(entry: BibEntry, title: str, authors: Sequence[str]) -> bool:
    """Whether the entry has the draft's title, or a similar title and the same authors."""
    theirs = entry.fields.get("title", "")
    if not theirs or len(title.split()) < 3:
        return False
    relation = relate_titles(title, theirs)
    if relation == "same" or not authors:
        return relation == "same"
    mine, people = read_people(" and ".join(authors)), read_people(entry.fields.get("author", ""))
    return relation != "other" and share_in_common(people, mine) >= 0.5
