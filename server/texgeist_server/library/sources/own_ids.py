"""Ids of papers that are files of the user's own."""

from __future__ import annotations

import hashlib
from pathlib import Path


def id_of(path: Path) -> str:
    """Of a text that names no id: its place on this machine, so that what changes in it replaces what was there."""
    return f"file:{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
