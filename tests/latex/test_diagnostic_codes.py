"""Every code that the product uses is declared, and every declared code is used."""

from __future__ import annotations

import re
from pathlib import Path

from texgeist_latex.diagnostic_codes import CODES, ENTRY_CHECKS, is_off

from ..conftest import ROOT

_USED = re.compile(r'(?:Problem|Finding|Remark)\(\s*"([a-z-]+)"')


def _sources() -> list[Path]:
    return [path for room in ("latex", "server") for path in (ROOT / room).rglob("*.py")]


def test_every_code_that_is_used_is_declared_and_no_other() -> None:
    texts = {path: path.read_text("utf-8") for path in _sources()}
    used = {code for text in texts.values() for code in _USED.findall(text)}
    assert used <= set(CODES) and len(used) > 25
    others = "\n".join(text for path, text in texts.items() if path.name != "diagnostic_codes.py")
    assert [code for code in CODES if f'"{code}"' not in others] == []


def test_a_group_turns_off_its_codes_alone() -> None:
    assert is_off("doi-year", [ENTRY_CHECKS]) and is_off("same-paper", ["same-paper"])
    assert not is_off("undefined-citation", [ENTRY_CHECKS, "same-paper"])
