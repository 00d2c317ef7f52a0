"""A paragraph that is one word: all of it is kept, in time proportional to its length."""

from __future__ import annotations

import time

import pytest
from texgeist_retrieval.sources.admission import admitted_sections


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["ä" * 200_000, "one two " + "x" * 100_000 + " three", "two words"])
def test_nothing_is_lost_of_a_text_without_blanks(text: str) -> None:
    begun = time.process_time()
    (section,) = admitted_sections([{"heading": "A", "text": text}])
    assert "".join(block.text for block in section.blocks).replace(" ", "") == text.replace(" ", "")
    assert time.process_time() - begun < 2
