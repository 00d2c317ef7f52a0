"""A source shared out among machines: nothing twice and nothing forgotten."""

from __future__ import annotations

import pytest
from texgeist_retrieval.errors import NoSource
from texgeist_retrieval.sources.records import Record, UnreadableRecord
from texgeist_retrieval.sources.shards import Shard, Sharded
from texgeist_retrieval.types import Paper


class Listed(list):  # type: ignore[type-arg]
    position, size = 0, None


@pytest.mark.parametrize("of", [1, 2, 3, 16])
def test_every_record_belongs_to_one_shard(of: int) -> None:
    records = Listed([Record(Paper(f"2101.{n:05}", f"Paper {n}")) for n in range(400)])
    parts = [list(Sharded(records, Shard(number, of))) for number in range(1, of + 1)]
    assert sorted(r.paper.id for part in parts for r in part if isinstance(r, Record)) == [
        r.paper.id for r in records
    ]
    assert max(map(len, parts)) <= 2 * 400 / of


def test_what_is_no_record_is_told_once() -> None:
    records = Listed([UnreadableRecord("line 3", "no JSON")])
    assert [len(list(Sharded(records, Shard(number, 3)))) for number in (1, 2, 3)] == [1, 0, 0]


@pytest.mark.parametrize("text", ["", "0/3", "4/3", "1/0", "a/b", "1/5000", "-1/3", "1/3/5", "99999/1"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(NoSource, match="is no shard"):
        Shard.read(text)
