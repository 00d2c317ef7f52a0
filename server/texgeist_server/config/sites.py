"""Addresses of the public registries, and the pause between two requests to arXiv (which asks for 3 seconds). Tests
name other addresses by environment variables."""

from __future__ import annotations

import os


def arxiv_address() -> str:
    return os.environ.get("TEXGEIST_ARXIV_ADDRESS") or "https://export.arxiv.org"


def crossref_address() -> str:
    return os.environ.get("TEXGEIST_CROSSREF_ADDRESS") or "https://api.crossref.org"


def openalex_address() -> str:
    return os.environ.get("TEXGEIST_OPENALEX_ADDRESS") or "https://api.openalex.org"


def arxiv_pause() -> float:
    """Seconds."""
    return float(os.environ.get("TEXGEIST_ARXIV_PAUSE") or 3.0)
