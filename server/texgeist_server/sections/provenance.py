"""`.texgeist/provenance.json`: why every citation that texgeist wrote is there.

Written when an edit has been applied, one record a line (`provenance_file.py`), so that it diffs and merges
well and a co-author can commit it. Read on hover, offline; so it is plain JSON and nothing heavy is imported
to read it. A file that is newer than this version or damaged is told of, and never rewritten.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from texgeist_latex.disk.folder import opened
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import LatexError, OutOfBounds
from texgeist_latex.types import Draft, EditPlan, Offer
from texgeist_latex.writing.merged_blocks import Before
from texgeist_latex.writing.sentences import keys_of
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.types import Evidence, Result, Selected

from ..references import reference_of
from .in_latex import evidence_of, papers_of, sentences_of
from .laid_aside import restored
from .provenance_file import ATTRIBUTES, FOLDER, NAME, VERSION, decoded, encoded
from .provenance_gate import MOST_BYTES, PARTS, Record
from .renamed_keys import called_now, keys_in, with_new_owners


def file_of(root: Path) -> Path:
    """The provenance file of the project with this root document."""
    return root.parent / FOLDER / NAME


def read(root: Path) -> Record:
    """The project's provenance, to be looked at; empty where there is none or it cannot be read."""
    try:
        return read_to_write(root)
    except (OSError, LatexError):
        return _empty()


def read_to_write(root: Path) -> Record:
    """The project's provenance, to be added to. Raises Unreadable where what is there cannot be read, and
    would be lost; OSError."""
    try:
        with opened(_folder_of(root)) as folder:
            held = folder.read(NAME, MOST_BYTES + 1)
    except FileNotFoundError:
        return _empty()
    return read_from(held)


def read_from(held: bytes | None) -> Record:
    """As `read_to_write`, of a file that holds this; None: there was none. Raises Unreadable."""
    return _empty() if held is None else {**_empty(), **decoded(held)}


def before(draft: Draft, section: str) -> Before | None:
    """How the section was written last, by the keys of now; None where that is not on record."""
    data = called_now(restored(read(draft.root), [section]), keys_in(draft))
    record = data["sections"].get(section, {})
    text = record.get("text", "")
    if f"texgeist:begin {section}" not in text:
        return None
    return Before(text, tuple(record.get("gone", ())))


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
    old = with_new_owners(old, keys)
    kept = keys_of(applied.plan.latex) if applied.plan.written else ()  # by what the author made of them
    citations = {
        k: v
        for k, v in old["citations"].items()
        if not section_id or v.get("section") != section_id or k in kept
    }
    why = {
        selected.candidate.paper.id: {
            **_citation(result, selected),
            **made,
            "section": section_id,
            "reused": selected.candidate.paper.id in applied.plan.reused,
        }
        for selected in result.selected
    }
    citations |= {keys[id]: reason for id, reason in why.items() if id in keys}
    sections = dict(old["sections"])
    if section_id:
        # As it was written, not as it was merged: what differs from it is the author's.
        text = applied.plan.written or applied.plan.latex
        sections[section_id] = {
            **_section(result, keys),
            **made,
            "file": applied.file,
            "text": text,
            "abstract": result.query.abstract,
            "gone": list(applied.plan.gone),
            "offers": [_offered(offer, why) for offer in applied.plan.offers],
        }
    removed = {k: v for k, v in old.get("removed", {}).items() if k != section_id}
    return {**old, "version": VERSION, "citations": citations, "sections": sections, "removed": removed}


def _offered(offer: Offer, why: dict[str, Record]) -> Record:
    """With the reasons for its papers, for when it is taken."""
    return {
        "stands": offer.stands,
        "new": offer.new,
        "papers": {key: why[id] for key, id in offer.papers if id in why},
    }


def check(root: Path) -> None:
    """Raises OutOfBounds where the record would be written through a link (the file that it leads to is
    somebody else's), or where something else stands in its place; Unreadable where what it holds would be
    lost."""
    folder = _folder_of(root)
    _check_place(folder, stat.S_ISDIR, "folder")
    _check_place(folder / NAME, stat.S_ISREG, "file")
    with contextlib.suppress(OSError):  # writing says what is the matter
        read_to_write(root)


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
    """Atomically. Raises OutOfBounds, Unreadable, OSError."""
    check(root)
    with opened(_folder_of(root), create=True) as folder:
        folder.put(NAME, encoded(data))
    mark_for_git(root)


def mark_for_git(root: Path) -> None:
    """Says beside the file how git merges it: the lines of both sides. An author's own word on it stays."""
    name, text = ATTRIBUTES
    try:
        with opened(_folder_of(root)) as folder:
            if folder.content(name) is None:
                folder.create(name, text)
    except OSError:
        return  # git asks then, and the file can be put right by hand


def updated(root: Path, applied: Applied) -> bytes:
    """The file as it is to be with this edit in it. Raises Unreadable, OSError."""
    return encoded(record(read_to_write(root), applied))


def _folder_of(root: Path) -> Path:
    """Beside the root document, links on the way to that followed and none after it."""
    return Path(real(root.parent)) / FOLDER


def real_file_of(root: Path) -> Path:
    """As it is opened: links on the way to the root's folder followed."""
    return _folder_of(root) / NAME


def save(root: Path, applied: Applied) -> None:
    check(root)
    write(root, record(read_to_write(root), applied))


def remember(root: Path, applied: Applied) -> str:
    """As `save`, when the text has landed already: a sentence where that fails, "" where it is done."""
    try:
        save(root, applied)
    except LatexError as error:
        return f"Why each paper is cited could not be kept: {error.sentence()}"
    except OSError as error:
        return lost(root, error)
    return ""


def lost(root: Path, error: OSError) -> str:
    file, reason = file_of(root), error.strerror or error
    return f"Why each paper is cited could not be kept: {reason} ({file.name} in {file.parent.name})."


def _empty() -> Record:
    return {"version": VERSION, **{part: {} for part in PARTS}}


def _made(result: Result, date: str) -> Record:
    return {"date": date, "writer": result.writer, "index": result.index, "model": result.model}


def _citation(result: Result, selected: Selected) -> Record:
    candidate = selected.candidate
    reference, parts = reference_of(candidate.paper), result.query.parts
    return {
        "paper": {
            "id": reference.id,
            "primary": reference.primary_class,
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
        "reasons": to_plain(selected.reasons),
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


def _searches(result: Result) -> Record:
    """What was asked for a section whose evidence was gathered, what that found, and why it stopped."""
    if (run := result.run) is None:
        return {}
    asked = [
        {"text": q.text, "by": q.by, "why": q.why, "found": len(q.found), "refused": q.refused}
        for q in run.queries
    ]
    return {"searches": asked, "stopped": run.stopped}


def _section(result: Result, keys: dict[str, str]) -> Record:
    known = evidence_of(result)
    sentences = []
    for sentence in sentences_of(result):
        stands_on = [known[id] for id in sentence.evidence if id in known]
        sentences.append(
            {
                "text": sentence.text,
                **({"aside": sentence.aside} if sentence.aside else {}),
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
        **_searches(result),
        "query": result.query.kind,
        "papers": len(keys),
        "sentences": sentences,
        "notes": list(result.notes),
        "usage": to_plain(result.usage),
    }
