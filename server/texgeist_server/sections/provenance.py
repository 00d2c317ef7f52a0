"""`.texgeist/provenance.json`: why every citation that texgeist wrote is there.

Written when an edit has been applied, sorted and stable so that it diffs well and a co-author can commit
it. Read on hover, offline; so it is plain JSON and nothing heavy is imported to read it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texgeist_latex.types import EditPlan

from .outcome import Chosen, Outcome, Proof

VERSION = 1
Record = dict[str, Any]


def file_of(root: Path) -> Path:
    """The provenance file of the project with this root document."""
    return root.parent / ".texgeist" / "provenance.json"


def read(root: Path) -> Record:
    """The project's provenance; empty where there is none or it cannot be read."""
    try:
        data = json.loads(file_of(root).read_text("utf-8"))
    except (OSError, ValueError):
        return _empty()
    if not isinstance(data, dict) or not isinstance(data.get("citations"), dict):
        return _empty()
    return {**_empty(), **data, **{name: _records(data.get(name)) for name in ("citations", "sections")}}


def _records(found: Any) -> Record:
    """What of it has the form of records: people merge this file by hand."""
    records = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in records if isinstance(value, dict)}


@dataclass(frozen=True, slots=True)
class Applied:
    """An edit that has landed: what was written, how, and when (ISO date)."""

    outcome: Outcome
    plan: EditPlan
    file: str  # where the section stands, relative to the root's folder
    date: str


def record(old: Record, applied: Applied) -> Record:
    """`old` with this edit in it; what stood there for the same section or keys is replaced."""
    section_id = applied.plan.section_id
    outcome, keys = applied.outcome, applied.plan.keys
    made = _made(outcome, applied.date)
    citations = {
        k: v for k, v in old["citations"].items() if not section_id or v.get("section") != section_id
    }
    for paper in outcome.chosen:
        if (key := keys.get(paper.reference.id)) is not None:
            citations[key] = {
                **_citation(outcome, paper),
                **made,
                "section": section_id,
                "reused": paper.reference.id in applied.plan.reused,
            }
    sections = dict(old["sections"])
    if section_id:
        sections[section_id] = {**_section(outcome, keys), **made, "file": applied.file}
    return {"version": VERSION, "citations": citations, "sections": sections}


def without_section(old: Record, section_id: str) -> Record:
    """`old` after the user has taken a generated section out again."""
    return {
        "version": VERSION,
        "citations": {k: v for k, v in old["citations"].items() if v.get("section") != section_id},
        "sections": {k: v for k, v in old["sections"].items() if k != section_id},
    }


def encoded(data: Record) -> bytes:
    """The file's bytes; a half of a surrogate pair, which no file can hold, becomes a question mark."""
    text = json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return text.encode("utf-8", "replace")


def prepared(root: Path, applied: Applied) -> bytes:
    """The file as it will be with this edit in it. One that could not be read is kept beside."""
    data = encoded(record(read(root), applied))
    _keep_broken(root)
    return data


def stage(root: Path, applied: Applied) -> Path:
    """As `prepared`, whole on the disk beside the file, so that nothing but a renaming is left to do once
    the edit has landed. Raises OSError."""
    return _staged(root, prepared(root, applied))


def land(root: Path, staged: Path) -> str:
    """Puts what was staged into place, the text having landed: a sentence where that fails, else ""."""
    try:
        staged.replace(file_of(root))
    except OSError as error:
        return lost(root, error)
    return ""


def write(root: Path, data: Record) -> None:
    """Atomically; a file that could not be read is kept beside as `provenance.broken.json`."""
    _keep_broken(root)
    staged = _staged(root, encoded(data))
    try:
        staged.replace(file_of(root))
    except BaseException:
        staged.unlink(missing_ok=True)
        raise


def _keep_broken(root: Path) -> None:
    file = file_of(root)
    if file.exists() and read(root) == _empty() and file.stat().st_size > 0:
        with contextlib.suppress(OSError):
            shutil.copyfile(file, file.with_name("provenance.broken.json"))


def _staged(root: Path, data: bytes) -> Path:
    folder = file_of(root).parent
    folder.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix=".provenance-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def save(root: Path, applied: Applied) -> None:
    write(root, record(read(root), applied))


def remember(root: Path, applied: Applied) -> str:
    """As `save`, when the text has landed already: a sentence where that fails, "" where it is done."""
    try:
        save(root, applied)
    except OSError as error:
        return lost(root, error)
    return ""


def lost(root: Path, error: OSError) -> str:
    file = file_of(root)
    reason = error.strerror or error
    return f"Why each paper is cited could not be kept: {reason} ({file.name} in {file.parent.name})."


def _empty() -> Record:
    return {"version": VERSION, "citations": {}, "sections": {}}


def _made(outcome: Outcome, date: str) -> Record:
    return {"date": date, "writer": outcome.writer, "index": outcome.index, "model": outcome.model}


def _citation(outcome: Outcome, paper: Chosen) -> Record:
    reference = paper.reference
    return {
        "paper": {
            "id": reference.id,
            "title": reference.title,
            "authors": list(reference.authors),
            "year": reference.year,
            "venue": reference.venue,
            "arxiv": reference.arxiv_id,
            "doi": reference.doi,
            "url": reference.url,
        },
        "query": {"kind": outcome.ask.kind, "found_by": paper.found_by},
        "rank": paper.rank,
        "of": outcome.found,
        "similarity": round(paper.similarity, 4),
        "score": round(paper.score, 4),
        "score_parts": {name: round(part, 3) for name, part in sorted(paper.score_parts.items())},
        "why": paper.why,
        "summary": paper.summary,
        "full_text": paper.full_text,
        "note": paper.note,
        "evidence": [_proof(proof) for proof in paper.proofs],
    }


def _proof(proof: Proof) -> Record:
    return {
        "page": proof.page,
        "similarity": round(proof.similarity, 4),
        "summary": proof.summary,
        "text": proof.text,
    }


def _section(outcome: Outcome, keys: dict[str, str]) -> Record:
    papers = {proof.id: (paper, proof) for paper in outcome.chosen for proof in paper.proofs}
    sentences = []
    for sentence, ids in zip(outcome.sentences(), outcome.sentence_proofs, strict=True):
        stands_on = [papers[i] for i in ids if i in papers]
        sentences.append(
            {
                "text": sentence.text,
                "keys": sorted({keys[r] for r in sentence.references if r in keys}),
                "evidence": [
                    {"key": keys.get(paper.reference.id, ""), "page": proof.page, "text": proof.text}
                    for paper, proof in stands_on
                ],
            }
        )
    return {
        "query": outcome.ask.kind,
        "papers": len(keys),
        "sentences": sentences,
        "notes": list(outcome.notes),
        "usage": outcome.usage,
    }
