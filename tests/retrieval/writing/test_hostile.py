"""A few hundred hostile sentences; `benchmarks/writing` sends twenty thousand."""

from __future__ import annotations

from typing import Any

import pytest

from . import hostile


def test_no_hostile_sentence_brings_a_citation_a_command_or_a_traceback() -> None:
    tally = hostile.attack(400, seed=7)
    assert not tally.failed, (tally.foreign, tally.commands, tally.tracebacks, tally.slow)
    assert tally.sentences == 400 and tally.written > 10


def test_the_attack_notices_a_gate_that_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def raw(text: str, *_: Any, **__: Any) -> str:
        return text

    monkeypatch.setattr("texgeist_retrieval.writing.model.plain.is_latex", lambda text: False)
    monkeypatch.setattr("texgeist_retrieval.writing.model.checks._form_faults", lambda *_: [])
    monkeypatch.setattr("texgeist_latex.writing.prose.escape", raw)
    tally = hostile.attack(2000, seed=10)  # few of five hundred come as far as a document
    assert len(tally.commands) > 3 and len(tally.foreign) > 3
