"""Provenance files as a stranger's project may bring them: a real one, changed at random.

`python -m tests.server.provenance_fuzzer 100000` runs as many and prints the counts."""

from __future__ import annotations

import copy
import json
import random
import re
import sys
from collections import Counter
from typing import Any

from texgeist_server.lsp.features.lens import age
from texgeist_server.lsp.hover_text import MOST_LINES, unmarked, why
from texgeist_server.sections.provenance_model import checked

REMOTE = "![x](http://evil.example/x.png)"
HOSTILE: tuple[Any, ...] = (
    REMOTE, f"3) {REMOTE}", "\n\n# heading\n" + REMOTE, "<img src=http://evil.example/x>", "](http://evil.example)",
    "`", "\\", "\\](http://evil.example)", "\x1b[31m", "\u202e", "\x00", "\ud800", "", " ", "a" * 300_000, "9" * 6000,
    None, True, False, 0, -1, 3, 10**400, 1e308, float("nan"), float("inf"), -float("inf"), [], {}, [[]], [None], {"": ""},
    [REMOTE], {"page": REMOTE}, {"similarity": "much"}, [{"page": {}, "similarity": []}], {REMOTE: 1.0}, "2026-13-77",
    ["x"] * 5000,
)  # fmt: skip
REAL: dict[str, Any] = {
    "version": 1,
    "citations": {
        "key": {
            "paper": {"id": "1", "title": "T", "authors": ["A", "B"], "year": 2020, "venue": "V",
                      "arxiv": "2101.00001", "doi": "10.1/x", "url": ""},
            "why": "because", "summary": "s", "evidence": [{"page": 3, "similarity": 0.5, "summary": "", "text": "passage"}],
            "date": "2026-01-02", "writer": "w", "index": "i", "model": "m", "section": "rw",
        }
    },
    "sections": {
        "rw": {"query": "abstract", "papers": 1, "date": "2026-01-02", "gone": ["g"]}
    },
}  # fmt: skip
# a picture, or a link to anywhere but a paper's page, that no backslash makes plain text
_LIVE = re.compile(r"(?<!\\)(?:\\\\)*(?:!\[|\]\((?!https://(?:arxiv|doi)\.org/)|<)")


def changed(chance: random.Random) -> dict[str, Any]:
    """The real file with one to five values put in, renamed or taken out, anywhere."""
    whole = copy.deepcopy(REAL)
    for _ in range(chance.randint(1, 5)):
        holder, place = chance.choice(list(_places(whole)))
        if isinstance(holder, dict) and chance.random() < 0.1:
            del holder[place]
        elif isinstance(holder, dict) and chance.random() < 0.1:
            holder[str(chance.choice(HOSTILE))[:1000]] = holder.pop(place)
        else:
            holder[place] = copy.deepcopy(chance.choice(HOSTILE))
    return whole


def _places(value: Any) -> Any:
    """Every (holder, key or index) in the value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for place, inner in list(pairs)[:50]:
        yield value, place
        yield from _places(inner)


def harm_of(data: bytes) -> str:
    """What a file does to hover, lens and the next write: "" for nothing."""
    record = checked(data)
    if record is None:
        return ""
    for key, citation in record.citations.items():
        shown = why(citation)
        unmarked(shown)
        if _LIVE.search(shown):
            return f"live Markdown: {shown[:200]!r} for {key[:50]!r}"
        if shown.count("\n") >= MOST_LINES or len(shown) > 100_000:
            return "too long"
        shown.encode()
    for section in record.sections.values():
        age(section)
    held = json.dumps(record.model_dump(exclude_unset=True), ensure_ascii=False).encode()
    return "" if checked(held) == record else "not the same when read again"


def run(count: int, seed: int = 0) -> Counter[str]:
    chance, found = random.Random(seed), Counter[str]()
    for _ in range(count):
        data = json.dumps(changed(chance)).encode()
        found["files"] += 1
        found["read"] += checked(data) is not None
        try:
            harm = harm_of(data)
        except Exception as error:
            harm = f"traceback: {type(error).__name__}: {error}"
        if harm:
            found[harm] += 1
    return found


if __name__ == "__main__":
    print(dict(run(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)))
