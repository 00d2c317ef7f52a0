"""Completes the results of an index that holds ids and vectors alone, as the hosted index does: fetches
titles and abstracts, and applies the limits for which the index has no fields (dates, categories). It
searches deeper until enough papers are within the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import MetadataIncomplete, SearchError, SourceError, SourceUnavailable
from ..index.paper_rows import is_within
from ..ports import Monitor, PaperSource
from ..types import Candidate, Filters, LeftOut, Paper

STEPS = 3  # how often the search is repeated with a greater depth
LEAST_DEEPER, MOST_DEEPER = 2, 8  # factors by which the depth grows
SPARE = 1.3  # factor for safety on the depth computed from the share of papers within the limits
MOST_LOOKED_UP = 1500  # papers: one request to arXiv covers about 500, every three seconds


@dataclass(frozen=True, slots=True)
class Completed:
    """Search results with titles; results without a title are in `left_out`."""

    candidates: list[Candidate]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()


def complete(candidates: Sequence[Candidate], source: PaperSource, monitor: Monitor) -> Completed:
    """Fetches the missing titles and abstracts in one request, for an index that holds only ids and vectors.

    A paper without a title cannot be cited and is left out. Raises a `SourceError` if no paper remains."""
    bare = [candidate.paper.id for candidate in candidates if not candidate.paper.title]
    if not bare:
        return Completed(list(candidates))
    notes: tuple[str, ...] = ()
    monitor.report(f"Fetching titles and abstracts of {len(bare)} papers")
    try:
        known: Mapping[str, Paper] = source.metadata(bare, monitor)
    except MetadataIncomplete as error:
        known = error.known
        notes = (
            f"{error.sentence()} Of {len(bare)} papers found, the {len(known)} that were looked up earlier "
            "were used.",
        )
    except SourceError as error:
        if len(bare) == len(candidates):
            raise
        known, notes = {}, (f"{error.sentence()} {len(bare)} papers without a title were left out.",)
    filled = [replace(c, paper=known.get(c.paper.id, c.paper)) for c in candidates]
    lost = tuple(LeftOut(c, "Its title could not be fetched.") for c in filled if not c.paper.title)
    if len(lost) == len(filled):
        raise SourceUnavailable(
            f"The index holds only the ids of the {len(lost)} papers found, and their titles could not be fetched.",
            "Allow texgeist to ask arXiv, or search an index that holds titles.",
        )
    return Completed([c for c in filled if c.paper.title], lost, notes)


def keep_within(
    found: Completed,
    limits: Filters,
    wanted: int,
    depth: int,
    deeper: Callable[[int], Completed],
    monitor: Monitor,
) -> Completed:
    """Returns the papers within `limits`. If these are fewer than `wanted`, the search is repeated up to
    `STEPS` times with a greater depth (`deeper`). If a repetition fails, the earlier results are used, and a
    note says so."""
    if limits == Filters():
        return found
    dated = replace(limits, topics=())
    trouble: tuple[str, ...] = ()
    for _ in range(STEPS if dated != Filters() else 0):
        kept = _within(found, dated)
        if len(kept) >= wanted or len(found.candidates) >= MOST_LOOKED_UP:
            break
        monitor.report(f"{len(kept)} of {wanted} papers are within {in_words(dated)}, searching deeper")
        before = len(found.candidates)
        try:
            found = deeper(depth := _deeper(depth, len(kept), wanted))
        except (SearchError, SourceError) as error:
            trouble = (f"{error.sentence()} The results so far were used.",)
            break
        if len(found.candidates) <= before:
            break  # the index has no further results
    kept = _within(found, dated)
    notes = (*found.notes, *trouble, *_limit_notes(limits, dated, len(found.candidates), len(kept), wanted))
    return Completed(kept, found.left_out, notes)


def _deeper(depth: int, kept: int, wanted: int) -> int:
    """The next depth, computed from the share of the papers so far that are within the limits."""
    times = min(max(SPARE * wanted / max(kept, 1), LEAST_DEEPER), MOST_DEEPER)
    return min(round(depth * times), MOST_LOOKED_UP)


def _within(found: Completed, limits: Filters) -> list[Candidate]:
    return [candidate for candidate in found.candidates if is_within(candidate.paper, limits)]


def _limit_notes(limits: Filters, dated: Filters, looked_at: int, kept: int, wanted: int) -> tuple[str, ...]:
    notes: list[str] = []
    if dated != Filters():
        few = " To find more, widen the limits." if kept < wanted else ""
        notes.append(
            f"The index holds neither dates nor categories: {looked_at} papers were looked up, and {kept} of "
            f"them are within {in_words(dated)}.{few}"
        )
    if limits.topics:
        notes.append("The index holds no topics, so the limit to topics was not applied.")
    return tuple(notes)


def in_words(limits: Filters) -> str:
    """The limits as text for the user: "since 2020, until 2023, cs.CL or cs.IR"."""
    parts = [
        f"since {limits.since}" if limits.since else "",
        f"until {limits.until}" if limits.until else "",
        " or ".join(limits.categories),
    ]
    return ", ".join(filter(None, parts))
