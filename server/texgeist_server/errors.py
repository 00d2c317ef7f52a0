"""Errors of the server, in addition to those of reading and of retrieval.

ServerError
├── TaskFailed       an error in the worker, with its message (`kind` is its class)
├── WorkerDied       the worker process ended during a task (retry)
├── EditRefused      the edit is not possible, or the document changed meanwhile (retry)
├── SectionEdited    a generated section was edited; it is replaced only if the user agrees
├── NothingToCite    no paper to cite was found, so nothing is written
├── Busy             another job of the project is running
├── SearchGone       a search kept for review was dropped (it is repeated)
└── Untrusted        the workspace is not trusted, so nothing is run or sent
"""

from __future__ import annotations

UNCHANGED = "nothing was changed."  # the message for cancelled work that changed nothing


class ServerError(Exception):
    retryable = False

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help

    def sentence(self) -> str:
        return f"{self} {self.help}".strip()


class TaskFailed(ServerError):
    def __init__(self, kind: str, message: str, help: str = "", retryable: bool = False) -> None:
        super().__init__(message, help)
        self.kind = kind
        self.retryable = retryable


class WorkerDied(ServerError):
    retryable = True

    def __init__(self, code: int | None) -> None:
        super().__init__(
            f"texgeist's worker process ended unexpectedly (code {code}).",
            "Your documents were not changed. Try again; the log says more.",
        )


class EditRefused(ServerError):
    retryable = True


class EditDeclined(EditRefused):
    """The user declined the edit; not a failure."""


class SectionEdited(ServerError):
    """`difference`: the changes of the section since it was generated, as lines; "" if unknown."""

    def __init__(self, message: str, difference: str) -> None:
        super().__init__(
            message,
            "To discard your edits and replace it, write it again (on the command line, with --anew).",
        )
        self.difference = difference


class NothingToCite(ServerError):
    def __init__(
        self,
        what: str = "No paper was found to cite, so nothing was written.",
        help: str = "Without a language model, a paper needs an abstract or a text that can be quoted. Fetch the abstracts of "
        "your entries, discover papers for the draft, or add papers to your library. If you set dates, categories or "
        "topics, widen them.",
    ) -> None:
        super().__init__(what, help)


class Busy(ServerError):
    retryable = True


class SearchGone(ServerError):
    retryable = True


class Untrusted(ServerError):
    def __init__(self) -> None:
        super().__init__(
            "This workspace is not trusted, so texgeist runs nothing and sends nothing.",
            "Trust the workspace to write related work.",
        )
