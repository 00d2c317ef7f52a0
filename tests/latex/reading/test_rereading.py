"""A bibliography that somebody types in is what it would be if it were read anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.bib.embedded import reread
from texgeist_latex.bib.parser import read_bib

PATH = Path("/x.bib")
ENTRY = "@article{{k{0},\n  author = {{A. B{0}}},\n  title = {{Title {0}}},\n  year = 20{0:02}\n}}\n\n"
TEXT = "Some words.\n" + "".join(ENTRY.format(i) for i in range(12)) + '@misc{last, note = "x"}\n'
PARTS = [*'x{},@\n"%', "", "@misc{new, title={N}}\n", '@string{a = "b"}\n', "crossref = {k1},"]


COMMENTED = TEXT.replace("  year = 2003", "  % said in spring\n  year = 2003").replace("2008", "2008 % or so")


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from([TEXT, COMMENTED]), st.integers(0, len(TEXT)), st.integers(0, 60), st.sampled_from(PARTS)
)
def test_as_if_read_anew(old: str, start: int, length: int, part: str) -> None:
    new = old[:start] + part + old[start + length :]
    found = reread(read_bib(PATH, old), old, new)
    if found is not None:
        assert found == read_bib(PATH, new)


@pytest.mark.parametrize("place", ["Title 6", "@article{k3", "year = 2011", "Some"])
def test_typing_inside_an_entry_needs_no_full_reading(place: str) -> None:
    at = COMMENTED.index(place) + len(place)
    new = COMMENTED[:at] + "y" + COMMENTED[at:]
    found = reread(read_bib(PATH, COMMENTED), COMMENTED, new)
    assert found is not None and found == read_bib(PATH, new)


def test_a_change_behind_a_broken_entry_changes_what_its_message_shows() -> None:
    old = ENTRY.format(1) + "@misc{d, tit@misc{e, title={E}}le={D}}words" + ENTRY.format(2)
    new = old.replace("}}words", "{words")
    assert reread(read_bib(PATH, old), old, new) in (None, read_bib(PATH, new))
