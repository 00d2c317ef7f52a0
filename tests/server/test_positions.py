"""Offsets and positions agree, whatever stands before the cursor."""

from __future__ import annotations

import time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range, TextDocumentContentChangePartial
from texgeist_server.lsp.connection.documents import Documents, Lines, Units, edited

TEXTS = st.text(alphabet=st.sampled_from("ab \n\r\f\u2028\x85é𝒳😀\u0301\\{}"), max_size=40)
UNITS = st.sampled_from(get_args(Units))


@given(TEXTS, UNITS, st.data())
def test_an_offset_comes_back(text: str, units: Units, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    lines = Lines(text, units)
    back = lines.offset(lines.position(offset))
    inside_crlf = text[offset - 1 : offset + 1] == "\r\n"
    assert back == (offset - 1 if inside_crlf else offset)


@given(TEXTS, UNITS)
def test_lines_are_those_of_lsp(text: str, units: Units) -> None:
    last = Lines(text, units).position(len(text))
    assert last.line == text.replace("\r\n", "\n").replace("\r", "\n").count("\n")


@pytest.mark.parametrize(("units", "character"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_an_astral_character_before_the_cursor(units: Units, character: int) -> None:
    lines = Lines("x\n𝒳a|", units)
    assert lines.position(4) == Position(1, character)
    assert lines.offset(Position(1, character)) == 4


def test_half_a_character_is_none_of_it() -> None:
    assert Lines("😀b", "utf-16").offset(Position(0, 1)) == 0


def test_past_the_end_is_the_end() -> None:
    lines = Lines("ab\ncd", "utf-16")
    assert lines.offset(Position(0, 99)) == 2
    assert lines.offset(Position(99, 0)) == 5


def test_a_change_after_a_form_feed_lands_where_the_editor_meant() -> None:
    documents = Documents()
    documents.open("file:///p/a.tex", "one\ftwo\u2028three\nfour\n", 1)
    change = TextDocumentContentChangePartial(range=Range(Position(1, 0), Position(1, 4)), text="FOUR")
    assert documents.change("file:///p/a.tex", 2, [change]).text == "one\ftwo\u2028three\nFOUR\n"


PLACES = st.builds(Position, st.integers(0, 6), st.integers(0, 12))
EDITS = st.lists(st.tuples(st.builds(Range, PLACES, PLACES), TEXTS), max_size=5)


@given(TEXTS, EDITS, UNITS)
def test_many_edits_are_one_after_the_other(text: str, edits: list[tuple[Range, str]], units: Units) -> None:
    wanted = text
    for range_, new in edits:
        start, end = Lines(wanted, units).offsets(range_)
        wanted = wanted[:start] + new + wanted[end:]
    assert edited(text, edits, units) == wanted


def test_twenty_thousand_edits_at_once_do_not_block() -> None:
    """A line index for each of them took 18 seconds."""
    here = Position(10_000, 3)
    edits = [(Range(here, here), "é" if n % 2 else "\n") for n in range(20_000)]
    started = time.process_time()
    edited("Words of a line.\n" * 20_000, edits, "utf-16")
    assert time.process_time() - started < 4
