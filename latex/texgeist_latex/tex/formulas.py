"""Checks foreign formulas: only balanced formulas of known symbols are kept."""

from __future__ import annotations

import re

from texgeist_latex.tex.symbols import AMS_COMMANDS, FORMULA_COMMANDS

_TOKEN = re.compile(r"\\([A-Za-z]+|[,;:!{}])|([{}])|([\^_])|([A-Za-z]+)|([0-9.,;:!?+\-*/=<>()|\[\]' ])")
_SCRIPTS = re.compile(r"(?:[\^_]\{[^{}]*\}|')*$")  # the scripts at the end of a formula made by texgeist
_SCRIPT = re.compile(r"([\^_])\{([^{}]*)\}|'")
_COMMAND_AT_END = re.compile(r"\\[A-Za-z]+$")
_PLACE = {"'": "^"}  # a prime counts as superscript
_LONGEST_WORD = 3  # adjacent letters in a formula; more are prose between two dollar signs


def is_safe_formula(code: str, ams: bool = False) -> bool:
    """Whether `$code$` compiles in any document (with amssymb if `ams`) and only shows symbols. Every `^`,
    every `_` and every command that takes an argument must be followed by an argument."""
    try:
        position = _group(code, 0, ams, 0)
    except _Unsafe:
        return False
    return position == len(code) and bool(code.strip())


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


class _Unsafe(Exception):
    pass


def _group(code: str, position: int, ams: bool, depth: int) -> int:
    """Returns the position of the closing brace of this group, or of the end of `code` at depth 0. Raises
    `_Unsafe`."""
    if depth > 12:
        raise _Unsafe
    scripts: set[str] = set()
    while position < len(code) and code[position] != "}":
        match = _TOKEN.match(code, position)
        if not match:
            raise _Unsafe
        if match[3]:
            if match[3] in scripts:  # TeX rejects a second one
                raise _Unsafe
            scripts.add(match[3])
            position = _argument(code, match.end(), ams, depth)
            continue
        if not match[5] or match[5] not in " '":
            scripts.clear()
        if match[5] == "'":
            if "^" in scripts:
                raise _Unsafe
            scripts.add("^") if code[match.end() : match.end() + 1] != "'" else None
        position = _symbol(code, match, ams, depth)
    return position


def _symbol(code: str, match: re.Match[str], ams: bool, depth: int) -> int:
    if match[1]:
        return _arguments(code, match, ams, depth)
    if match[2]:
        return _braced(code, match.start(), ams, depth)
    if match[4] and len(match[4]) > _LONGEST_WORD:
        raise _Unsafe
    return match.end()


def _arguments(code: str, match: re.Match[str], ams: bool, depth: int) -> int:
    name = match[1]
    count = FORMULA_COMMANDS.get(name, AMS_COMMANDS.get(name) if ams else None)
    if count is None:
        raise _Unsafe
    position = match.end()
    for _ in range(count):
        if name in ("mathrm", "text", "mathsf", "mathit", "mathbf", "mathtt"):
            position = _word(code, position, ams, depth)
        else:
            position = _braced(code, position, ams, depth)
    return position


def _word(code: str, position: int, ams: bool, depth: int) -> int:
    """Reads `{word}` of any length, or any other group."""
    word = re.compile(r" ?\{[A-Za-z0-9 \-]{1,40}\}").match(code, position)
    return word.end() if word else _braced(code, position, ams, depth)


def _argument(code: str, position: int, ams: bool, depth: int) -> int:
    if position >= len(code):
        raise _Unsafe
    if code[position] == "{":
        return _braced(code, position, ams, depth)
    match = _TOKEN.match(code, position)
    if not match or match[2] or match[3] or (match[5] and match[5] in " '"):
        raise _Unsafe
    if match[4]:
        return position + 1
    return _symbol(code, match, ams, depth)


def _braced(code: str, position: int, ams: bool, depth: int) -> int:
    if code[position : position + 1] != "{":
        raise _Unsafe
    end = _group(code, position + 1, ams, depth + 1)
    if code[end : end + 1] != "}":
        raise _Unsafe
    return end + 1
