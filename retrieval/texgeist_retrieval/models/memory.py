"""Caches a model's answers, so that a cancelled run on a draft can be repeated without paying twice for the
same answers. Used only for gathering evidence, since rewriting should give a new text."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..cache_file import Cache
from ..codec import from_plain, to_plain
from ..conversation import Said, Tool, ToolCall, Turn
from ..ports import Monitor, ToolModel
from ..types import Usage

MOST = 2_000  # cached answers


class RememberingModel:
    """A `ToolModel` that caches answers in a file, by a hash of the request; requests are not stored. If the
    file cannot be read or written, every request is sent. `address`: the server's address if the user set it;
    it is part of the hash, because a model of the same name may differ on another server. Answers that fail
    their check are not cached."""

    def __init__(self, model: ToolModel, path: Path, most: int = MOST, address: str = "") -> None:
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
        key = self._key("json", system, cached_prefix, user, schema, max_tokens)
        if (known := self._get(key)) is not None:
            return known["answer"], Usage()
        answer, usage = self._model.complete_json(
            system, user, schema, max_tokens=max_tokens, monitor=monitor, cached_prefix=cached_prefix
        )
        self._put(key, {"answer": answer})
        return answer, usage

    def complete_with_tools(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """A cached answer costs no tokens."""
        sent = [to_plain(turn) for turn in turns], [to_plain(tool) for tool in tools]
        key = self._key("tools", system, *sent, max_tokens)
        if (known := self._get(key)) is not None:
            calls = tuple(from_plain(ToolCall, call) for call in known["calls"])
            return Said(known["text"], calls, known["raw"]), Usage()
        said, usage = self._model.complete_with_tools(
            system, turns, tools, max_tokens=max_tokens, monitor=monitor
        )
        names = {tool.name for tool in tools}
        if said.calls and not any(call.broken or call.name not in names for call in said.calls):
            self._put(key, to_plain(said))
        return said, usage

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
