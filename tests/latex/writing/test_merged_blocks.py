"""What a block cites that was merged with an author's edits."""

from __future__ import annotations

import pytest
from texgeist_latex.writing.blocks import cited_in


@pytest.mark.parametrize(
    "block, keys",
    [
        ("Things \\cite{a}.\n% \\citet{b} show things.\n", {"a", "b"}),
        ("% \\iffalse\nA real one \\cite{a}.\n% \\fi\n", {"a"}),
        ("% \\begin{comment}\nA real one \\cite{a}.\n% and \\cite{b}\n", {"a", "b"}),
        ("\\iffalse\nOld \\cite{a}.\n\\fi\nNew \\cite{b}.\n", {"b"}),
        ("Nothing.\n", set()),
    ],
)
def test_what_is_cited_in_text_and_notes(block: str, keys: set[str]) -> None:
    assert cited_in(block) == keys
