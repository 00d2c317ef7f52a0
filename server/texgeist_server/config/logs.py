"""What went on, in a file of the platform's log folder: for a bug report, and for the user alone.

Neither drafts nor keys are in it: our own lines name files and failures, pygls and the libraries that log
whole messages are kept to warnings."""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler

LINES = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
MOST_BYTES, OLDER = 1_000_000, 2


def log_to_file(verbose: bool = False) -> None:
    """Logs to the file and, with `verbose`, to standard error. Where no file can be kept, there is none."""
    from texgeist_retrieval.errors import RetrievalError

    from .storage import log_file

    ours = [logging.getLogger(name) for name in ("texgeist_server", "texgeist_retrieval", "texgeist_latex")]
    for logger in ours:
        logger.setLevel(logging.DEBUG if verbose else logging.INFO)
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)] if verbose else []
    try:
        log_file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = RotatingFileHandler(
            log_file(), maxBytes=MOST_BYTES, backupCount=OLDER, encoding="utf-8", delay=True
        )
    except (OSError, RetrievalError):  # what needs the folder will say so
        kept = None
    for handler in [*handlers, *([kept] if kept else [])]:
        handler.setFormatter(logging.Formatter(LINES))
        for logger in ours:
            logger.addHandler(handler)
    for logger in ours:
        logger.propagate = logger.propagate and not verbose
