"""Checks foreign formulas: only balanced formulas of known symbols are kept."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from texgeist_latex.tex.symbols import AMS_COMMANDS, FORMULA_COMMANDS

_GROUP = "\x01"  # stands for a group in braces that was checked
_DEEPEST = 12  # groups inside groups
_INNERMOST = re.compile(r"\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z]++|[,;:!])(\x01*+)")
_SIGN = r"[0-9.,;:!?+\-*/=<>()|\[\]]"
# TeX reads these after `^` and `_` only inside braces.
_IN_BRACES = (
    r"\\(?:d?dot|(?:wide)?(?:hat|tilde)|bar|vec|check|breve|acute|grave|(?:over|under)line|sqrt)(?![A-Za-z])"
)
_ARGUMENT = rf"(?:(?!{_IN_BRACES}){_COMMAND.pattern}|[A-Za-z]|{_SIGN}|\x01)"
_RAISED, _LOWERED = rf" *(?:'+|\^{_ARGUMENT})", rf" *_{_ARGUMENT}"
_INDICES = rf"(?:{_RAISED}(?:{_LOWERED})?|{_LOWERED}(?:{_RAISED})?)?"
# More than three adjacent letters are prose between two dollar signs.
_SYMBOL = rf"(?:{_COMMAND.pattern}|[A-Za-z]{{1,3}}(?![A-Za-z])|{_SIGN}|\x01)"
_SYMBOLS = re.compile(rf"{_INDICES}(?: *{_SYMBOL}{_INDICES})*+ *")
_WORDS = re.compile(r"(\\(?:mathrm|text|mathsf|mathit|mathbf|mathtt)) ?\{[A-Za-z0-9 \-]{1,40}\}")
_SCRIPTS = re.compile(r"(?:[\^_]\{[^{}]*\}|')*$")  # the scripts at the end of a formula made by texgeist
_SCRIPT = re.compile(r"([\^_])\{([^{}]*)\}|'")
_COMMAND_AT_END = re.compile(r"\\[A-Za-z]+$")
_PLACE = {"'": "^"}  # a prime counts as superscript


def is_safe_formula(code: str, ams: bool = False) -> bool:
    """Whether `$code$` compiles in any document (with amssymb if `ams`) and only shows symbols. Every `^`,
    every `_` and every command that takes an argument must be followed by an argument, and a symbol may have
    one superscript and one subscript."""
    commands = {**FORMULA_COMMANDS, **AMS_COMMANDS} if ams else FORMULA_COMMANDS
    if _GROUP in code or not code.strip():
        return False
    code = _WORDS.sub(rf"\1{_GROUP}", code.replace("\\{", "\\lbrace ").replace("\\}", "\\rbrace "))
    for _ in range(_DEEPEST):
        if (inner := _INNERMOST.search(code)) is None:
            break
        if not all(_are_known(group, commands) for group in _INNERMOST.findall(code)):
            return False
        code = _INNERMOST.sub(_GROUP, code)
    return inner is None and _are_known(code, commands)


def _are_known(code: str, commands: Mapping[str, int]) -> bool:
    if not _SYMBOLS.fullmatch(code):
        return False
    return all(len(groups) >= commands.get(name, sys.maxsize) for name, groups in _COMMAND.findall(code))


def join_formulas(first: str, second: str) -> str:
    """Joins two adjacent formulas of converted characters: `$^{-}$` and `$^{3}$` give `$^{-3}$`. TeX allows
    only one superscript and one subscript on a base, so a second superscript or subscript gets an empty
    base."""
    first, second = first[1:-1], second[1:-1]
    script = _SCRIPT.match(second)
    ending = _SCRIPTS.search(first)
    if script is None or ending is None:
        return f"${first}{second}$"
    kind = script[1] or "'"
    kinds = [each[1] or "'" for each in _SCRIPT.finditer(ending[0])]
    if kinds[-1:] == [kind] and kind != "'":
        gap = " " if _COMMAND_AT_END.search(first[:-1]) and script[2][:1].isalpha() else ""
        return f"${first[:-1]}{gap}{script[2]}}}$"
    places = [_PLACE.get(each, each) for each in kinds]
    nothing = "{}" if _PLACE.get(kind, kind) in places and kinds[-1:] != [kind] else ""
    return f"${first}{nothing}{second}$"
