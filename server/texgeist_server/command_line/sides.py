"""`texgeist evidence "STATEMENT" --for-and-against`: which passages support it, and which contradict it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..review.sides_page import HEADINGS
from .common import load_settings, messages, plainly, print_json, working
from .section_evidence import plain, where
from .speaking import echo

if TYPE_CHECKING:
    from texgeist_retrieval.types import JudgedPassage, Sides

_LONGEST = 300  # characters of a passage on the terminal


def weigh_both(statement: str, writer: str, index: str | None, as_json: bool, top: int | None) -> None:
    from ..adapters import setup_of
    from ..config.credentials import keys_from_environment
    from ..sections.requests import MOST_JUDGED, StatementRequest
    from ..sections.runs import both_sides

    with plainly(), working("Searching") as monitor:
        setup = setup_of(load_settings(), keys_from_environment(), index, writer)
        sides = both_sides(StatementRequest(statement, top or MOST_JUDGED), setup, monitor)
    if as_json:
        print_json(sides_json(sides))
    else:
        show(sides)


def sides_json(sides: Sides) -> dict[str, Any]:
    titles = {paper.id: paper.title for paper in sides.papers}
    return {
        "statement": sides.statement,
        "evidence": [
            {
                **plain(one.evidence, titles.get(one.evidence.passage.paper_id, "")),
                "id": one.evidence.id,
                "side": one.side,
                "sureness": one.support.score,
                "missing": one.support.missing,
            }
            for one in sides.found
        ],
        "queries": list(sides.queries),
        "notes": list(sides.notes),
    }


def show(sides: Sides) -> None:
    titles = {paper.id: paper.title for paper in sides.papers}
    for side, heading in HEADINGS.items():
        if found := sides.of(side):
            echo(f"{heading}:")
            for one in found:
                echo(_line(one, titles))
            echo("")
    for note in sides.notes:
        messages().print(note, style="yellow", markup=False)


def _line(one: JudgedPassage, titles: dict[str, str]) -> str:
    passage = one.evidence.passage
    sure = f"; sure {one.support.score:.1f}" if one.support.score else ""
    missing = f"\n      Missing: {one.support.missing}." if one.support.missing else ""
    said = " ".join(passage.text.split())[:_LONGEST]
    return f"  [{one.evidence.id}] {where(passage, titles)}{sure}{missing}\n      {said}"
