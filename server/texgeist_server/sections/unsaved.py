"""Documents that an editor shows and that are on no disk: they have a path all the same."""

from __future__ import annotations

from pathlib import Path

UNSAVED = Path("/untitled")


def is_unsaved(path: Path) -> bool:
    """Whether this is the path of such a document."""
    return path.parent == UNSAVED
