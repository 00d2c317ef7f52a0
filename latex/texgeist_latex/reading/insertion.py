"""Finds the place for a related-work section in a document."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence

from ..tex import wordlists
from ..tex.scan import without_comments
from ..types import Insertion, Span
from .structure import Flow, Title
from .walk import Frame, Step

# Layout commands between a section's text and the next heading, which belong to neither.
_LAYOUT = re.compile(
    r"(?:\s|\\(?:newpage|clearpage|cleardoublepage|pagebreak|FloatBarrier|medskip|bigskip|smallskip|vfill|balance"
    r"|printglossary|printglossaries|mainmatter|backmatter|hrule|par|noindent|begingroup)\*?(?![A-Za-z])(?:\[[^\]\n]*\])?"
    r"|\\(?:v|h)space\*?\{[^{}\n]*\}|\\(?:pagestyle|thispagestyle)\{[^{}\n]*\})*"
)


def text_end(text: str, start: int, end: int) -> int | None:
    """The end of the last line in `text[start:end]` with more than space, comments and layout; None if there
    is no such line. The text is read backwards, so only skipped lines cost time."""
    stop = end
    while stop > start:
        line_start = max(start, text.rfind("\n", start, stop) + 1)
        line = text[line_start:stop]
        if not _LAYOUT.fullmatch(without_comments(line)):
            return line_start + len(line.rstrip())
        stop = max(start, line_start - 1) if line_start > start else start
    return None


def find_related_work(flow: Flow) -> Title | None:
    """The document's related-work heading: the first of those with the highest level. A heading inside that
    section is preferred if its title is a part of the section's: “Related work” in “Discussion and Related
    Work”. If several chapters of a thesis have such a heading, the result is None."""
    body = [h for h in flow.headings if h.region == "body"]
    found = [h for h in body if wordlists.is_related(h.title)]
    if not found:
        return None
    best = min(found, key=lambda h: (h.level, h.step))
    chapters = sum(h.level == 0 for h in body) > 2
    several = sum(h.level == best.level for h in found) > 1
    if chapters and best.level > 0 and several:
        return None
    end = next((h.step for h in body if h.step > best.step and h.level <= best.level), sys.maxsize)
    inside = (h for h in found if best.step < h.step < end)
    return next((h for h in inside if wordlists.is_narrower(h.title, best.title)), best)


def find_insertion(flow: Flow, steps: Sequence[Step]) -> Insertion | None:
    """The place for a related-work section: in the existing section; else after the introduction; else before
    the conclusion; else at the end of the text. Returns None if there is no document."""
    related = find_related_work(flow)
    if related is not None:
        frame, position = _end_of(related, flow, steps)
        return _insertion(frame, position, f"in the section “{related.title}”", related.level)
    body = [h for h in flow.headings if h.region == "body" and h.level <= 2]
    opening = body[0] if body and wordlists.is_opening(body[0].title) else None
    introduction = next((h for h in body if wordlists.is_introduction(h.title)), opening)
    top = min((h.level for h in body if h is not introduction), default=1)
    if introduction is not None and (introduction.level <= top or body.index(introduction) == 0):
        level = max(introduction.level, 0)
        return _after(introduction, level, flow, steps, "after the introduction")
    conclusion = next(
        (h for h in reversed(body) if h.level <= top and wordlists.is_conclusion(h.title)), None
    )
    if conclusion is not None:
        since = _last_heading(flow, conclusion.frame, conclusion.item.start)
        return _before(conclusion.frame, conclusion.item.start, since, max(top, 0), "before the conclusion")
    if body:
        return _after(body[-1], max(top, 0), flow, steps, "at the end of the text")
    return _at_end(flow, steps, 1)


def _insertion(frame: Frame, position: int, reason: str, level: int) -> Insertion:
    span = Span(frame.parsed.path, position, position)
    return Insertion(span, frame.parsed.scan.line(position), reason, level)


def end_of_section(heading: Title, flow: Flow, steps: Sequence[Step]) -> Span:
    """The end of the section's own text, before its first subsection."""
    frame, position = _end_of(heading, flow, steps)
    return Span(frame.parsed.path, position, position)


def _end_of(heading: Title, flow: Flow, steps: Sequence[Step]) -> tuple[Frame, int]:
    lowest = max(heading.level, 3)  # text under a \paragraph belongs to the section
    after = next((h for h in flow.headings if h.step > heading.step and h.level <= lowest), None)
    if after is not None and after.region == heading.region:
        return _last_text(heading, after.step, steps)
    end = _end_step(flow, steps)  # end of the body: a bibliography may come before the next heading
    stop = after.step if after is not None and not heading.step < end < after.step else end
    frame, position = _last_text(heading, stop, steps)
    before = _before_bibliography_commands(frame, position)
    if before < position:
        since = heading.item.end if frame is heading.frame else frame.begin
        return frame, text_end(frame.parsed.text, since, before) or since
    return frame, position


