"""What travels between the server and its worker, and what stays behind."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Passage,
    Query,
    QueryPart,
    Result,
    Section,
    Selected,
    Sentence,
    Usage,
)

PAPER = Paper(
    "2401.00001", "Ein Titel – naïve", "Abstract.", ("Ann Smith", "Müller, Bob"), 2024, files=("a.pdf",)
)
QUERY = Query(
    "draft", (QueryPart("one", "abstract"), QueryPart("two", "main.tex:3")), cited_ids=frozenset({"b", "a"})
)


def a_result() -> Result:
    vector = np.ones(4, dtype=np.float32)
    candidate = Candidate(PAPER, float(np.float32(0.5)), 1, scores={"words": 1.5}, vector=vector)
    evidence = Evidence("1", Passage(PAPER.id, 3, "A page.", vector), 0.25, summary="It says so.")
    section = Section("Related Work", ((Sentence("So.", ("1",), True, "Later,"),),))
    return Result(
        QUERY, section, (Selected(candidate, (evidence,), 0.5),), (replace(candidate, left_out="far"),),
        candidates=(candidate,), found=1, notes=("A note.",), usage=Usage(2, 30, 4),
    )  # fmt: skip


def test_all_but_vectors_and_candidates_travels() -> None:
    made = a_result()
    there = from_plain(Result, json.loads(json.dumps(to_plain(made))))
    assert there.candidates == () and there.found == 1
    assert there.selected[0].candidate.vector is None and there.selected[0].evidence[0].passage.vector is None
    assert (there.query, there.section, there.selected, there.left_out) == (
        made.query, made.section, made.selected, made.left_out,
    )  # fmt: skip
    assert (there.notes, there.usage) == (made.notes, made.usage)
    assert isinstance(there.query.cited_ids, frozenset) and isinstance(there.selected[0], Selected)


def test_equal_values_give_equal_text() -> None:
    assert json.dumps(to_plain(QUERY)) == json.dumps(to_plain(from_plain(Query, to_plain(QUERY))))
    assert to_plain(QUERY)["cited_ids"] == ["a", "b"]


def test_the_values_need_no_numpy() -> None:
    """The language server speaks of them and starts in half a second."""
    code = "import sys, texgeist_retrieval.codec, texgeist_retrieval.types; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
