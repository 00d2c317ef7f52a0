"""Several sources as one, and none at all."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import MetadataIncomplete, PaperUnreadable, SourceError
from ..ports import Monitor, PaperSource, TitleSource
from ..types import Paper


class EmptySource:
    """Reads nothing: papers are judged by their abstracts, and nothing is fetched."""

    def __init__(self, reason: str = "Full texts are switched off.") -> None:
        self._reason = reason

    def metadata(self, ids: Sequence[str], monitor: Monitor | None = None) -> dict[str, Paper]:
        return {}

    def pages(self, paper: Paper, monitor: Monitor | None = None) -> list[str]:
        raise PaperUnreadable(self._reason)


class ChainSource:
    """The first source that has it, in order: the user's own files before the network."""

    def __init__(self, sources: Sequence[PaperSource]) -> None:
        self._sources = tuple(sources)

    def metadata(self, ids: Sequence[str], monitor: Monitor | None = None) -> dict[str, Paper]:
        """What any of them knows. A source that fails is an error only when ids stay unknown, or are known
        from earlier alone: `MetadataIncomplete` then holds what is known."""
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

    def titled(self, titles: Sequence[str], monitor: Monitor | None = None) -> list[Paper]:
        """See `TitleSource`: of the first source that can be asked so; nothing where none can."""
        askable = (source for source in self._sources if isinstance(source, TitleSource))
        first = next(askable, None)
        return first.titled(titles, monitor) if first else []

    def pages(self, paper: Paper, monitor: Monitor | None = None) -> list[str]:
        """Raises the last source's error: the one that was to have everything."""
        failed: SourceError = PaperUnreadable("There is no source of full texts.")
        for source in self._sources:
            try:
                return source.pages(paper, monitor)
            except SourceError as error:
                failed = error
        raise failed
