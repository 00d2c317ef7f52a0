"""What a judge said of a sentence and its passages, kept by their hash: a save asks, and pays, for what is new."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from texgeist_retrieval.cache_file import Cache
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import Support


class JudgedBefore:
    """Judgements by claim and text."""

    def __init__(self, path: Path, judge: str) -> None:
        self._cache = Cache(path)
        self._judge = judge

    def get(self, claim: str, text: str) -> Support | None:
        """None for what was not judged yet."""
        for kept in self._cache.get([self._name(claim, text)]).values():
            with contextlib.suppress(ValueError, TypeError):
                return from_plain(Support, json.loads(kept.value))
        return None

    def put(self, claim: str, text: str, said: Support) -> None:
        self._cache.put({self._name(claim, text): json.dumps(to_plain(said))})

    def _name(self, claim: str, text: str) -> str:
        return hashlib.sha256(json.dumps([self._judge, claim, text]).encode()).hexdigest()
