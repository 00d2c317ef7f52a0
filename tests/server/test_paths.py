"""Drawn worlds of the fuzzers in benchmarks/latex, on every run."""

from __future__ import annotations

from benchmarks.latex import fuzz_keys, fuzz_paths


def test_drawn_projects_write_nothing_outside_and_read_no_secret() -> None:
    tally = fuzz_paths.fuzz(150, 3)
    assert tally.rounds == 150 and tally.written > 40 and sum(tally.refused.values()) > 40
    assert tally.outside_writes == tally.secrets_read == tally.crashes == []


def test_drawn_keys_are_renamed_everywhere_or_nowhere_and_lead_to_no_strangers_file() -> None:
    tally = fuzz_keys.fuzz(1000, 11)
    assert tally.rounds == 1000 and tally.renamed > 200 and tally.followed > 5000 and tally.opened > 20
    assert sum(tally.refused.values()) > 200
    assert tally.failures == []
