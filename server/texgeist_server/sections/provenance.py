"""`.texgeist/provenance.json`: why every citation that texgeist wrote is there.

Written when an edit has been applied, sorted and stable so that it diffs well and a co-author can commit
it. Read on hover, offline; so it is plain JSON and nothing heavy is imported to read it.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from texgeist_latex.disk.folder import opened
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import OutOfBounds
from texgeist_latex.types import EditPlan
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.types import Evidence, Result, Selected

from .in_latex import evidence_of, papers_of, reference_of, sentences_of
from .provenance_gate import MOST_BYTES, Record, checked

VERSION = 1
FOLDER, NAME, BROKEN = ".texgeist", "provenance.json", "provenance.broken.json"


def file_of(root: Path) -> Path:
    """The provenance file of the project with this root document."""
    return root.parent / FOLDER / NAME


def read(root: Path) -> Record:
    """The project's provenance; empty where there is none or it cannot be read."""
    try:
        with opened(_folder_of(root)) as folder:
            found = checked(folder.read(NAME, MOST_BYTES + 1))
    except OSError:
        return _empty()
    return {**_empty(), **found} if found is not None else _empty()


@dataclass(frozen=True, slots=True)
class Applied:
    """An edit that has landed: what was written, how, and when (ISO date)."""

    result: Result
    plan: EditPlan
    file: str  # where the section stands, relative to the root's folder
    date: str


def record(old: Record, applied: Applied) -> Record:
    """`old` with this edit in it; what stood there for the same section or keys is replaced."""
    section_id = applied.plan.section_id
    result, keys = applied.result, applied.plan.keys
    made = _made(result, applied.date)
    citations = {
        k: v for k, v in old["citations"].items() if not section_id or v.get("section") != section_id
    }
    for selected in result.selected:
        paper = selected.candidate.paper
        if (key := keys.get(paper.id)) is not None:
            citations[key] = {
                **_citation(result, selected),
                **made,
                "section": section_id,
                "reused": paper.id in applied.plan.reused,
            }
    sections = dict(old["sections"])
    if section_id:
        text = applied.plan.latex  # as it was written: what differs from it is the author's
        sections[section_id] = {**_section(result, keys), **made, "file": applied.file, "text": text}
    removed = {k: v for k, v in old.get("removed", {}).items() if k != section_id}
    return {"version": VERSION, "citations": citations, "sections": sections, "removed": removed}


def without_section(old: Record, section_id: str) -> Record:
    """`old` after the user has taken a generated section out again. Its reasons are laid aside, for when an
    undo brings the text back."""
    gone = {k: v for k, v in old["citations"].items() if v.get("section") == section_id}
    removed = dict(old.get("removed", {}))
    if section_id in old["sections"]:
        removed[section_id] = {"section": old["sections"][section_id], "citations": gone}
    return {
        "version": VERSION,
        "citations": {k: v for k, v in old["citations"].items() if k not in gone},
        "sections": {k: v for k, v in old["sections"].items() if k != section_id},
        "removed": removed,
    }


def restored(data: Record, standing: Iterable[str]) -> Record:
    """`data` with the reasons of those removed sections that stand in the document again."""
    back = {k: v for k in standing if k not in data["sections"] and (v := data["removed"].get(k))}
    if not back:
        return data
    citations = {k: v for each in back.values() for k, v in each.get("citations", {}).items()}
    sections = {k: each["section"] for k, each in back.items() if "section" in each}
    return {
        **data,
        "citations": {**citations, **data["citations"]},
        "sections": {**data["sections"], **sections},
        "removed": {k: v for k, v in data["removed"].items() if k not in back},
    }


def check(root: Path) -> None:
    """Raises OutOfBounds where the record would be written through a link (the file that it leads to is
    somebody else's), or where something else stands in its place."""
    folder = _folder_of(root)
    _check_place(folder, stat.S_ISDIR, "folder")
    for name in (NAME, BROKEN):
        _check_place(folder / name, stat.S_ISREG, "file")


