"""Does `texgeist verify` find wrong and invented entries, and leave the true ones alone?

    python -m benchmarks.verify [FOLDER]

`FOLDER` holds HALLMARK's entries and an offline registry (`dev_public.jsonl.gz`, `registry.jsonl.gz`; see its
paper for the kinds of error). The verifier is given the BibTeX text alone. Detection (DR) is the share of
wrong entries that are found, FPR that of valid ones that are accused. An entry that cannot be read counts as
not accused. Four ways: without any record; against the whole registry, where `not-found` counts as found; and
against the records marked `cover70`, where only `suspect` counts, because what is missing there may well exist.
And online: a server on this machine answers for Crossref, OpenAlex and arXiv from the whole registry.

Then CiteTracer's references (`citetracer/` beside `FOLDER`): three classes, with all true records and with 70 %
of them; and how often an accusation is right, by the share of wrong entries in a bibliography.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from texgeist_latex.bib.authors import split_authors
from texgeist_latex.bib.identity import arxiv_id_of, doi_of, year_of
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.types import BibEntry, Span
from texgeist_retrieval.monitor import Silent
from texgeist_server.bibliography_checks.checking import check, entries_of, read_file
from texgeist_server.bibliography_checks.known_records import read_registry
from texgeist_server.bibliography_checks.registries import ask_registries
from texgeist_server.config.settings import Settings

from benchmarks.__main__ import DATA
from tests.server.registry_server import Known, Registries, serving

THIS_YEAR = 2026  # of the collection: entries dated later are wrong
FOUND, ACCUSED = frozenset({"suspect", "not-found"}), frozenset({"suspect"})


@dataclass(frozen=True, slots=True)
class Score:
    """Rates on a set of entries; `by_type` holds (found, all) of each kind of error."""

    detection: float
    false_alarms: float
    f1: float
    by_type: Mapping[str, tuple[int, int]]


def score(verdicts: Mapping[str, str], entries: Sequence[Mapping[str, Any]], counts: frozenset[str]) -> Score:
    wrong = [entry for entry in entries if entry["label"].lower() != "valid"]
    valid = [entry for entry in entries if entry["label"].lower() == "valid"]
    found = [entry for entry in wrong if verdicts.get(entry["key"]) in counts]
    accused = sum(verdicts.get(entry["key"]) in counts for entry in valid)
    hits = Counter(entry["error_type"] for entry in found)
    types = Counter(entry["error_type"] for entry in wrong)
    f1 = 2 * len(found) / (len(found) + accused + len(wrong))
    by_type = {name: (hits[name], count) for name, count in sorted(types.items())}
    return Score(len(found) / len(wrong), accused / len(valid), f1, by_type)


def verdicts_of(bibtex: str, sources: Sequence[Records]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "entries.bib")
        file.write_text(bibtex, encoding="utf-8")
        report = check(read_file(file), sources, THIS_YEAR)
    return {entry.key: entry.verdict for entry in report.entries}


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "bib"
    if not (folder / "registry.jsonl.gz").exists():
        print(f"There is no registry in {folder}: left out.")
        return 0
    lines = _read(folder / "registry.jsonl.gz")
    for file in sorted(folder.glob("*.jsonl.gz")):
        if file.name.startswith(("registry", "baselines")):
            continue
        entries = [json.loads(line) for line in _read(file)]
        bibtex = "\n".join(entry["bibtex"] for entry in entries)
        part = _records([line for line in lines if json.loads(line)["cover70"]])
        print(f"{file.name}: {len(entries):,} entries, {len(lines):,} records")
        _tell("without records", score(verdicts_of(bibtex, []), entries, ACCUSED))
        whole = verdicts_of(bibtex, [_records(lines)])
        _tell("whole registry, suspect or not found", score(whole, entries, FOUND))
        _tell("whole registry, suspect", score(whole, entries, ACCUSED))
        _tell("cover70, suspect", score(verdicts_of(bibtex, [part]), entries, ACCUSED))
        verdicts, requests = online_verdicts(bibtex, lines)
        _tell(f"services, suspect or not found ({requests} requests)", score(verdicts, entries, FOUND))
        _tell("services, suspect", score(verdicts, entries, ACCUSED))
        rates = {
            "all": score(whole, entries, FOUND),
            "70 %": score(verdicts_of(bibtex, [part]), entries, ACCUSED),
        }
        for name, rate in rates.items():
            _tell_precision(f"{name} of the registry", rate)
    if (folder.parent / "citetracer").is_dir():
        _citetracer(folder.parent / "citetracer")
    return 0


def _tell_precision(name: str, rate: Score) -> None:
    """How often an accusation is right, if this share of the entries is wrong."""
    shares = (0.62, 0.1, 0.01, 0.001)
    right = {share: share * rate.detection for share in shares}
    precision = {s: right[s] / (right[s] + (1 - s) * rate.false_alarms) for s in shares}
    print(f"  precision with {name}: " + ", ".join(f"{s:.1%} wrong {p:.3f}" for s, p in precision.items()))


_CLASSES = {
    "REAL": frozenset({"ok"}),
    "POTENTIAL_HALLUCINATED": frozenset({"to-correct"}),
    "HALLUCINATED": FOUND,
}


def _citetracer(folder: Path) -> None:
    entries = [json.loads(line) for line in _read(folder / "entries.jsonl.gz")]
    known = _read(folder / "known.jsonl.gz")
    bibtex = "\n".join(entry["bibtex"] for entry in entries)
    part = [line for at, line in enumerate(known) if at % 10 < 7]
    for name, lines in (("all true records", known), ("70 % of them", part)):
        verdicts = verdicts_of(bibtex, [_records(lines)])
        right = [entry for entry in entries if verdicts.get(entry["key"]) in _CLASSES[entry["label"]]]
        print(f"\nCiteTracer, {name}: three classes {len(right) / len(entries):.3f} of {len(entries):,}")
        kinds = Counter(entry["subtype"] for entry in entries)
        given = Counter((entry["subtype"], verdicts.get(entry["key"], "unread")) for entry in entries)
        for kind in sorted(kinds):
            shown = ", ".join(
                f"{verdict} {count}" for (k, verdict), count in sorted(given.items()) if k == kind
            )
            print(f"  {kind} ({kinds[kind]}): {shown}")


def online_verdicts(bibtex: str, lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """Through the services' own clients, over HTTP, and how many requests they made."""
    papers = [paper for line in lines if (paper := _known(json.loads(line)))]
    with tempfile.TemporaryDirectory() as folder, serving(Registries(papers)) as server:
        file = Path(folder, "entries.bib")
        file.write_text(bibtex, encoding="utf-8")
        read = read_file(file)
        with patch.dict(os.environ, TEXGEIST_DATA=folder):
            looked_up = ask_registries(entries_of(read), Settings(), True, Silent())
        report = check(read, looked_up.sources, THIS_YEAR)
        return {entry.key: entry.verdict for entry in report.entries}, len(server.asked)


