"""Measures of written sections, by hand."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from texgeist_retrieval.evaluation.overlap import (
    citation_overlap,
    sentence_overlap,
    sentences,
    skip_overlap,
    word_overlap,
)

SECTION = """Graph kernels compare graphs. Similarly, Dou et al. (2024) bound their cost, as
Richard B. Darlington had asked. Nanson (1883) was earlier. Others hand-
le them [3, 7–9], e.g. by hashing \\citep[p.~3]{hash}. Nobody has looked further.

Voting."""


class Letters:
    """An `Embedder` of texts by their letters."""

    name, dimension = "letters", 26

    def embed_query(self, text):
        return self.embed_documents([text])[0]

    def embed_documents(self, texts):
        rows = np.array([[t.lower().count(chr(97 + i)) for i in range(26)] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_libraries_leave_the_standard_streams_open():
    script = (
        "import contextlib, io, logging.config, sys\n"
        "from texgeist_retrieval.evaluation.overlap import word_overlap\n"
        "stream = io.StringIO()\n"
        "with contextlib.redirect_stderr(stream):\n"
        "    word_overlap('a text', 'a text')\n"
        "logging.config.dictConfig({'version': 1})\n"
        "sys.exit(stream.closed)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == 0


def test_sentences_end_where_they_end():
    assert sentences(SECTION) == [
        "Graph kernels compare graphs.",
        "Similarly, Dou et al. (2024) bound their cost, as Richard B. Darlington had asked.",
        "Nanson (1883) was earlier.",
        "Others handle them [3, 7–9], e.g. by hashing \\citep[p.~3]{hash}.",
        "Nobody has looked further.",
    ]


def test_the_same_text_overlaps_wholly_and_another_not_at_all():
    same = word_overlap("Graph kernels compare graphs quickly.", "Graph kernels compare graphs quickly.")
    names = ("rouge-1", "rouge-2", "rouge-l", "rouge-su4", "bleu-1", "bleu-2", "bleu")
    assert same == {name: pytest.approx(1) for name in names}
    other = word_overlap("Graph kernels compare graphs.", "Voters choose candidates.")
    assert other["rouge-1"] == 0 and other["bleu"] < 0.2


@pytest.mark.parametrize(
    "text, expected",
    [  # Lin, 2004, sections 4 and 5: of six pairs three, one, two, none; words beside them
        ("police kill the gunman", (3 + 3) / 10),
        ("the gunman kill police", (1 + 3) / 10),
        ("the gunman police killed", (2 + 4) / 10),
        ("gunman the killed police", (0 + 4) / 10),
    ],
)
def test_pairs_of_words_count_in_order_with_others_between(text, expected):
    reference = "police killed the gunman".split()
    assert skip_overlap(text.split(), reference) == pytest.approx(expected)


def test_pairs_are_at_most_four_words_apart():
    far = ["a", *(f"x{n}" for n in range(5)), "b"]
    near = ["a", *(f"y{n}" for n in range(4)), "b"]
    assert skip_overlap(near, ["a", "b"]) == pytest.approx(2 * 3 / (6 + 15 + 3))
    assert skip_overlap(far, ["a", "b"]) == pytest.approx(2 * 2 / (7 + 20 + 3))
    assert skip_overlap([], []) == 0


@pytest.mark.parametrize(
    "text, reference, words, pairs",
    [  # Papineni et al., 2002, sections 2.1 to 2.3
        # 5 of 6 words and 3 of 5 pairs; one word shorter than the reference
        ("the cat sat on the mat", "the cat is on the mat today", 5 / 6, (5 / 6 * 3 / 5) ** 0.5),
        # a word counts as often as the reference has it: 2 of 4, and 1 of 3 pairs; longer costs nothing
        ("the the the cat", "the cat", 2 / 4, (2 / 4 * 1 / 3) ** 0.5),
    ],
)
def test_bleu_of_words_and_pairs_by_hand(text, reference, words, pairs):
    brevity = math.exp(min(0, 1 - len(reference.split()) / len(text.split())))
    found = word_overlap(text, reference)
    assert found["bleu-1"] == pytest.approx(brevity * words)
    assert found["bleu-2"] == pytest.approx(brevity * pairs)


def test_sentences_are_matched_greedily_in_both_directions():
    text, reference = "Aaa aaa aaa. Bbb bbb bbb.", "Aaa aaa aaa. Ccc ccc ccc. Ddd ddd ddd."
    found = sentence_overlap(text, reference, Letters())
    assert found["bertscore-precision"] == pytest.approx(1 / 2)
    assert found["bertscore-recall"] == pytest.approx(1 / 3)
    assert found["bertscore-f1"] == pytest.approx(2 / 5)


def test_cited_titles_agree_by_letters_and_digits():
    found = citation_overlap(["Graph Kernels!", "Another one"], ["graph kernels", "Voting", "Hashing"])
    assert found == {"citation-precision": 1 / 2, "citation-recall": pytest.approx(1 / 3)}
