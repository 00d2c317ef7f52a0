"""Chooses the bibliography for new entries, and creates one for a document without any."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.bib.keys import damaged_tail
from texgeist_latex.bib.parser import HEAD, block_end, read_bib
from texgeist_latex.disk.gate import is_bibliography
from texgeist_latex.disk.paths import help_for, real, seen_from, tidy, unread_because
from texgeist_latex.errors import NoPlace, Unfit
from texgeist_latex.tex.encodings import decode
from texgeist_latex.tex.scan import makes_file, without_comments
from texgeist_latex.types import BibEntry, Bibliography, Draft, Edit, SourceFile

_END_DOCUMENT = re.compile(r"\\end\s*\{document\}")
_BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
_STYLE = re.compile(r"\\bibliographystyle\s*\{([^{}]*)\}")
_BIBLATEX = re.compile(r"\\usepackage\s*(?:\[[^\]]*\])?\s*\{[^{}]*\bbiblatex(?:-\w+)?\b[^{}]*\}")
_CLASS_STYLES = {
    "IEEEtran": "IEEEtran",
    "acmart": "ACM-Reference-Format",
    "llncs": "splncs04",
    "svjour3": "spmpsci",
    "elsarticle": "elsarticle-num",
    "sig-alternate": "abbrv",
    "mnras": "mnras",
}
_OWN_STYLE = ("revtex", "aastex", "sn-jnl")  # classes that set their own style


@dataclass(frozen=True, slots=True)
class Target:
    """The bibliography for new entries. `wiring`: edits that add a new bibliography to the document."""

    bibliography: Bibliography
    source: SourceFile
    wiring: tuple[Edit, ...] = ()
    is_new: bool = False
    note: str = ""  # why no bibliography of the document was chosen


def choose_target(draft: Draft, wanted: Path | None, near: Path | None) -> Target:
    """The bibliography `wanted`; else the document's bibliography with the most cited entries (citations in
    `near` count three times); else a new bibliography. Bibliographies outside the project are only read; if
    the document has no others, a new one is created.

    Raises OutOfBounds if `wanted`, or a file that the document names, must not be written.
    """
    if wanted is not None:
        return _wanted(draft, wanted)
    named = [each for each in draft.bibliographies if each.kind == "bib"]
    outside = [each for each in named if not draft.gate.may_write(each.path)]
    for each in outside:
        if not is_bibliography(each.path) or draft.gate.inside(each.path):
            draft.gate.check(each.path)
    named = [each for each in named if each not in outside]
    made = [each for each in named if _made_by_document(draft, each.path)]
    writable = [each for each in named if each.exists and each not in made and _may_write(each.path)]
    if writable:
        best = max(writable, key=lambda each: _score(draft, each, near))
        return Target(best, source_of(draft, best.path))
    if made:
        path = _free_name(made[0].path.parent)
        return _new_file(path, _wire(draft, path))
    missing = [each for each in named if not each.exists]
    if unread := next((each for each in missing if each.path.exists()), None):
        raise NoPlace(
            f"{unread.path.name} {unread_because(unread.path)}, so no entry was added to it.",
            f"{help_for(unread.path)[:-1]}, or name another .bib file in the settings.",
        )
    if missing and not any(each.exists for each in named):
        return _new_file(missing[0].path, ())
    if named:
        raise NoPlace(
            f"The bibliography {named[0].path.name} is write-protected.",
            "Make it writable, or name another .bib file in the settings.",
        )
    for listed in draft.bibliographies:
        if listed.kind == "thebibliography":
            return Target(listed, source_of(draft, listed.path))
    path = _free_name(draft.root.parent)
    return replace(_new_file(path, _wire(draft, path)), note=_beside(outside, path))


def _beside(outside: Sequence[Bibliography], path: Path) -> str:
    """The note for the user when a bibliography is created because the document names only files
    outside the project; "" in other cases."""
    if not outside:
        return ""
    return (
        f"{outside[0].path} is outside the project, so it is only read, and new entries go into {path.name}. To "
        "add them to it instead, name it in papers.bibliographies of your user settings."
    )


def source_of(draft: Draft, path: Path) -> SourceFile:
    """The file as the draft has read it, or else as it is on disk now."""
    if path in draft.sources:
        return draft.sources[path]
    try:
        return decode(path, path.read_bytes())
    except OSError as error:
        raise NoPlace(f"{path.name} cannot be read: {error.strerror}.", "Check its permissions.") from error


def bibliography_of(draft: Draft, entry: BibEntry) -> Bibliography:
    """The `.bib` file that contains the entry. Raises `Unfit` for an entry in the text of a document, and in a file
    that LaTeX writes."""
    for bibliography in draft.bibliographies:
        if bibliography.kind == "bib" and bibliography.path == entry.span.file and bibliography.exists:
            check_not_made(draft, bibliography.path)
            return bibliography
    raise Unfit(f"{entry.key} is in no .bib file.", "Change it by hand.")


def check_appendable(target: Target) -> None:
    """Raises NoPlace if an entry is not closed, because appended entries would become part of it."""
    if target.bibliography.kind != "bib":
        return
    text, closed = target.source.text, 0  # all braces up to here are closed
    for problem in target.bibliography.problems:
        if problem.code != "broken-entry" or problem.span.start < closed:
            continue
        head = HEAD.match(text, problem.span.start)
        end = block_end(text, head.end() - 1) if head else len(text)
        closed = end or 0
        if end is None:
            line = text.count("\n", 0, problem.span.start) + 1
            raise NoPlace(
                f"An entry of {target.source.path.name} (line {line}) is never closed, so BibTeX would read "
                "new entries as part of it.",
                "Add its closing brace and try again.",
            )
    if (place := damaged_tail(target.bibliography, text)) is not None:
        line = text.count("\n", 0, place) + 1
        raise NoPlace(
            f"The block that starts at line {line} of {target.source.path.name} is incomplete, so BibTeX or biber "
            "would lose new entries after it.",
            "Complete or remove it and try again.",
        )


def _made_by_document(draft: Draft, path: Path) -> bool:
    """Whether LaTeX writes the file, which it does only if the file does not exist."""
    return any(makes_file(source.text, path.name) for source in draft.texts)


def check_not_made(draft: Draft, path: Path) -> None:
    """Raises `Unfit` for a `.bib` file that LaTeX writes, because it may write it again and lose the change."""
    if _made_by_document(draft, path):
        raise Unfit(
            f"LaTeX writes {path.name} from the text of {draft.root.name} (filecontents).",
            "Change it there by hand.",
        )


def _wanted(draft: Draft, wanted: Path) -> Target:
    path = tidy(draft.root.parent / wanted)
    named = any(real(each.path) == real(path) for each in draft.bibliographies)
    if path.suffix.lower() != ".bib":
        raise NoPlace(f"{path.name} is not a .bib file.", "Name a .bib file for new entries.")
    draft.gate.check(path)
    for each in draft.bibliographies:
        if each.exists and real(each.path) == real(path):
            return Target(each, source_of(draft, each.path))
    wiring = () if named else _wire(draft, path)
    if path.exists():
        source = source_of(draft, path)
        return Target(read_bib(path, source.text), source, wiring)
    return _new_file(path, wiring)


def _may_write(path: Path) -> bool:
    return not path.exists() or os.access(path, os.W_OK)


def _score(draft: Draft, bibliography: Bibliography, near: Path | None) -> tuple[int, int, int, int]:
    keys = {entry.key for entry in bibliography.entries}
    cited: Counter[str] = Counter()
    for citation in draft.citations:
        cited[citation.key] = max(cited[citation.key], 3 if citation.span.file == near else 1)
    inside = bibliography.path.is_relative_to(draft.root.parent)
    generated = bibliography.path.stem.endswith("-blx")
    return (
        not generated,
        2 * sum(count for key, count in cited.items() if key in keys) if inside else 0,
        sum(count for key, count in cited.items() if key in keys),
        len(keys) > 0,
    )


def _new_file(path: Path, wiring: Sequence[Edit]) -> Target:
    return Target(Bibliography(path, (), exists=False), SourceFile(path, ""), tuple(wiring), True)


def _free_name(folder: Path) -> Path:
    for name in ("references.bib", "texgeist.bib", *(f"references-{number}.bib" for number in range(2, 100))):
        if not os.path.lexists(folder / name):  # a dangling link may get a target later
            return folder / name
    raise NoPlace("No name is free for a new bibliography.", "Name a .bib file in the settings.")


def _wire(draft: Draft, path: Path) -> tuple[Edit, ...]:
    """The edits of the root document that make LaTeX read the bibliography."""
    source = source_of(draft, draft.root)
    live = without_comments(source.text)
    ends = list(_END_DOCUMENT.finditer(live))
    if not ends:
        raise NoPlace(
            f"{draft.root.name} has no \\end{{document}}, so there is no place for a bibliography.",
            "Add one, or a \\bibliography command where it belongs.",
        )
    name = seen_from(draft.root.parent, path)
    existing = [each for each in draft.bibliographies if each.kind == "bib"]
    if draft.style.package == "biblatex":
        return _wire_biblatex(draft, source, live, name, ends[-1].start(), bool(existing))
    if existing:
        return _extend_bibliography(draft, name)
    lines = [f"\\bibliography{{{name.removesuffix('.bib')}}}", ""]
    if style := _style(draft):
        lines.insert(0, f"\\bibliographystyle{{{style}}}")
    return (_lines(source, ends[-1].start(), lines),)


def _wire_biblatex(
    draft: Draft, source: SourceFile, live: str, name: str, end: int, printed: bool
) -> tuple[Edit, ...]:
    edits = []
    for text in draft.texts:
        if loaded := _BIBLATEX.search(without_comments(text.text)):
            place = loaded.end()
            edits.append(Edit(text.path, place, place, f"{text.newline}\\addbibresource{{{name}}}"))
            break
    else:
        begin = _BEGIN_DOCUMENT.search(live)
        edits.append(_lines(source, begin.start() if begin else 0, [f"\\addbibresource{{{name}}}"]))
    all_text = "".join(without_comments(text.text) for text in draft.texts)
    if not printed and "\\printbibliography" not in all_text:
        edits.append(_lines(source, end, ["\\printbibliography", ""]))
    return tuple(edits)


def _extend_bibliography(draft: Draft, name: str) -> tuple[Edit, ...]:
    r"""Changes `\bibliography{a}` to `\bibliography{a,name}`."""
    for text in draft.texts:
        if match := re.search(r"\\bibliography\s*\{([^{}]*)\}", without_comments(text.text)):
            return (Edit(text.path, match.end(1), match.end(1), "," + name.removesuffix(".bib")),)
    raise NoPlace("The document's \\bibliography command was not found.", f"Add {name} to it by hand.")


def _lines(source: SourceFile, at: int, lines: Sequence[str]) -> Edit:
    """Inserts whole lines before `at`."""
    before = "" if at == 0 or source.text[at - 1] == "\n" else source.newline
    return Edit(source.path, at, at, before + "".join(line + source.newline for line in lines))


def _style(draft: Draft) -> str:
    texts = [without_comments(source.text) for source in draft.texts]
    if any(_STYLE.search(text) for text in texts):
        return ""
    if any(name.startswith(_OWN_STYLE) for name in draft.packages):
        return ""
    usual = {"natbib": "plainnat", "apacite": "apacite"}.get(draft.style.package, "plain")
    return next((style for name, style in _CLASS_STYLES.items() if name in draft.packages), usual)
