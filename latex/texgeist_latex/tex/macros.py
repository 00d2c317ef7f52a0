r"""Reads the commands that the author defines: `\newcommand` and variants, `\def`, `\let`, xparse, operators,
acronyms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from . import command_names
from .scan import Item, Scan
from .wordlists import DROP, KEEP_LAST, SPACES


@dataclass(frozen=True, slots=True)
class Macro:
    """A command. `letters`: one for each argument, m (mandatory), o (optional) or s (a star); `default`: the value of
    a missing optional argument."""

    name: str
    letters: str
    body: str
    default: str = ""


@dataclass(frozen=True)
class Definitions:
    """All declarations in a document that affect how its text is read."""

    macros: Mapping[str, Macro]
    excluded: frozenset[str]  # environments of \excludecomment
    environments: Mapping[str, str]  # for each defined environment, the environment that it opens first

    @cached_property
    def cite_commands(self) -> dict[str, tuple[str, int]]:
        """The document's citation commands: the known command, and the group with the keys (from 1)."""
        found: dict[str, tuple[str, int]] = {}
        for name, macro in self.macros.items():
            if name not in command_names.CITE_COMMANDS and (base := _cite_of(macro, self.macros)):
                found[name] = base
        return found


KNOWN = frozenset(
    [
        *DROP,
        *KEEP_LAST,
        *SPACES,
        *command_names.HEADINGS,
        *command_names.CITE_COMMANDS,
        *command_names.INCLUSIONS,
    ]
)
_CITE_IN_BODY = re.compile(
    r"\\([A-Za-z@]*[Cc]ite[A-Za-z@]*)\*?\s*(?:<[^<>]*>|\[[^\[\]]*\])*\s*(?:\{[^{}#]*#(\d)[^{}#]*\}|([^\s{\[]?))"
)
_ARGUMENT = re.compile(r"[omsdOg](?:\{[^{}]*\})?|[rdRD].{2}(?:\{[^{}]*\})?|t.|v|b|[eE]\{[^{}]*\}")


def _cite_of(macro: Macro, macros: Mapping[str, Macro], depth: int = 0) -> tuple[str, int] | None:
    r"""The known citation command that the macro uses, and the number of the argument with the keys; None if
    it does not cite. For example, `\newcommand\see[1]{(see \citep{#1})}` and `\let\ct\citep` both give
    (`citep`, 1)."""
    body = macro.body.strip()
    alias = body[1:] if re.fullmatch(r"\\[A-Za-z@]+\*?", body) else ""
    if alias and not macro.letters:
        if alias.rstrip("*") in command_names.CITE_COMMANDS:
            return alias, 1
        other = macros.get(alias)
        return _cite_of(other, macros, depth + 1) if other and depth < 4 and other is not macro else None
    for match in _CITE_IN_BODY.finditer(body):
        if not command_names.is_citation(match[1]):
            continue
        if match[2]:
            return match[1], max(1, macro.letters[: int(match[2])].count("m"))
    return None


def read_definitions(scans: Sequence[Scan], packages: Sequence[Scan] = ()) -> Definitions:
    """The definitions of `scans`, which are in reading order. A later definition replaces an earlier one, as
    in TeX. `packages`: the project's .sty files, whose definitions never change known commands."""
    macros: dict[str, Macro] = {}
    excluded: set[str] = set()
    environments: dict[str, str] = {}
    foreign = {id(scan) for scan in packages}
    for scan in (*packages, *scans):
        for item in scan.definitions:
            parts = [scan.words(span) for span in item.groups]
            if not parts:
                continue
            if item.name == "excludecomment":
                excluded.add(parts[0].strip())
            elif "nvironment" in item.name:
                opened = re.search(r"\\begin\s*\{([^{}]+)\}", parts[1]) if len(parts) > 1 else None
                if opened:
                    environments[parts[0].strip()] = opened[1]
            elif (macro := _macro(item, scan, parts)) and not (id(scan) in foreign and macro.name in KNOWN):
                macros[macro.name] = macro
    return Definitions(macros, frozenset(excluded), environments)


def _macro(item: Item, scan: Scan, parts: list[str]) -> Macro | None:
    name = parts[0].strip().lstrip("\\")
    if not name or len(parts) < 2 or "\\" not in parts[0]:  # a glossary entry, for example
        return None
    options = [scan.words(span) for span in item.options]
    if item.name == "DeclareMathOperator":
        return Macro(name, "", "\\operatorname{" + parts[1] + "}")
    if item.name in ("DeclareCiteCommand", "DeclareMultiCiteCommand"):
        return Macro(name, "m", "\\autocite{#1}")
    if item.name == "DeclarePairedDelimiter":
        return Macro(name, "m", parts[1] + "#1")
    if "Document" in item.name:
        if len(parts) < 3:
            return None
        kinds = {"s": "s", "t": "s", "o": "o", "O": "o", "d": "o", "D": "o"}
        letters = "".join(kinds.get(m[0][0], "m") for m in _ARGUMENT.finditer(parts[1]))
        return Macro(name, letters, parts[2])
    if item.name.endswith("def"):
        return Macro(name, "m" * len(re.findall(r"#\d", options[0])) if options else "", parts[1])
    if item.name == "let":
        return Macro(name, "", parts[1])
    letters = "m" * int(options[0]) if options and re.fullmatch(r"\s*[1-9]\s*", options[0]) else ""
    if letters and len(options) > 1:
        return Macro(name, "o" + letters[1:], parts[1], options[1])
    return Macro(name, letters, parts[1])
