"""What speaks for and against a statement, with the adapters that the settings ask for. Runs in the worker process,
or in a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..adapters import build_model, writer_name
from ..passage_library import build_evidence_search

if TYPE_CHECKING:
    from texgeist_retrieval.pipeline.sides import Sides
    from texgeist_retrieval.ports import Monitor

    from ..config.credentials import Keys
    from ..config.settings import Settings


def both_sides(
    statement: str,
    settings: Settings,
    keys: Keys,
    monitor: Monitor,
    index: str | None = None,
    writer: str = "auto",
    most: int | None = None,
) -> Sides:
    """Raises the `SearchError`s, `WriterDenied`, `Cancelled`."""
    from texgeist_retrieval.pipeline.sides import MOST, for_and_against

    model = build_model(settings, keys, writer_name(settings, keys, writer)[0])
    search = build_evidence_search(settings, keys, monitor, index=index)
    return for_and_against(statement, search, monitor, model, most=most or MOST)