def _known(line: Mapping[str, Any]) -> Known | None:
    """A record as a service has it: with its DOI at Crossref, with its id at arXiv, at OpenAlex always."""
    fields = {name.lower(): value for name, value in line["fields"].items()}
    entry = BibEntry("", line["type"], fields, Span(Path(), 0, 0), 0)
    journal = "journal" in fields and "booktitle" not in fields
    names = (re.sub(r" \d{4}$", "", name) for name in split_authors(fields.get("author", "")))
    return Known(
        title=fields["title"],
        authors=[" ".join(reversed(name.split(", ", 1))) for name in names],
        year=year_of(entry),
        venue=fields.get("booktitle") or fields.get("journal", ""),
        kind="journal-article" if journal else "proceedings-article",
        doi=doi_of(entry),
        arxiv=arxiv_id_of(entry),
    )


def _tell(name: str, got: Score) -> None:
    print(f"\n{name}: DR {got.detection:.3f}, FPR {got.false_alarms:.3f}, F1 {got.f1:.3f}")
    print("  " + ", ".join(f"{kind} {hits}/{count}" for kind, (hits, count) in got.by_type.items()))


def _records(lines: Sequence[str]) -> Records:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "registry.jsonl")
        file.write_text("\n".join(lines), encoding="utf-8")
        return read_registry(file)[0]


def _read(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [line for line in lines if line.strip()]


if __name__ == "__main__":
    raise SystemExit(main())
