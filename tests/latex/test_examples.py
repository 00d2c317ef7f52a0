"""The sample library and the sample paper: every entry is a real paper, truly described.

The list of arXiv papers in the shared data covers computer science and statistics up to
2019 and from 2025, and not all of those; what it does not cover was checked by hand when
it was added. An entry that contradicts the list is an invented citation.
"""

from __future__ import annotations

import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import bibtexparser
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FIELDS = ("title", "author", "year", "eprint", "archiveprefix", "primaryclass", "abstract")
AUTHORS_CUT_AT = 80  # characters kept per author list in the shared list of papers


def read_entries(path: Path) -> list[dict[str, str]]:
    library = bibtexparser.parse_file(str(path), encoding="utf-8")
    assert not library.failed_blocks, library.failed_blocks
    return [
        {"key": entry.key, **{field.key.lower(): field.value for field in entry.fields}}
        for entry in library.entries
    ]


def comparable(text: str) -> str:
    """Letters and digits only: braces, case, accents and mathematics set papers apart nowhere."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def authors_of(entry: dict[str, str]) -> list[str]:
    return [name for name in entry["author"].split(" and ") if name != "others"]


@pytest.fixture(scope="module")
def library() -> list[dict[str, str]]:
    return read_entries(EXAMPLES / "library.bib")


@pytest.fixture(scope="module")
def known_papers(shared_data: Path) -> dict[str, tuple[str, str, str]]:
    """arXiv id to title, authors (cut) and year."""
    with gzip.open(shared_data / "arxiv" / "ids.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = (line.rstrip("\n").split("\t") for line in lines)
        return {row[0]: (row[1], row[2], row[3]) for row in rows}


def records_of(shared_data: Path, wanted: set[str]) -> Iterator[dict[str, object]]:
    path = shared_data / "arxiv" / "records.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            identifier = line[:40].split('"')[3]
            if identifier in wanted:
                yield json.loads(line)


def test_library_is_large_and_every_entry_is_whole(library: list[dict[str, str]]) -> None:
    assert len(library) >= 200
    for entry in library:
        missing = [field for field in FIELDS if not entry.get(field, "").strip()]
        assert not missing, (entry["key"], missing)
        assert entry["archiveprefix"] == "arXiv"
        assert re.fullmatch(r"[a-z-]+\.[A-Z]{2}", entry["primaryclass"]), entry["key"]
        assert re.fullmatch(r"\d{4}\.\d{4,5}", entry["eprint"]), entry["key"]
        assert entry["year"] == "20" + entry["eprint"][:2], entry["key"]


@pytest.mark.parametrize("field", ["key", "eprint", "title", "abstract"])
def test_library_repeats_nothing(library: list[dict[str, str]], field: str) -> None:
    counts = Counter(comparable(entry[field]) for entry in library)
    assert [value for value, count in counts.items() if count > 1] == []


def test_library_agrees_with_the_list_of_arxiv_papers(
    library: list[dict[str, str]], known_papers: dict[str, tuple[str, str, str]]
) -> None:
    covered = [entry for entry in library if entry["eprint"] in known_papers]
    assert len(covered) >= 150
    for entry in covered:
        title, authors, year = known_papers[entry["eprint"]]
        assert comparable(entry["title"]) == comparable(title) and entry["year"] == year, entry["key"]
        ours, theirs = comparable("".join(authors_of(entry))), comparable(authors)
        if len(authors) >= AUTHORS_CUT_AT - 1:  # the last name may be cut in the middle
            theirs = comparable(authors[: AUTHORS_CUT_AT - 2])
            most = min(len(ours), len(theirs)) if entry["author"].endswith("others") else len(theirs)
            assert ours[:most] == theirs[:most], entry["key"]
        else:
            assert ours == theirs, entry["key"]
    titles = {comparable(entry["title"]): entry["eprint"] for entry in library}
    for identifier, (title, _, _) in known_papers.items():
        assert len(title) <= 20 or titles.get(comparable(title), identifier) == identifier


def test_abstracts_are_not_the_papers_words(library: list[dict[str, str]], shared_data: Path) -> None:
    """No run of eight words is taken over from the abstract of the paper described."""
    ours = {entry["eprint"]: entry for entry in library}
    for record in records_of(shared_data, set(ours)):
        entry = ours[str(record["id"])]
        shared = word_runs(entry["abstract"]) & word_runs(str(record["abstract"]))
        assert not shared, (entry["key"], shared)


def word_runs(text: str, length: int = 8) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return set(zip(*(words[start:] for start in range(length)), strict=False))


def test_paper_cites_only_real_papers_and_has_no_related_work(
    library: list[dict[str, str]],
) -> None:
    paper = EXAMPLES / "paper"
    source = "\n".join(path.read_text(encoding="utf-8") for path in paper.rglob("*.tex"))
    cited = {key for keys in re.findall(r"\\cite[tp]\{([^}]*)\}", source) for key in keys.split(",")}
    entries = {entry["key"]: entry for entry in read_entries(paper / "references.bib")}
    assert cited == set(entries)
    known = {comparable(entry["title"]) for entry in library}
    assert {comparable(entry["title"]) for entry in entries.values()} <= known
    assert not re.search(r"\\section\{Related", source)
