"""What a dry run shows: `{text, summary, sends, estimate}`, the exact text that would leave this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..adapters import writer_name

if TYPE_CHECKING:
    from texgeist_retrieval.costs import Estimate

    from ..config.credentials import Keys
    from ..config.settings import Settings

NO_KEY = "a dry run has none"


def writer_without_key(settings: Settings, keys: Keys, option: str) -> tuple[str, Keys]:
    """The writer's provider, and keys with which it can be made: a dry run needs none of its own."""
    name, _ = writer_name(settings, keys, option)
    lacks = name != "extractive" and not keys.of(name)
    return name, keys.having(name, NO_KEY) if lacks else keys


def shown(text: str, summary: str, *, sends: bool = True, estimate: Estimate | None = None) -> dict[str, Any]:
    return {
        "text": text,
        "summary": summary,
        "sends": sends,
        "estimate": asdict(estimate) if estimate else {},
    }


def nothing_sent() -> dict[str, Any]:
    return shown("", "Search and writer are on this machine.", sends=False)
