"""What mends a failure, as buttons of its message: commands that the client has, by their names there."""

from __future__ import annotations

from ..errors import TaskFailed

Mend = tuple[str, str]  # the button, the client's command
PAPERS: Mend = ("Choose Papers…", "choosePapers")
WRITER: Mend = ("Choose the Writer…", "chooseWriter")
KEY: Mend = ("Set a Key…", "setKey")
LOG: Mend = ("Show the Log", "showLog")
TRUST: Mend = ("Manage Trust", "trust")

_MENDS: dict[str, tuple[Mend, ...]] = {
    "IndexMissing": (PAPERS,),
    "IndexMismatch": (PAPERS,),
    "IndexUnavailable": (PAPERS, LOG),
    "IndexDenied": (KEY, PAPERS),
    "NoSource": (PAPERS,),
    "NothingToCite": (PAPERS,),
    "WriterDenied": (KEY, WRITER),
    "WriterUnavailable": (WRITER, LOG),
    "WriterRefused": (WRITER,),
    "WriterTruncated": (WRITER,),
    "WriterInvalid": (WRITER, LOG),
    "WorkerDied": (LOG,),
    "Untrusted": (TRUST,),
}


def mends_of(error: Exception) -> tuple[Mend, ...]:
    """None where the sentence says all that can be done."""
    return _MENDS.get(error.kind if isinstance(error, TaskFailed) else type(error).__name__, ())
