"""Hostile provenance files: read as the types that texgeist writes, or left out; hover never fails."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from texgeist_latex.errors import Unreadable
from texgeist_server.sections import provenance
from texgeist_server.sections.provenance_model import MOST_BYTES, CitationRecord, checked, decoded, encoded

from .provenance_fuzzer import REAL, run

REMOTE = "3) ![x](http://evil.example/x.png)"


def test_what_texgeist_writes_is_read_as_it_is() -> None:
    read = checked(json.dumps(REAL).encode())
    assert read is not None and read.model_dump(exclude_unset=True) == REAL


def test_a_line_that_nobody_changed_stays_the_same() -> None:
    """The file is shared by git: a number that comes back in another form would change every line."""
    line = '"s": {"date": "2026-01-01", "evidence": [{"similarity": 1}, {"similarity": 0.5}]}'
    held = b'{"version": 2, "citations": {' + line.encode() + b"}}"
    assert line in encoded(decoded(held)).decode()


def test_thousands_of_files_changed_at_random_do_no_harm() -> None:
    found = run(1_000)
    assert found.keys() == {"files", "read"} and found["read"] > 600


@pytest.mark.parametrize(
    "part",
    [{"version": 3.0}, {"version": "3"}, {"version": True}, {"version": None}, {"version": -1},
     {"sections": [1]}, {"citations": [1]}],
)  # fmt: skip
def test_a_part_of_a_wrong_type_is_refused_before_a_write_could_lose_it(part: dict[str, Any]) -> None:
    data = json.dumps({**REAL, **part}).encode()
    for _ in range(2):  # what cannot be read is remembered as that
        with pytest.raises(Unreadable, match="Nothing was changed") as refused:
            decoded(data)
        assert refused.value.help


def test_commas_are_put_right_in_time_that_grows_with_the_file() -> None:
    def seconds(blank: bytes) -> float:
        begun = process_time()
        with pytest.raises(Unreadable):
            decoded(blank)
        return process_time() - begun

    for size in (20_000, 500_000):  # the small one first: it fails before the large one takes an hour
        for shape in (b'{"citations": {},%s]', b'{"citations": {}%s]', b'{"a": {"b": 1}%s,%s,'):
            half, whole = (shape.replace(b"%s", b"\n" * many) for many in (size, 2 * size))
            assert seconds(whole) < 3 * seconds(half) + 0.3, shape


@pytest.mark.parametrize("end", [b",\n}", b",\r\n  }", b", \n\n\t}", b"\n}", b"}"])
def test_a_comma_too_many_before_a_line_end_is_left_out(end: bytes) -> None:
    assert decoded(b'{"citations": {"a": {}' + end + b"}").citations == {"a": CitationRecord()}


@pytest.mark.parametrize(
    "data",
    [b"[" * 100_000, b'{"citations":' * 50_000, b"", b"\xff", b"null", b"[]", b"{}", b'{"citations": []}', b"9" * 5000,
     b'{"citations": {' + b" " * MOST_BYTES + b"}}"],
)  # fmt: skip
def test_what_is_no_provenance_is_read_as_none(data: bytes, tmp_path: Path) -> None:
    assert checked(data) is None
    file = provenance.file_of(tmp_path / "main.tex")
    file.parent.mkdir()
    file.write_bytes(data)
    assert provenance.read(tmp_path / "main.tex").citations == {}


def test_text_of_a_newer_version_is_kept_and_odder_values_are_not() -> None:
    record = json.loads(json.dumps(REAL))
    record["sections"]["rw"] |= {"written": "as it stood\n", "odd": {"a": 1}, "half": "\ud800"}
    read = checked(json.dumps(record).encode())
    assert read is not None and read.sections["rw"].model_dump()["written"] == "as it stood\n"
    assert not {"odd", "half"} & read.sections["rw"].model_dump().keys()
