"""Drawn worlds of the fuzzers in benchmarks/latex, on every run."""

from __future__ import annotations

from pathlib import Path

from benchmarks.latex import fuzz, fuzz_files, fuzz_keys, fuzz_paths


def test_drawn_projects_write_nothing_outside_and_read_no_secret() -> None:
    tally = fuzz.run(fuzz_paths.attack, 150, 3)
    assert tally.failures == []
    assert tally.counts["written"] > 40 and tally.counts["refused"] > 40


def test_drawn_keys_are_renamed_everywhere_or_nowhere_and_lead_to_no_strangers_file() -> None:
    tally = fuzz.run(fuzz_keys.attack, 300, 11)
    assert tally.failures == []
    counts = tally.counts
    assert counts["renamed"] > 60 and counts["followed"] > 1500 and counts["opened"] > 5
    assert counts["refused"] > 60


def test_mutated_files_of_real_projects_are_read(shared_data: Path) -> None:
    tally = fuzz.run(fuzz_files.attack, 100, 1)
    assert tally.failures == [] and tally.counts["plans"] > 3