def _check_place(path: Path, is_right: Callable[[int], bool], kind: str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except OSError:  # not there: it is made. What stands above it was looked at before
        return
    if stat.S_ISLNK(mode):
        raise OutOfBounds(
            f"{path} leads to {real(path)}, and so nothing was written.",
            f"Replace the link {path.name} by a {kind} of that name, or remove it.",
        )
    if not is_right(mode):
        raise OutOfBounds(
            f"{path} is no {kind}, so that why each paper is cited cannot be kept there. Nothing was written.",
            "Move it away, or give it another name.",
        )


def write(root: Path, data: Record) -> None:
    """Atomically; a file that could not be read is kept beside as `provenance.broken.json`. Raises
    OutOfBounds, OSError."""
    check(root)
    keep_broken(root)
    with opened(_folder_of(root), create=True) as folder:
        folder.put(NAME, _encoded(data))


def keep_broken(root: Path) -> None:
    """A copy beside of a file that cannot be read: what is written next takes its place."""
    if read(root) != _empty():
        return
    with contextlib.suppress(FileNotFoundError), opened(_folder_of(root)) as folder:
        if held := folder.content(NAME):
            folder.put(BROKEN, held)


def updated(root: Path, applied: Applied) -> bytes:
    """The file as it is to be with this edit in it."""
    return _encoded(record(read(root), applied))


def _encoded(data: Record) -> bytes:
    """Half of a surrogate pair, which no file can hold, becomes a question mark."""
    text = json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return text.encode("utf-8", "replace")


def _folder_of(root: Path) -> Path:
    """Beside the root document, links on the way to that followed and none after it."""
    return Path(real(root.parent)) / FOLDER


def real_file_of(root: Path) -> Path:
    """As it is opened: links on the way to the root's folder followed."""
    return _folder_of(root) / NAME


def save(root: Path, applied: Applied) -> None:
    write(root, record(read(root), applied))


def remember(root: Path, applied: Applied) -> str:
    """As `save`, when the text has landed already: a sentence where that fails, "" where it is done."""
    try:
        save(root, applied)
    except OutOfBounds as error:
        return f"Why each paper is cited could not be kept: {error}"
    except OSError as error:
        return lost(root, error)
    return ""


def lost(root: Path, error: OSError) -> str:
    file, reason = file_of(root), error.strerror or error
    return f"Why each paper is cited could not be kept: {reason} ({file.name} in {file.parent.name})."


def _empty() -> Record:
    return {"version": VERSION, "citations": {}, "sections": {}, "removed": {}}


def _made(result: Result, date: str) -> Record:
    return {"date": date, "writer": result.writer, "index": result.index, "model": result.model}


def _citation(result: Result, selected: Selected) -> Record:
    candidate = selected.candidate
    reference, parts = reference_of(candidate.paper), result.query.parts
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
        "query": {
            "kind": result.query.kind,
            "found_by": parts[candidate.found_by].label if candidate.found_by < len(parts) else "",
        },
        "strands": list(candidate.strands),
        "rank": candidate.rank,
        "of": result.found,
        "similarity": round(candidate.similarity, 4),
        "score": round(selected.score, 4),
        "score_parts": {name: round(part, 3) for name, part in sorted(candidate.scores.items())},
        "why": selected.why,
        "summary": selected.summary,
        "full_text": selected.full_text,
        "note": selected.note,
        "evidence": [_evidence(one) for one in selected.evidence],
    }


def _evidence(one: Evidence) -> Record:
    return {
        "page": one.passage.page,
        "similarity": round(one.similarity, 4),
        "summary": one.summary,
        "text": one.passage.text,
    }


def _section(result: Result, keys: dict[str, str]) -> Record:
    known = evidence_of(result)
    sentences = []
    for sentence in sentences_of(result):
        stands_on = [known[id] for id in sentence.evidence if id in known]
        sentences.append(
            {
                "text": sentence.text,
                "keys": sorted({keys[id] for id in papers_of(sentence, known) if id in keys}),
                "evidence": [
                    {
                        "key": keys.get(selected.candidate.paper.id, ""),
                        "page": one.passage.page,
                        "text": one.passage.text,
                    }
                    for selected, one in stands_on
                ],
            }
        )
    return {
        "query": result.query.kind,
        "papers": len(keys),
        "sentences": sentences,
        "notes": list(result.notes),
        "usage": to_plain(result.usage),
    }
