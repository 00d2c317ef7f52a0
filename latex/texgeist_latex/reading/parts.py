"""What stands under each heading: its text, its place in the files, and where more may follow it."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import Heading, Part, Span, TextPage
from .insertion import end_of_section
from .outline import Flow, Title
from .pages import Paragraph
from .walk import Step


def parts(
    flow: Flow, steps: Sequence[Step], paragraphs: Sequence[Paragraph], headings: Sequence[Heading]
) -> tuple[Part, ...]:
    """One part a heading of the body, in `headings`' order: what stands under it up to the next heading of
    any rank. Linear in the steps, but for the places, which look at a section each."""
    body = [i for i, title in enumerate(flow.headings) if title.region == "body"]
    texts: dict[int, list[TextPage]] = {}
    for p in paragraphs:
        texts.setdefault(p.heading, []).append(TextPage(p.text, p.file, p.line))
    found = []
    for heading, index in zip(headings, body, strict=True):
        place = end_of_section(flow.headings[index], flow, steps)
        pieces = _pieces(flow.headings, index, flow, steps)
        found.append(Part(heading, tuple(texts.get(index, ())), pieces, place))
    return tuple(found)


def _pieces(titles: Sequence[Title], index: int, flow: Flow, steps: Sequence[Step]) -> tuple[Span, ...]:
    """The stretches of the files from behind the heading to the next heading, bibliography or appendix."""
    title = titles[index]
    following = titles[index + 1].step if index + 1 < len(titles) else len(steps)
    marks = [mark for mark in (flow.appendix, flow.printed, flow.end) if mark is not None]
    found: list[Span] = []
    frame, cursor = title.frame, title.item.end
    for at in range(title.step + 1, len(steps)):
        step, item = steps[at], steps[at].item
        ends = at == following or any(step is mark for mark in marks)
        if step.kind == "enter":
            frame, cursor = step.frame, step.frame.begin
        elif step.kind == "leave":
            found.append(Span(frame.parsed.path, cursor, max(cursor, step.frame.parsed.scan.stop)))
            if step.frame.parent is None:
                return _filled(found)
            frame = step.frame.parent
            cursor = step.frame.at.end if step.frame.at else cursor
        elif item is not None and (ends or item.kind == "include"):
            found.append(Span(frame.parsed.path, cursor, max(cursor, item.start)))
            cursor = max(cursor, item.end)
        if ends:
            break
    return _filled(found)


def _filled(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.end > span.start)
