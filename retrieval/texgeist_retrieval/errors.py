"""The errors of retrieval.

    RetrievalError
    ├── Cancelled            the user asked to stop
    ├── ModelMissing         the embedding model is not installed and could not be fetched
    │   ├── ModelUnreachable neither the model hub nor the package index answers (try again)
    │   └── ModelUnusable    another model was set, and its packages, files or device are missing
    ├── ModelCorrupt         its hash or its reference vectors do not agree
    ├── SearchError
    │   ├── IndexUnavailable refused, hung, wrong address, failed during a search (try again)
    │   ├── IndexDenied      wrong user or token
    │   ├── IndexReadOnly    opened for searching, or the server gives no right to write
    │   ├── IndexRefused     the index rejected the content of a row
    │   ├── IndexMissing     no such collection, or it is empty
    │   │   └── LibraryMissing  the user's own library does not exist yet, or is empty
    │   └── IndexMismatch    made by another model, or of another dimension
    ├── SourceError
    │   ├── SourceUnavailable  the source does not answer (try again)
    │   │   ├── MetadataIncomplete  but some metadata is cached
    │   │   └── NoSource            not a source of papers, or missing
    │   └── PaperUnreadable    no text of this paper is available
    └── WriterError
        ├── WriterUnavailable  overloaded, connection refused (try again)
        │   └── WriterTimedOut no answer within `writer.timeoutSeconds`
        ├── WriterDenied       no key, or a wrong key
        ├── WriterRefused      the model declined
        ├── WriterTruncated    the answer was cut off
        └── WriterInvalid      the answer violates the schema or cites unknown evidence

An empty result is an empty list; a failure is an exception. `str(e)` says what happened, `e.help` what the
user can do, `e.retryable` whether trying again may help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .types import Paper


class RetrievalError(Exception):
    retryable = False

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help

    def sentence(self) -> str:
        """Message and help in one text for the user."""
        return f"{self} {self.help}".strip()


class Cancelled(RetrievalError):
    """The user asked to stop. Code that has already changed something must pass another message."""

    def __init__(self, message: str = "Cancelled, nothing was changed.", help: str = "") -> None:
        super().__init__(message, help)


class ModelMissing(RetrievalError): ...


class ModelUnusable(ModelMissing): ...


class ModelUnreachable(ModelMissing):
    retryable = True


class ModelCorrupt(RetrievalError): ...


class SearchError(RetrievalError): ...


class IndexUnavailable(SearchError):
    retryable = True


class IndexDenied(SearchError): ...


class IndexReadOnly(SearchError): ...


class IndexRefused(SearchError): ...


class IndexMissing(SearchError): ...


class LibraryMissing(IndexMissing): ...


class IndexMismatch(SearchError): ...


class SourceError(RetrievalError): ...


class SourceUnavailable(SourceError):
    retryable = True


class MetadataIncomplete(SourceUnavailable):
    """`known`: the available metadata, by id."""

    def __init__(self, cause: SourceError, known: Mapping[str, Paper]) -> None:
        super().__init__(str(cause), cause.help)
        self.known = known


class NoSource(SourceUnavailable):
    retryable = False


class PaperUnreadable(SourceError): ...


class WriterError(RetrievalError): ...


class WriterUnavailable(WriterError):
    retryable = True


class WriterTimedOut(WriterUnavailable): ...


class WriterDenied(WriterError): ...


class WriterRefused(WriterError): ...


class WriterTruncated(WriterError): ...


class WriterInvalid(WriterError): ...


def with_extra(extra: str) -> str:
    """How to install an extra: from a clone, because texgeist is not on the package index yet."""
    return f"In a clone of texgeist: `uv tool install '.[{extra}]'`, or `pip install '.[{extra}]'`."


def cause(error: Exception) -> str:
    """The reason of an error, for messages: the system's text without error number and file name."""
    return getattr(error, "strerror", None) or str(error)
