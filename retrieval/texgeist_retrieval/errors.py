"""Every failure that retrieval can raise.

    RetrievalError
    ├── Cancelled            the user asked to stop
    ├── ModelMissing         the embedding model is not here and could not be fetched
    │   ├── ModelUnreachable neither the model hub nor the package index answers (try again)
    │   └── ModelUnusable    another model, whose packages, files or device are not here: fetching ours helps nobody
    ├── ModelCorrupt         its hash or its reference vectors do not agree
    ├── SearchError
    │   ├── IndexUnavailable refused, hung, bad address, dying in mid-search (try again)
    │   ├── IndexDenied      wrong user or token
    │   ├── IndexReadOnly    not the user's to write to, by their own word or by the server's
    │   ├── IndexRefused     it took the call and refuses what was in it
    │   ├── IndexMissing     no such collection, or nothing in it
    │   └── IndexMismatch    made by another model, or of another dimension
    ├── SourceError
    │   ├── SourceUnavailable  arXiv does not answer (try again)
    │   │   ├── MetadataIncomplete  but something is known from before
    │   │   └── NoSource            what was named is no source of papers, or is not there
    │   └── PaperUnreadable    no text to be had from this paper
    └── WriterError
        ├── WriterUnavailable  overloaded, refused connection, time out (try again)
        ├── WriterDenied       no key or a wrong one
        ├── WriterRefused      the model declined
        ├── WriterTruncated    the answer was cut off
        └── WriterInvalid      the answer does not keep to the schema or cites what it was not given

Nothing found is an empty list; failure is an exception. `str(e)` says what happened, `e.help` what the
user can do, `e.retryable` whether trying again may help.
"""

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
        """Message and help as one text for people."""
        return f"{self} {self.help}".strip()


class Cancelled(RetrievalError):
    """Whoever has changed something by then says what, in place of the words here."""

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


class IndexMismatch(SearchError): ...


class SourceError(RetrievalError): ...


class SourceUnavailable(SourceError):
    retryable = True


class MetadataIncomplete(SourceUnavailable):
    """`known`: what is known of the papers asked for, by id."""

    def __init__(self, cause: SourceError, known: Mapping[str, Paper]) -> None:
        super().__init__(str(cause), cause.help)
        self.known = known


class NoSource(SourceUnavailable):
    retryable = False


class PaperUnreadable(SourceError): ...


class WriterError(RetrievalError): ...


class WriterUnavailable(WriterError):
    retryable = True


class WriterDenied(WriterError): ...


class WriterRefused(WriterError): ...


class WriterTruncated(WriterError): ...


class WriterInvalid(WriterError): ...


class ToolsUnknown(WriterInvalid): ...


def cause(error: Exception) -> str:
    """What went wrong, for people: the system's words without its error number and the file's name."""
    return getattr(error, "strerror", None) or str(error)
