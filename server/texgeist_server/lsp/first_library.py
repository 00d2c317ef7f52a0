"""Where there is nothing to search yet: the question what to search, with what each answer sends."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ServerError, TaskFailed
from .messages import choose

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from .progress import Progress
    from .session import Session

CHOOSE, NOT_NOW = "Choose Papers…", "Not now"
PAPERS = "texgeist/choosePapers"  # a client that has a list of its own shows it


def is_missing(error: TaskFailed, session: Session) -> bool:
    """Whether the user's own library is asked for, and not there."""
    return error.kind == "IndexMissing" and session.settings.index.location == "library"


async def fill(session: Session, draft: Draft, block: Progress) -> None:
    """Asks, and fills the library with what was chosen. Raises `ServerError` where nothing was."""
    sources = [str(path) for path in sources_of(draft)]
    use = f"Use this project's {'.bib file' if len(sources) == 1 else '.bib files'}"
    answers = [*([use] if sources else []), *([CHOOSE] if session.client.chooses_papers else []), NOT_NOW]
    words = "There is no library to search yet. "
    if sources:
        names = ", ".join(Path(source).name for source in sources)
        words += f"It can be filled from {names}, on this machine: nothing is sent. "
    picked = await choose(session.server, f"texgeist: {words}".strip(), answers) if answers[:-1] else ""
    if picked == use:
        await session.tasks.do("add", {"sources": sources}, block.report)
        return
    if picked == CHOOSE:
        session.server.protocol.notify(PAPERS, {})
    raise ServerError(
        "There is no library to search yet, so nothing was written.",
        f"Fill one in a terminal: {command()} index add papers.bib (or a folder of PDFs, or cat:cs.CL).",
    )


def sources_of(draft: Draft) -> Iterable[Path]:
    """The project's bibliographies on the disk."""
    return (each.path for each in draft.bibliographies if each.path.suffix == ".bib" and each.path.is_file())


def command() -> str:
    """What can be typed: the program is on no PATH where an editor has installed it."""
    if shutil.which("texgeist"):
        return "texgeist"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m texgeist_server"
