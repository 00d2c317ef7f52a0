"""Records that mean harm, or are merely broken: every field of every type, in sizes that nobody expects."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

Chance = random.Random
WORDS = ("dense", "retrieval", "of", "passages", "drafts", "citations", "étale", "量子", "галактик", "😀")
NAMES = (
    "id", "title", "abstract", "authors", "authors_parsed", "year", "published", "updated", "version",
    "versions", "update_date", "primary", "categories", "doi", "venue", "journal-ref", "url", "topic", "files",
    "comments", "withdrawn", "deleted", "hash", "embedding", "paper",
)  # fmt: skip


def _text(chance: Chance) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 12)))


def _long(chance: Chance) -> str:
    return chance.choice(["a", "é", "量", "😀", '"', "\\", "{", "\\'{", " ", "\0"]) * chance.choice(
        [65, 129, 250, 257, 513, 2_001, 20_001, 70_000]
    )


def _odd_text(chance: Chance) -> str:
    odd = [
        "\0", "\ud800", "\udfff", "\x1b[2J", "\u202e", "\u2028", "\ufeff", "\r\n", "\t", "'; drop",
        '"] or id != ["', "\\",
    ]  # fmt: skip
    return _text(chance) + chance.choice(odd) + _text(chance)  # fmt: skip


def _number(chance: Chance) -> object:
    return chance.choice(
        [
            0, -1, 5, 2020, 10**20 - 1, 2**63, -(2**63) - 1, 10**4000, 1.5, float("nan"), float("inf"),
            True, 704.1,
        ]
    )  # fmt: skip


def _nested(chance: Chance) -> object:
    value: object = _text(chance)
    for _ in range(chance.choice([1, 2, 60])):
        value = {"name": value} if chance.random() < 0.5 else [value]
    return value


def _list(chance: Chance) -> object:
    makers = [_text, _long, _odd_text, _number, _nested]
    return [chance.choice(makers)(chance) for _ in range(chance.choice([0, 1, 3, 40]))]


def _many(chance: Chance) -> object:
    return [_text(chance)] * chance.choice([101, 3_000])


MAKERS: tuple[Callable[[Chance], object], ...] = (
    _text, _long, _odd_text, _number, _nested, _list, _many, lambda _: None, lambda _: "", lambda _: {},
    lambda _: "9" * 20, lambda _: "2020-13-45", lambda _: "٢٠٢٠", lambda _: "²",
)  # fmt: skip


def record(chance: Chance, number: int) -> dict[str, object]:
    """A record of which most is as it should be: one to four of its fields are not."""
    known: dict[str, object] = {
        "id": f"24{number // 100_000 % 100:02}.{number % 100_000:05}",
        "title": _text(chance).title(),
        "abstract": f"We study {_text(chance)} in setting {number}.",
        "authors": ["Ada Lovelace", "Émile de Rüdesheim"],
        "year": 2020,
        "categories": "cs.CL cs.IR",
    }
    for name in chance.sample(NAMES, chance.randint(1, 4)):
        known[name] = chance.choice(MAKERS)(chance)
    if chance.random() < 0.05:
        known.pop(chance.choice(["id", "title", "abstract"]), None)
    return known


def lines(count: int, seed: int = 7) -> Iterator[bytes]:
    """The records as JSON lines; some lines are no JSON at all."""
    chance = random.Random(seed)
    broken = (
        b"{", b"[" * 100_000, b'{"id": "\xff\xfe"}', b"null", b'{"id": 1' + b"0" * 5_000 + b"}", b"\0\0",
    )  # fmt: skip
    for number in range(count):
        yield (
            chance.choice(broken) + b"\n"
            if chance.random() < 0.01
            else json.dumps(record(chance, number)).encode() + b"\n"
        )
