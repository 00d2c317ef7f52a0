"""How a document cites: the package, and the commands that its authors really use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Literal

from ..types import Citation, CitationStyle

Package = Literal["plain", "natbib", "biblatex", "apacite"]

# Classes and styles that load natbib by themselves.
_NATBIB = tuple(
    "natbib acmart revtex4 elsarticle mnras aastex neurips_ icml20 iclr20 tmlr colm20 jmlr2e copernicus "
    "sn-jnl cas-sc cas-dc".split()
)
_BIBLATEX_COMMANDS = frozenset(
    "parencite textcite autocite Parencite Textcite Autocite smartcite footfullcite parencites textcites "
    "autocites".split()
)
_NATBIB_COMMANDS = frozenset("citep citet citealp citealt Citep Citet citeyearpar".split())
_APACITE_COMMANDS = frozenset("citeA citeNP shortciteA citeauthorA".split())
_PARENTHETICAL = {
    "natbib": ("citep", "cite", "citealp"),
    "biblatex": ("parencite", "autocite", "cite", "citep", "footcite", "smartcite", "supercite"),
    "apacite": ("cite", "citep"),
    "plain": ("cite",),
}
_TEXTUAL = {
    "natbib": ("citet",),
    "biblatex": ("textcite", "citet"),
    "apacite": ("citeA", "citet"),
    "plain": ("cite",),
}


def citation_style(
    citations: Iterable[Citation],
    packages: Iterable[tuple[str, str]],
    loaded: Set[str],
    commands: Set[str],
    own: Mapping[str, tuple[str, int]],
) -> CitationStyle:
    """`packages` are (name, options) that the document loads, `loaded` those that its own classes may
    load, `commands` the bibliography commands in it; `own` are declared citation commands, which count
    as what they stand for."""
    seen: set[tuple[str, int]] = set()
    used: Counter[str] = Counter()
    for citation in citations:
        where = (str(citation.span.file), citation.command_span.start)
        if where not in seen:
            seen.add(where)
            name = citation.command.rstrip("*")
            used[own[name][0] if name in own else name] += 1
    package = _package(used, dict(packages), loaded, commands)
    parenthetical = _most_used(used, _PARENTHETICAL[package])
    textual = _most_used(used, _TEXTUAL[package])
    if package == "natbib" and used["citep"] * 5 >= used["cite"] > used["citep"] > 0:
        parenthetical = "citep"  # \\cite may mean either; authors who know \\citep mean it
    if package == "plain":
        return CitationStyle("plain", "cite", "cite")
    return CitationStyle(package, parenthetical, textual)


def read_by_biber(style: CitationStyle, packages: Iterable[tuple[str, str]]) -> bool:
    """Whether biber reads the bibliographies, and not BibTeX: biblatex's default."""
    options = dict(packages).get("biblatex", "").replace(" ", "")
    return style.package == "biblatex" and "backend=bibtex" not in options


def _most_used(used: Counter[str], names: tuple[str, ...]) -> str:
    return max(names, key=lambda name: (used[name], -names.index(name)))


def _package(used: Counter[str], named: dict[str, str], loaded: Set[str], commands: Set[str]) -> Package:
    if "biblatex" in named or {"addbibresource", "printbibliography"} & commands:
        return "biblatex"
    if "apacite" in named and "natbibapa" not in named["apacite"]:
        return "apacite"
    if any(name.startswith(_NATBIB) for name in named) or any("natbib" in given for given in named.values()):
        return "natbib"
    if any(used[name] for name in _NATBIB_COMMANDS):
        return "natbib"
    if any(used[name] for name in _BIBLATEX_COMMANDS):
        return "biblatex"
    if any(used[name] for name in _APACITE_COMMANDS):
        return "apacite"
    return "natbib" if "natbib" in loaded and "biblatex" not in loaded else "plain"
