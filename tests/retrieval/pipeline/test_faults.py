"""Faults that a pipeline of this kind is known to have, and that cannot happen here.

Most stand beside the step that they belong to: text credited to another paper, the last paper repeated
and citations kept by a name (`test_related_work`), the minimum in place of the maximum
(`test_selection`); the rule of one request in three seconds, waits without an end, a PDF in the working
folder, old-style ids (`sources/test_arxiv`); a corrupt PDF, a page with many brackets
(`sources/test_body`). Here are those that need the whole line.
"""

from __future__ import annotations

import numpy as np
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.pipeline.candidates import aggregate
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Paper, Query, QueryPart

from .conftest import Recorder, World

TEXTS = ["red fish swim in water", "blue birds fly over land", "green trees grow on hills"]
PARTS = tuple(QueryPart(text, f"draft.tex:{n}") for n, text in enumerate(TEXTS, start=1))


def test_scores_of_many_pages_stay_on_the_scale_of_one() -> None:
    # summed, forty pages would weigh a hundred times more than diversity's part of Equation 1
    table = np.full((40, 3), 0.6, dtype=np.float32)
    assert aggregate(table).tolist() == np.array([0.6, 0.6, 0.6], np.float32).tolist()
    mixed = np.array([[0.9, 0.2], [0.1, 0.2]], dtype=np.float32)
    assert aggregate(mixed).tolist() == np.array([0.5, 0.2], np.float32).tolist()
    three = np.array([[0.9, 0.2], [0.1, 0.2], [0.5, 0.8]], dtype=np.float32)
    assert np.allclose(aggregate(three), [0.7, 0.5])  # without an abstract: the best two
    assert np.allclose(aggregate(three, anchor=1), [0.5, 0.5])  # the abstract and the closest page
    assert np.allclose(aggregate(three[:1], anchor=0), three[0])


def test_every_page_of_the_draft_counts_when_pages_are_chosen() -> None:
    # the paper's second page answers the draft's third part; by part one alone, page 1 would be chosen
    paper = Paper("2401.00001", "Trees", "green trees grow and red fish swim")
    pages = {paper.id: ["red fish and other animals of many kinds", PARTS[2].text]}
    query = Query("draft", PARTS, abstract="nature")
    result = related_work(query, World([paper], pages).services(), Options(breadth=1, depth=1), Recorder())
    assert [e.passage.page for e in result.selected[0].evidence] == [None, 2]
