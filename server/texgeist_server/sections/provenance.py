"""`.texgeist/provenance.json`: the reasons for every citation that texgeist wrote.

The file is written after an edit was applied. Its format (`provenance_model.py`) suits diffs and merges, so a
co-author can commit it. Hovers read it offline, so nothing heavy is imported here. A damaged file, or a file
of a later version, is reported and never overwritten. The record of a section that was removed stays, because an undo
may bring the section back.

A key is renamed by texgeist, by another program or by hand. So no renaming is recorded: a reader finds the entry of
a recorded paper by what the entry says (`called_now`).
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.identity import KnownPapers, normalise_title, same_paper
from texgeist_latex.disk.folder import opened
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import LatexError, OutOfBounds
from texgeist_latex.tex.sentences import keys_of, renamed
from texgeist_latex.types import BibEntry, Draft, Reference
from texgeist_retrieval.types import Paper

from ..references import reference_of

if TYPE_CHECKING:
    from .provenance_model import CitationRecord, PaperRecord, Provenance, SectionRecord


FOLDER, NAME = ".texgeist", "provenance.json"
ATTRIBUTES = ".gitattributes", f"{NAME} merge=union\n".encode()


def file_of(root: Path) -> Path:
    """The provenance file of the project with this root document."""
    return root.parent / FOLDER / NAME


def read(root: Path) -> Provenance:
    """Reads the project's provenance. Returns an empty record if the file is missing or unreadable."""
    try:
        return read_to_write(root)
    except (OSError, LatexError):
        return read_from(None)


def read_to_write(root: Path) -> Provenance:
    """Reads the project's provenance before adding to it. Raises OSError, and Unreadable if the file cannot
    be decoded, because writing would lose its contents."""
    from .provenance_model import MOST_BYTES

    try:
        with opened(_folder_of(root)) as folder:
            held = folder.read(NAME, MOST_BYTES + 1)
    except FileNotFoundError:
        return read_from(None)
    return read_from(held)


def read_from(held: bytes | None) -> Provenance:
    """Decodes the bytes of the file; None means that there was no file. Raises Unreadable."""
    from .provenance_model import NOTHING, decoded

    return NOTHING if held is None else decoded(held)


def before(draft: Draft, section: str) -> SectionRecord | None:
    """The record of the section as texgeist last wrote it, with the citation keys that the draft uses now; None if
    this text is not recorded."""
    data = called_now(read(draft.root), cited_entries(draft))
    held = data.sections.get(section)
    return held if held and f"texgeist:begin {section}" in held.text else None


def check(root: Path) -> None:
    """Raises OutOfBounds if the folder or file is a link (whose target may belong to somebody else) or is not
    a folder or file; raises Unreadable if writing would lose the file's contents."""
    folder = _folder_of(root)
    _check_place(folder, stat.S_ISDIR, "folder")
    _check_place(folder / NAME, stat.S_ISREG, "file")
    with contextlib.suppress(OSError):  # writing reports the error
        read_to_write(root)


