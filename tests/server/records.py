"""Provenance for tests, from what a file would hold."""

from __future__ import annotations

from typing import Any

from texgeist_server.sections.provenance_model import NOTHING, Provenance


def provenance_with(base: Provenance = NOTHING, **parts: Any) -> Provenance:
    """`base` with these parts in place of its own."""
    return Provenance.model_validate({**base.model_dump(exclude_unset=True), **parts})
