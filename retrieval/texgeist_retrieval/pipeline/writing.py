"""The writing step: keeps the papers that the text cites. Also writes other sections of a draft, from gathered evidence and the author's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..defaults import CONCURRENCY
from ..errors import WriterError
from ..evidence.drafting import OutlineWriter, asked_as, material_of, selected_of
from ..models.structured_call import add
from ..ports import Embedder, LanguageModel, Monitor, Writer, Written
from ..types import EvidenceRun, LeftOut, Query, Result, Section, Selected, Sentence
from .bearing import keep_supported

_FAR = (
    "papers on the subject itself: the index that was searched has little on it, and those cited here are "
    "neighbours at best"
)


def said_plainly(query: Query, section: Section) -> Section:
    """If the index holds little on the draft's subject, puts a remark to the author in front of the section.
    The remark stands in the file, unlike a note: otherwise the section could be taken for a review of the
    literature on this subject."""
    if not query.far or not section.paragraphs:
        return section
    return replace(section, paragraphs=((Sentence(_FAR, aside="needs"),), *section.paragraphs))


def cited_evidence(section: Section) -> frozenset[str]:
    """The ids of the evidence that the section cites."""
    return frozenset(id for sentence in section.sentences for id in sentence.evidence)


def keep_used(
    selected: Sequence[Selected], written: Written
) -> tuple[tuple[Selected, ...], tuple[LeftOut, ...]]:
    """Returns the papers that the text cites, with their summaries, and the others with the reasons.

    A paper is cited if a sentence lists one of its evidence ids; a mention in words is not enough."""
    used = cited_evidence(written.section)
    reasons = dict(written.unused)
    kept = tuple(
        _as_written(paper, written) for paper in selected if any(e.id in used for e in paper.evidence)
    )
    ids = {paper.candidate.paper.id for paper in kept}
    rest = tuple(
        LeftOut(paper.candidate, reasons.get(paper.candidate.paper.id, "The writer did not use it."))
        for paper in selected
        if paper.candidate.paper.id not in ids
    )
    return kept, rest


def left_out_note(unused: Sequence[LeftOut], chosen: int) -> str:
    """The note on how many chosen papers the text does not cite, with the number of papers for each of several reasons;
    "" if it cites all."""
    if not unused:
        return ""
    reasons = Counter(one.reason.rstrip(".") for one in unused)
    counted = len(reasons) > 1
    listed = "; ".join(
        f"{reason} ({count})" if counted else reason for reason, count in reasons.most_common()
    )
    were = "was" if len(unused) == 1 else "were"
    return f"{len(unused)} of {chosen} chosen papers {were} left out: {listed}."


def _as_written(paper: Selected, written: Written) -> Selected:
    """The paper with the summary and the scores that the writer gave. A passage without them stays
    unchanged."""
    weights, supports = dict(written.weights), dict(written.supports)
    evidence = tuple(
        replace(e, score=weights.get(e.id, e.score), summary=supports.get(e.id, e.summary))
        for e in paper.evidence
    )
    summary = dict(written.summaries).get(paper.candidate.paper.id, paper.summary)
    return replace(paper, evidence=evidence, summary=summary)


def write_from(
    query: Query,
    run: EvidenceRun,
    embedder: Embedder | None,
    writer: Writer,
    monitor: Monitor,
    judge: LanguageModel | None = None,
) -> Result:
    """Writes the section from the evidence in `run` (of `gather_evidence`). With a `judge`, statements that
    the passages do not support are removed. If the writer fails, the section is an outline of the evidence,
    and a note says why. Raises `Cancelled`."""
    query, selected = asked_as(query, run), selected_of(run)
    monitor.check()
    written, name = _section_or_outline(query, selected, embedder, writer, monitor)
    if judge is not None and name == writer.name:
        material = material_of(query, selected)
        supported = keep_supported(written.section, selected, material, judge, CONCURRENCY, monitor)
        notes = (*written.notes, *supported.notes)
        written = replace(
            written, section=supported.section, usage=add(written.usage, supported.usage), notes=notes
        )
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
        model=embedder.name if embedder else "",
        run=run,
    )


def _section_or_outline(
    query: Query, selected: tuple[Selected, ...], embedder: Embedder | None, writer: Writer, monitor: Monitor
) -> tuple[Written, str]:
    try:
        return writer.write(query, selected, monitor), writer.name
    except WriterError as error:
        monitor.check()
        outline = OutlineWriter(embedder)
        note = f"{error.sentence()} The evidence was put down as notes instead."
        written = outline.write(query, selected, monitor)
        return replace(written, notes=(note, *written.notes)), outline.name
