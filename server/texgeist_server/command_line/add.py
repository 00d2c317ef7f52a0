"""`texgeist add` and `texgeist merge-driver`: add an entry to a bibliography, and merge bibliographies when git
merges branches."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import EditRefused
from .common import JSON, load_settings, plainly, print_json, working
from .terminal import echo, inform, warn

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from ..config.settings import Settings


def register(app: typer.Typer) -> None:
    app.command("add")(add)
    app.command("merge-driver")(merge_driver)


def add(
    id: str = typer.Argument(..., metavar="ID", help="A DOI, an arXiv id, or a web address with either."),
    file: Path | None = typer.Argument(None, help="A .tex file of the project (default: in this folder)."),
    bib: Path | None = typer.Option(None, "--bib", help="The .bib file to add the entry to."),
    online: bool = typer.Option(False, "--online", help="Ask arXiv, Crossref and OpenAlex; the id is sent."),
    as_json: bool = JSON,
) -> None:
    """Add the entry for a paper to the bibliography. Format and citation key follow the existing entries; an
    entry that already exists is kept."""
    from texgeist_latex.bib.pasted import entry_of, paper_id
    from texgeist_latex.writing.apply import apply_plan
    from texgeist_latex.writing.taking import plan_entry

    from ..bibliography_checks.lookups import identify

    settings = load_settings()
    with plainly():
        draft = _draft(file, bib, settings)
        wanted = paper_id(id)
        if wanted and (there := entry_of(wanted, draft.bibliographies)):
            _tell(there.key, "", "", (), as_json)
            return
        with working("Looking it up") as monitor:
            found = identify(id, settings, online, monitor)
        plan = plan_entry(draft, found.reference, bib.absolute() if bib else None)
        key = plan.keys[found.reference.id]
        if plan.edits:
            apply_plan(plan, draft)
        _tell(key, plan.entries, found.source, (*found.notes, *plan.notes), as_json)


def _tell(key: str, entry: str, source: str, notes: Sequence[str], as_json: bool) -> None:
    """Shows the entry that was added or, if `entry` is "", the key under which the paper is already
    present."""
    if as_json:
        print_json({"key": key, "added": bool(entry), "entry": entry, "source": source, "notes": list(notes)})
        return
    echo(entry.strip() or f"The bibliography has this paper already: {key}")
    if entry and source:
        inform(f"Cite it as {key}. The entry comes from {source}.")
    for text in notes:
        warn(text)


def _draft(file: Path | None, bib: Path | None, settings: Settings) -> Draft:
    """The draft to whose bibliography the entry is added. If only `bib` is given, the draft contains that
    bibliography alone."""
    from texgeist_latex.reading.draft import draft_of_bibliography, read_draft

    from ..config.user_file import own_bibliographies
    from ..sections.safeguards import check_certain

    if file is None and bib is not None:
        return draft_of_bibliography(bib)
    if file is None:
        here = sorted(Path().glob("*.tex"))
        roots = [path for path in here if "\\documentclass" in path.read_text("utf-8", errors="replace")]
        if len(roots) != 1:
            said = "There are several documents" if roots else "There is no document"
            raise EditRefused(f"{said} in this folder.", "Name a .tex file, or the bibliography by --bib.")
        file = roots[0]
    draft = read_draft(file, own=own_bibliographies(settings))
    check_certain(draft)
    return draft


def merge_driver(
    versions: list[Path] = typer.Argument(
        None, help="From git: the common version, ours, theirs, and the path in the repository."
    ),
) -> None:
    """Merge bibliographies by entry, and generated sections by sentence, when git merges branches. Without arguments: set this up in the repository of this folder."""
    from texgeist_latex.writing.branches import merge_bib, merge_tex

    if versions and len(versions) not in (3, 4):
        raise typer.BadParameter("git gives three files and a path: the common version, ours and theirs.")
    if versions:
        base, ours, theirs = (file.read_bytes().decode(errors="surrogateescape") for file in versions[:3])
        merge = merge_tex if versions[-1].suffix == ".tex" else merge_bib
        text, conflicts = merge(base, ours, theirs)
        versions[1].write_bytes(text.encode(errors="surrogateescape"))
        raise typer.Exit(bool(conflicts))
    command = f"{shlex.quote(sys.executable)} -P -m texgeist_server merge-driver %O %A %B %P"
    if subprocess.run(["git", "config", "merge.texgeist.driver", command]).returncode:
        raise typer.Exit(1)  # git said why
    file = Path(".gitattributes")
    for line in ("*.bib merge=texgeist", "*.tex merge=texgeist"):
        text = file.read_text("utf-8") if file.exists() else ""
        if line not in text.splitlines():
            file.write_text(f"{text.rstrip()}\n{line}\n".lstrip(), "utf-8")
    inform(
        "git now merges the .bib and .tex files of this repository with texgeist. Commit .gitattributes; co-authors must run "
        f"this command too. git's settings of this repository name this Python: {sys.executable}. If it moves, run "
        "this command again; until then git reports a conflict."
    )
