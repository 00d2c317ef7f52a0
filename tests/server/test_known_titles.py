"""Fingerprints of titles: what `texgeist index titles` writes and `texgeist verify --titles` says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from texgeist_latex.errors import Unreadable
from texgeist_retrieval.monitor import Silent
from texgeist_server.bibliography_checks.checking import check, read_file
from texgeist_server.bibliography_checks.known_records import open_titles, write_titles

from ..local_index import called

DUMPS = {
    "a.jsonl": '{"title": "On\\n  Ampère\'s Law: A Study of Currents"}\n{"display_name": "Other"}\nnot json\n[1]\n',
    "b.json": '{"title": ["On Ampère\'s Law: A Study of Currents"]},\n',
    "c.xml": "<article><title>On <i>Amp&egrave;re's</i> Law: A Study of Currents.</title></article>\n",
    "e.txt": "On Ampère's Law: A Study of Currents\n\n---\n",
}


@pytest.mark.parametrize("name", DUMPS)
@pytest.mark.parametrize("packed", [False, True])
def test_titles_are_known_in_any_spelling(tmp_path: Path, name: str, packed: bool) -> None:
    source = tmp_path / (f"{name}.gz" if packed else name)
    source.write_bytes(gzip.compress(DUMPS[name].encode()) if packed else DUMPS[name].encode())
    write_titles(source, tmp_path / "t.npy", Silent())
    titles = open_titles(tmp_path / "t.npy")
    for written in (
        "ON AMPERE’S LAW — a study of currents",
        "On Amp\\`ere's {Law}",
        "On Ampère's Law: A Study of Currents",
    ):
        assert titles.knows(written), written
    assert not titles.knows("On Ampère's Law: Another Study") and not titles.knows("***")


def test_verify_says_known_or_not_and_changes_no_verdict(tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "all.jsonl").write_text(json.dumps({"title": "A Known Title"}))
    made = called(["index", "titles", str(tmp_path / "all.jsonl"), "--out", str(tmp_path / "all.titles.npy")])
    assert made.exit_code == 0, made.stderr
    (tmp_path / "a.bib").write_text(
        "@article{a, title={A known title}, author={A. B.}, year=2000}@article{b, title={Another}, year=2000}"
    )
    read = read_file(tmp_path / "a.bib")
    before, after = check(read, [], 2026), check(read, [], 2026, open_titles(tmp_path / "all.titles.npy"))
    assert [e.verdict for e in before.entries] == [e.verdict for e in after.entries] == ["unknown", "unknown"]
    assert [e.findings[-1].code for e in after.entries] == ["title-known", "title-unknown"]
    assert before.exit_code == after.exit_code
    assert (
        "A work of this title is known"
        in called(["verify", str(tmp_path / "a.bib"), "--titles", str(tmp_path / "all.titles.npy")]).stdout
    )


@pytest.mark.parametrize(
    "data",
    [b"", b"x" * 99, b"\x93NUMPY\x01\x00", b"PK\x03\x04zip", b"\x93NUMPY\x01\x00v\x00" + b"{" * 118],
)
def test_a_damaged_file_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.npy").write_bytes(data)
    with pytest.raises(Unreadable):
        open_titles(tmp_path / "a.npy")
    (tmp_path / "empty.txt").write_text("\n---\n")
    with pytest.raises(Unreadable):
        write_titles(tmp_path / "empty.txt", tmp_path / "b.npy", Silent())