def _check_place(path: Path, is_right: Callable[[int], bool], kind: str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except OSError:  # missing: it will be created; the folders above were checked before
        return
    if stat.S_ISLNK(mode):
        raise OutOfBounds(
            f"{path} leads to {real(path)}, so nothing was written.",
            f"Replace the link {path.name} by a {kind} of that name, or remove it.",
        )
    if not is_right(mode):
        raise OutOfBounds(
            f"{path} is not a {kind}, so the reasons for the citations cannot be stored there. Nothing was written.",
            "Move it away, or give it another name.",
        )


def write(root: Path, data: Provenance) -> None:
    """Writes the file atomically. Raises OutOfBounds, Unreadable, OSError."""
    from .provenance_model import encoded

    check(root)
    with opened(_folder_of(root), create=True) as folder:
        folder.put(NAME, encoded(data))
    mark_for_git(root)


def mark_for_git(root: Path) -> None:
    """Adds a `.gitattributes` file so that git keeps the lines of both sides in a merge. An existing file is
    kept."""
    name, text = ATTRIBUTES
    try:
        with opened(_folder_of(root)) as folder:
            if folder.content(name) is None:
                folder.create(name, text)
    except OSError:
        return  # without the file, git reports conflicts, which can be resolved by hand


def _folder_of(root: Path) -> Path:
    """The folder beside the root document. Links in the path to the root document's folder are resolved."""
    return Path(real(root.parent)) / FOLDER


def real_file_of(root: Path) -> Path:
    """The path of the file as it is opened, with links to the root document's folder resolved."""
    return _folder_of(root) / NAME


def lost(root: Path, error: OSError) -> str:
    file, reason = file_of(root), error.strerror or error
    return f"The reasons for the citations could not be stored: {reason} ({file.name} in {file.parent.name})."


def _reference(paper: PaperRecord) -> Reference:
    return reference_of(
        Paper(
            paper.id,
            paper.title,
            authors=tuple(paper.authors),
            year=paper.year,
            venue=paper.venue,
            doi=paper.doi,
            url=paper.url,
        )
    )


def cited_entries(draft: Draft) -> dict[str, BibEntry]:
    """The entries that the draft cites, by key."""
    entries = {entry.key: entry for each in reversed(draft.bibliographies) for entry in each.entries}
    return {one.key: entries[one.key] for one in draft.citations if one.key in entries}


def called_now(data: Provenance, cited: Mapping[str, BibEntry]) -> Provenance:
    """A copy of `data` with the keys that the document uses now (`cited`, see `cited_entries`)."""
    return with_names(data, names_now(data, cited))


def names_now(data: Provenance, cited: Mapping[str, BibEntry]) -> dict[str, str]:
    """The new keys of recorded papers, by recorded key: if the entry with the recorded key does not describe
    the paper, the key of the cited entry that does."""
    papers = {key: _reference(why.paper) for key, why in data.citations.items()}
    lost = {key: one for key, one in papers.items() if key not in cited or not same_paper(cited[key], one)}
    free = [entry for key, entry in cited.items() if key not in papers or key in lost]
    known, items = KnownPapers(free), [entry for entry in free if entry.type == "bibitem"]
    found = {key: known.find(paper) or _written_items(paper, items) for key, paper in lost.items()}
    return {key: entries[0].key for key, entries in found.items() if entries}


def _written_items(paper: Reference, items: Sequence[BibEntry]) -> list[BibEntry]:
    r"""The `\bibitem`s with the text that texgeist writes for this paper."""
    if not items:
        return []
    from texgeist_latex.writing.entries import new_item
    from texgeist_latex.writing.escape import Charset

    text = normalise_title(new_item(paper, "", Charset()).removeprefix("\\bibitem{}"))
    return [item for item in items if normalise_title(item.fields.get("text", "")) == text]


def with_names(data: Provenance, names: Mapping[str, str]) -> Provenance:
    """A copy of `data` with other keys; `names` maps old keys to new keys."""
    if not names:
        return data
    sections = {id: _called(section, names) for id, section in data.sections.items()}
    citations = _by_names(data.citations, names)
    return data.model_copy(update={"citations": citations, "sections": sections})


def _by_names(reasons: Mapping[str, CitationRecord], names: Mapping[str, str]) -> dict[str, CitationRecord]:
    """The reasons by their new keys. A paper that is no longer cited loses its key if another paper now has
    this key."""
    left = {key: why for key, why in reasons.items() if key not in names}
    return left | {names[key]: why for key, why in reasons.items() if key in names}


def _called(section: SectionRecord, names: Mapping[str, str]) -> SectionRecord:
    def named(latex: str) -> str:
        return renamed(latex, names) if keys_of(latex) & names.keys() else latex

    update = {"text": named(section.text), "gone": [named(text) for text in section.gone]}
    return section.model_copy(
        update={name: update[name] for name in section.model_fields_set & update.keys()}
    )
