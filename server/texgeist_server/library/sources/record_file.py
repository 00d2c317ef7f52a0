"""JSON lines, as arXiv's snapshot and many exports have them."""

from __future__ import annotations

from texgeist_retrieval.harvest.records import RecordFile

from .asked import Asked

SUFFIXES = (".jsonl", ".json", ".ndjson", ".gz", ".zip")


def open_records(asked: Asked) -> RecordFile:
    return RecordFile(asked.path, tidy, asked.attached)


def tidy(text: str) -> str:
    """TeX accents of names and titles as letters (`Schr\\"odinger`), as arXiv's metadata has them."""
    if "\\" not in text and "{" not in text:
        return text
    from texgeist_latex.tex.accents import read_accents

    return read_accents(text)
