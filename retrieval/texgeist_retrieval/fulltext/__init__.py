"""Sources of metadata and full texts. Heavy libraries are imported only when they are used."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import MetadataIncomplete, PaperUnreadable, SourceError
from ..monitor import SILENT
from ..ports import Monitor, PaperSource
from ..types import Paper
from .arxiv import ArxivSource
from .local import LocalSource, attached_pdfs
from .pdf import read_pdf

__all__ = ["ArxivSource", "ChainSource", "EmptySource", "LocalSource", "attached_pdfs", "read_pdf"]


class EmptySource(PaperSource):
    """A source without papers: only abstracts are used, and nothing is fetched."""

    def __init__(self, reason: str = "Full texts are switched off.") -> None:
        self._reason = reason

    def metadata(self, ids: Sequence[str], monitor: Monitor = SILENT) -> dict[str, Paper]:
        return {}

    def pages(self, paper: Paper, monitor: Monitor = SILENT) -> list[str]:
        raise PaperUnreadable(self._reason)


class ChainSource(PaperSource):
    """A source that asks several sources in the given order, for example the user's files before the
    network."""

    def __init__(self, sources: Sequence[PaperSource]) -> None:
        self._sources = tuple(sources)

    def metadata(self, ids: Sequence[str], monitor: Monitor = SILENT) -> dict[str, Paper]:
        """Combines the results of the sources; each is asked for the ids that are still unknown. If a source
        failed, raises `MetadataIncomplete` with the results, or its error if there are no results."""
        known: dict[str, Paper] = {}
        failed: SourceError | None = None
        for source in self._sources:
            open_ids = [id for id in ids if id not in known]
            if not open_ids:
                break
            try:
                known |= source.metadata(open_ids, monitor)
            except MetadataIncomplete as error:
                known |= error.known
                failed = failed or error
            except SourceError as error:
                failed = failed or error
        if failed is not None:
            raise MetadataIncomplete(failed, known) if known else failed
        return known

    def titled(self, titles: Sequence[str], monitor: Monitor = SILENT) -> list[Paper]:
        """The papers that the first source with results returns."""
        return next(filter(None, (source.titled(titles, monitor) for source in self._sources)), [])

    def pages(self, paper: Paper, monitor: Monitor = SILENT) -> list[str]:
        """The pages from the first source that has them. Raises the error of the last source, which is the
        most complete source."""
        failed: SourceError = PaperUnreadable("There is no source of full texts.")
        for source in self._sources:
            try:
                return source.pages(paper, monitor)
            except SourceError as error:
                failed = error
        raise failed
