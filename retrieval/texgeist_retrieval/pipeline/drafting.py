"""Any section of the draft, written from the evidence that was gathered for it and from the author's own text."""

from __future__ import annotations

from dataclasses import replace

from ..defaults import CONCURRENCY
from ..errors import WriterError
from ..evidence.drafting import OutlineWriter, asked_as, material_of, selected_of
from ..models.structured_call import add
from ..ports import Embedder, LanguageModel, Monitor, Writer, Written
from ..types import EvidenceRun, Query, Result, Selected
from .bearing import only_what_is_borne
from .writing import keep_used


def write_from(
    query: Query,
    run: EvidenceRun,
    embedder: Embedder,
    writer: Writer,
    monitor: Monitor,
    judge: LanguageModel | None = None,
    concurrency: int = CONCURRENCY,
) -> Result:
    """The section from what `gather_evidence` found, and how that was found. With a `judge` nothing stands in it that
    the passages do not bear. Raises `Cancelled`; where the model cannot write, the evidence stands as an outline and a
    note says why."""
    query, selected = asked_as(query, run), selected_of(run)
    monitor.check()
    written, name = _written(query, selected, embedder, writer, monitor)
    if judge is not None and name == writer.name:
        material = material_of(query, selected)
        borne = only_what_is_borne(written.section, selected, material, judge, concurrency, monitor)
        notes = (*written.notes, *borne.notes)
        written = replace(written, section=borne.section, usage=add(written.usage, borne.usage), notes=notes)
    used, unused = keep_used(selected, written)
    return Result(
        query=query,
        section=written.section,
        selected=used,
        left_out=unused,
        found=len(selected),
        notes=(*run.notes, *written.notes),
        usage=add(run.usage, written.usage),
        writer=name,
        model=embedder.name,
        run=run,
    )


def _written(
    query: Query, selected: tuple[Selected, ...], embedder: Embedder, writer: Writer, monitor: Monitor
) -> tuple[Written, str]:
    try:
        return writer.write(query, selected, monitor), writer.name
    except WriterError as error:
        monitor.check()
        outline = OutlineWriter(embedder)
        note = f"{error.sentence()} The evidence was put down as notes instead."
        written = outline.write(query, selected, monitor)
        return replace(written, notes=(note, *written.notes)), outline.name
