"""Where there is nothing to search yet: the question what to search, with what each answer sends."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException

from ..errors import TaskFailed
from .messages import ask_user

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from .editor import Editor
    from .progress import Progress
    from .tasks import Tasks

CHOOSE, NOT_NOW = "Choose Papers…", "Not now"
PAPERS = (
    "texgeist/choosePapers"  # a client that has a list of its own shows it, and says whether one was chosen
)


def is_missing(error: TaskFailed, editor: Editor) -> bool:
    """Whether the user's own library is asked for, and not there."""
    return error.kind == "IndexMissing" and editor.settings.index.location == "library"


async def fill(editor: Editor, tasks: Tasks, draft: Draft, block: Progress) -> None:
    """Asks, and fills the library with what was chosen. Raises `TaskFailed` where nothing was."""
    sources = [str(path) for path in sources_of(draft)]
    use = f"Use this project's {'.bib file' if len(sources) == 1 else '.bib files'}"
    answers = [*([use] if sources else []), *([CHOOSE] if editor.client.chooses_papers else []), NOT_NOW]
    words = "There is no library to search yet. "
    if sources:
        names = ", ".join(Path(source).name for source in sources)
        words += f"It can be filled from {names}, on this machine: nothing is sent. "
    picked = await ask_user(editor.server, f"texgeist: {words}".strip(), answers) if answers[:-1] else ""
    if picked == use:
        await tasks.do("add", {"sources": sources}, block.report)
        return
    if picked == CHOOSE:
        block.report("Waiting for your choice")
        if await _chosen(editor):
            return
    raise TaskFailed(
        "IndexMissing",
        "There is no library to search yet, so nothing was written.",
        ""
        if editor.client.chooses_papers
        else f"Fill one in a terminal: {command()} index add papers.bib (or a folder of PDFs, cat:cs.CL, or sample to try it).",
    )


async def _chosen(editor: Editor) -> bool:
    """Whether the user chose papers from the client's own list, and they are there."""
    try:
        return await editor.server.protocol.send_request_async(PAPERS, {}) is True
    except JsonRpcException:
        return False


def sources_of(draft: Draft) -> Iterable[Path]:
    """The project's bibliographies on the disk."""
    return (each.path for each in draft.bibliographies if each.path.suffix == ".bib" and each.path.is_file())


def command() -> str:
    """What can be typed: the program is on no PATH where an editor has installed it."""
    if shutil.which("texgeist"):
        return "texgeist"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m texgeist_server"