def _last_text(heading: Title, stop: int, steps: Sequence[Step]) -> tuple[Frame, int]:
    """The file and the end of the last text before the step `stop`, outside of all environments."""
    found = frame, cursor = heading.frame, heading.item.end  # `cursor`: the text before it has been read
    depth = 0
    for step in steps[heading.step + 1 : stop + 1]:
        if step.kind == "enter":
            frame, cursor = step.frame, step.frame.begin
            continue
        item = step.item
        limit = item.start if item is not None else step.frame.parsed.scan.stop
        if depth == 0 and (end := text_end(frame.parsed.text, cursor, limit)) is not None:
            found = frame, end
        if item is None:  # back in the file that includes this one
            frame = step.frame.parent or frame
            cursor = step.frame.at.end if step.frame.at else cursor
            continue
        if step is steps[stop] or (item.kind == "end" and depth == 0):
            break
        depth += (item.kind == "begin") - (item.kind == "end")
        if depth == 0 and item.kind in ("end", "label", "cite"):
            found = frame, item.end
        cursor = max(cursor, item.start if item.kind == "begin" else item.end)
    return found


def _after(heading: Title, level: int, flow: Flow, steps: Sequence[Step], reason: str) -> Insertion | None:
    """The place before the next heading of this or a higher level, in the deepest file with both headings."""
    following = next((h for h in flow.headings if h.step > heading.step and h.level <= heading.level), None)
    if following is None or (flow.appendix is not None and following.region == "appendix"):
        return _at_end(flow, steps, level, reason)
    frame, anchor = _common(heading.frame, following)
    inclusions = (at.end for there, at in heading.frame.chain() if there is frame and at is not None)
    return _before(frame, anchor, next(inclusions, heading.item.end), level, reason)


def _common(first: Frame, second: Title) -> tuple[Frame, int]:
    """The deepest frame that contains both places, and the offset in it of `second` or of its inclusion."""
    way = {id(frame) for frame, _ in first.chain()}
    for frame, inclusion in reversed(second.frame.chain()):
        if id(frame) in way:
            return frame, inclusion.start if inclusion is not None else second.item.start
    return second.frame, second.item.start


def _before(frame: Frame, anchor: int, since: int, level: int, reason: str) -> Insertion:
    """The place before `anchor`, after the last text, and outside of environments opened after `since`."""
    anchor = _outermost(frame, anchor, since)
    end = text_end(frame.parsed.text, since, anchor)
    return _insertion(frame, end if end is not None else since or anchor, reason, level)


def _last_heading(flow: Flow, frame: Frame, before: int) -> int:
    """The end of the last heading before an offset of a file; 0 if there is none."""
    ends = (h.item.end for h in flow.headings if h.frame is frame and h.item.start < before)
    return max(ends, default=0)


def _outermost(frame: Frame, anchor: int, since: int) -> int:
    """The start of the outermost environment open at `anchor` and opened after `since`; else `anchor`."""
    opened: list[tuple[str, int]] = []
    count: Counter[str] = Counter()
    for item in frame.parsed.scan.items:
        if item.start >= anchor:
            break
        if item.kind == "begin" and item.name != "document":
            opened.append((item.name, item.start))
            count[item.name] += 1
        elif item.kind == "end" and count[item.name]:
            while (last := opened.pop())[0] != item.name:
                count[last[0]] -= 1
            count[item.name] -= 1
    closed = {item.name for item in frame.parsed.scan.items if item.kind == "end" and item.start >= anchor}
    return next((start for name, start in opened if name in closed and start >= since), anchor)


def _end_step(flow: Flow, steps: Sequence[Step]) -> int:
    ends = flow.ends
    return next((i for i, step in enumerate(steps) if step in ends), len(steps) - 1)


def _at_end(
    flow: Flow, steps: Sequence[Step], level: int, reason: str = "at the end of the text"
) -> Insertion | None:
    """The place before acknowledgements, bibliography or appendix; else before the end of the document."""
    last = max((h.step for h in flow.headings if h.region == "body"), default=-1)
    thanks = next((h for h in flow.headings if h.region == "skip" and h.step > last), None)
    if thanks is not None and flow.begin is not None:
        frame, anchor = thanks.frame, thanks.item.start
    else:
        step = steps[_end_step(flow, steps)] if steps else None
        if step is None or (flow.begin is None and flow.headings == []):
            return None
        frame = step.frame
        anchor = step.item.start if step.item is not None else frame.parsed.scan.stop
        anchor = _before_bibliography_commands(frame, anchor)
    return _before(frame, anchor, _last_heading(flow, frame, anchor), level, reason)


_MAY_BEGIN = re.compile(r"^[ \t]*(?:\{|\\bibliographystyle|\\begin\{small\})", re.M)
_TO_BIBLIOGRAPHY = re.compile(
    r"(?:\s|%[^\n]*\n|\\bibliographystyle\{[^{}]*\}|\\(?:small|footnotesize|raggedright)(?![A-Za-z])|\{)*\Z"
)


def _before_bibliography_commands(frame: Frame, anchor: int) -> int:
    r"""The place before commands such as `\bibliographystyle` that belong to the following bibliography."""
    low = max(0, anchor - 400)
    head = frame.parsed.text[low:anchor]
    starts = [m.start() for m in _MAY_BEGIN.finditer(head)]
    return next((low + start for start in starts if _TO_BIBLIOGRAPHY.match(head, start)), anchor)
