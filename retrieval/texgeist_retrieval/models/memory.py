"""Caches a model's answers, so that a cancelled run on a draft can be repeated without paying twice for the
same answers. Used only for gathering evidence, since rewriting should give a new text."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..cache_file import Cache
from ..ports import LanguageModel, Monitor
from ..types import Usage

MOST = 2_000  # cached answers


class RememberingModel:
    """A `LanguageModel` that caches answers in a file, by a hash of the request; requests are not stored. If the
    file cannot be read or written, every request is sent. `address`: the server's address if the user set it;
    it is part of the hash, because a model of the same name may differ on another server. Answers that fail
    their check are not cached."""

    def __init__(self, model: LanguageModel, path: Path, most: int = MOST, address: str = "") -> None:
        self._model = model
        self._address = address
        self._cache = Cache(path, most)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def local(self) -> bool:
        return self._model.local

    def prepare(self) -> None:
        self._model.prepare()

    def complete_json(
        self, system: str, user: str, schema: Mapping[str, Any], *,
        max_tokens: int, monitor: Monitor, cached_prefix: str = "",
    ) -> tuple[Any, Usage]:  # fmt: skip
        """A cached answer costs no tokens."""
        key = self._key(system, cached_prefix, user, schema, max_tokens)
        if (known := self._get(key)) is not None:
            return known["answer"], Usage()
        answer, usage = self._model.complete_json(
            system, user, schema, max_tokens=max_tokens, monitor=monitor, cached_prefix=cached_prefix
        )
        self._put(key, {"answer": answer})
        return answer, usage

    def reject(self, answer: Any) -> None:
        """Removes a JSON answer that failed its check from the cache."""
        with contextlib.suppress(ValueError):
            self._cache.remove(json.dumps({"answer": answer}))

    def _key(self, *sent: Any) -> str:
        text = json.dumps([self.name, self._address, *sent], sort_keys=True, default=dict)
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()

    def _get(self, key: str) -> Any:
        kept = self._cache.get([key]).get(key)
        try:
            return json.loads(kept.value) if kept else None
        except ValueError:
            return None

    def _put(self, key: str, answer: Any) -> None:
        with contextlib.suppress(ValueError):
            self._cache.put({key: json.dumps(answer)})
