"""Plans text edits from sentences and references.

Each `plan_…` reads the draft without changing it and returns an `EditPlan`: the section between its two
marks, the missing bibliography entries, and other edits that the document needs for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.errors import NoPlace
from texgeist_latex.tex.markdown import PARENTHETICAL, cited_key, is_markdown
from texgeist_latex.tex.wordlists import language_of
from texgeist_latex.types import (
    Draft,
    Edit,
    EditPlan,
    ProseSection,
    ProseSentence,
    Reference,
    Span,
)
from texgeist_latex.writing.admission import checked_references, checked_section, comment
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.blocks import (
    SECTION_ID,
    behind_blocks,
    block_of,
    changed_citations,
    free_identifier,
    identifier_of,
    merged_into,
    old_block,
)
from texgeist_latex.writing.escape import Charset, escape, lost
from texgeist_latex.writing.habits import document_charset, heading_line, label_line, layout_of
from texgeist_latex.writing.new_entries import NewEntries, new_entries
from texgeist_latex.writing.places import (
    citation_at,
    citation_ending,
    citation_place,
    insertion,
    paragraph_place,
)
from texgeist_latex.writing.prose import citation, citing_style, paragraph, sentence_latex
from texgeist_latex.writing.targets import source_of

__all__ = ["apply_plan", "plan_answer", "plan_citation", "plan_related_work", "plan_removal", "plan_section"]


def plan_related_work(
    draft: Draft,
    section: ProseSection,
    references: Sequence[Reference],
    *,
    bibliography: Path | None = None,
    section_id: str | None = None,
    at: Span | None = None,
    written: str = "",
    gone: Sequence[str] = (),
) -> EditPlan:
    """Plans a section and its bibliography entries.

    An earlier section with this id is replaced: its heading and labels are kept, and the author's edits are
    merged if its text as last generated (`written`) is given. `gone`: the sentences that the author removed earlier. A
    new section is inserted into the document's own related-work section, else at `draft.insertion`, or after the
    paragraph at `at`. Only papers cited in a sentence get entries. Raises NoPlace if there is no place for the text or
    the entries.
    """
    section, references = _checked(draft, section, references)
    identifier = identifier_of(section_id or SECTION_ID)
    old = old_block(draft, identifier)
    file, place = (old.span.file, old.span.start) if old else _place(draft, at)
    charset = document_charset(draft, file)
    if old:  # the user may have renamed its heading
        heading = old.heading(source_of(draft, file).text).replace("\r\n", "\n")
    else:
        heading = _new_heading(draft, charset, section, at)
    spot = _Spot(file, place, charset, heading)
    return _planned(draft, spot, section, references, identifier, bibliography, written, gone)


def plan_answer(
    draft: Draft, file: Path, offset: int, section: ProseSection, references: Sequence[Reference]
) -> EditPlan:
    """Plans paragraphs after the paragraph at `offset`. The section's title (the question) is added above
    them as a comment, for the author only."""
    section, references = _checked(draft, section, references)
    identifier = free_identifier(draft, "answer")
    source = source_of(draft, file)
    place = paragraph_place(source, offset)
    title = comment(section.title).encode(source.encoding, "replace").decode(source.encoding)
    spot = _Spot(file, place, document_charset(draft, file), f"% {title}" if title else "")
    return _planned(draft, spot, section, references, identifier)


def plan_section(
    draft: Draft,
    place: Span,
    section: ProseSection,
    references: Sequence[Reference],
    *,
    section_id: str,
    bibliography: Path | None = None,
    written: str = "",
    gone: Sequence[str] = (),
) -> EditPlan:
    """Plans paragraphs after the author's own text of a section, which ends at `place` and is not changed.
    Text generated earlier with this id is replaced; the author's edits of it are merged if it is given (`written`,
    `gone`: see `plan_related_work`)."""
    section, references = _checked(draft, section, references)
    identifier = identifier_of(section_id)
    old = old_block(draft, identifier)
    file = old.span.file if old else place.file
    start = old.span.start if old else behind_blocks(source_of(draft, file), place.start)
    spot = _Spot(file, start, document_charset(draft, file), "")
    return _planned(draft, spot, section, references, identifier, bibliography, written, gone)


def _checked(
    draft: Draft, section: ProseSection, references: Sequence[Reference]
) -> tuple[ProseSection, list[Reference]]:
    """Raises NoPlace for a Markdown document."""
    if is_markdown(draft.root):
        raise NoPlace(
            f"{draft.root.name} is Markdown, and texgeist writes sections into LaTeX documents only.",
            "In Markdown, select a sentence and ask for citations.",
        )
    return checked_section(section), checked_references(references)


@dataclass(frozen=True, slots=True)
class _Spot:
    """The place for a text, the charset there, and the heading of the text."""

    file: Path
    start: int
    charset: Charset
    heading: str


def _planned(
    draft: Draft,
    spot: _Spot,
    section: ProseSection,
    references: Sequence[Reference],
    identifier: str,
    bibliography: Path | None = None,
    written: str = "",
    gone: Sequence[str] = (),
) -> EditPlan:
    """Plans the section at `spot`. An earlier block with this id is replaced, or merged with the section if
    its earlier text is given."""
    file, charset = spot.file, spot.charset
    old, source, cited = old_block(draft, identifier), source_of(draft, file), _cited(section, references)
    papers = new_entries(draft, cited, bibliography, file, charset)
    sentences = _sentences(draft, charset, section, references, papers)
    block = block_of(identifier, spot.heading, _body(draft, file, section, sentences))
    if old and written:
        merged = merged_into(source, old, block, written, gone, layout_of(draft, file))
        used = [each for each in cited if papers.keys[each.id] in merged.keys]
        papers = new_entries(draft, used, bibliography, file, charset, papers.keys)
        changes = changed_citations(draft, old, written, merged.keys)
        notes = (*_notes(charset, section, papers), *changes, *merged.notes)
        plan = papers.plan(merged.edits, merged.latex, identifier, notes, sentences)
        return replace(plan, written=block, gone=merged.gone)
    if old:
        edit = Edit(file, old.span.start, old.span.end, block.replace("\n", source.newline))
    else:
        edit = insertion(source, spot.start, block)
    return papers.plan([edit], block, identifier, _notes(charset, section, papers), sentences)


def plan_citation(
    draft: Draft, file: Path, offset: int, references: Sequence[Reference], mark: Span | None = None
) -> EditPlan:
    """Plans a citation of the papers in the sentence at `offset`: instead of `mark` (see `citation_marks`), else
    before its full stop, or as further keys of an existing citation there, whose `latex` is the whole command as it will read."""
    source = source_of(draft, file)
    if not references:
        return EditPlan((), "", "", {})
    touched = None if mark else citation_at(draft, file, offset)
    place = mark.start if mark else offset if touched else citation_place(source, offset)
    touched = touched or (None if mark else citation_ending(draft, file, place))
    charset = document_charset(draft, file)
    references = checked_references(references)
    papers = new_entries(draft, references, None, file, charset)
    keys = list(dict.fromkeys(papers.keys[reference.id] for reference in references))
    if touched is not None:
        present, after = touched
        keys = [key for key in keys if key not in present]
        markdown = draft.style.parenthetical == PARENTHETICAL
        text = "".join(f"; {cited_key(key)}" if markdown else f",{key}" for key in keys)
        spans = [each.command_span for each in draft.citations if each.span.file == file]
        span = next(span for span in spans if span.start < after <= span.end)
        shown = source.text[span.start : after] + text + source.text[after : span.end] if keys else ""
        place = after
    else:
        citing = citing_style(draft, charset, papers.target)
        in_command = mark is not None and source.text[: mark.start].endswith("{")
        text = shown = ",".join(keys) if in_command else citing.tie + citation(citing.parenthetical, keys)
    edits = [Edit(file, place, mark.end if mark else place, text)] if keys else []
    return papers.plan(edits, shown, sentences=[text])


def plan_removal(draft: Draft, section_id: str) -> EditPlan:
    """Plans the removal of the block with this id. Its bibliography entries are kept: a `.bib` is only
    appended to, and other texts may cite them."""
    identifier = identifier_of(section_id)
    block = old_block(draft, identifier)
    if block is None:
        raise NoPlace(f"The document has no generated text with the id {identifier}.")
    text = source_of(draft, block.span.file).text
    stop = block.span.end
    blank = re.compile(r"[ \t]*\r?\n(?:[ \t]*\r?\n)?").match(text, stop)
    edit = Edit(block.span.file, block.span.start, blank.end() if blank else stop, "")
    note = "The bibliography entries stay where they are."
    return EditPlan((edit,), "", "", {}, notes=(note,), section_id=identifier)


def _cited(section: ProseSection, references: Sequence[Reference]) -> list[Reference]:
    """The references cited in sentences, in the order of their first citation."""
    by_id = {reference.id: reference for reference in references}
    named = dict.fromkeys(
        name for paragraph in section.paragraphs for s in paragraph for name in s.references
    )
    unknown = [name for name in named if name not in by_id]
    if unknown:
        raise ValueError(f"A sentence cites {unknown[0]!r}, which is not among the references.")
    return [by_id[name] for name in named]


def _sentences(
    draft: Draft, charset: Charset, section: ProseSection, references: Sequence[Reference], papers: NewEntries
) -> list[str]:
    prose = " ".join(_words(sentence) for paragraph in section.paragraphs for sentence in paragraph)
    citing = citing_style(draft, charset, papers.target, prose)
    by_id = {reference.id: reference for reference in references}
    return [
        sentence_latex(sentence, citing, papers.keys, by_id)
        for paragraph in section.paragraphs
        for sentence in paragraph
    ]


def _body(draft: Draft, file: Path, section: ProseSection, sentences: Sequence[str]) -> str:
    layout = layout_of(draft, file)
    latex = iter(sentences)
    paragraphs = [paragraph([(each, next(latex)) for each in part], layout) for part in section.paragraphs]
    return "\n\n".join(text for text in paragraphs if text)


def _new_heading(draft: Draft, charset: Charset, section: ProseSection, at: Span | None) -> str:
    """The heading of a new section; "" if the text goes into the document's own related-work section."""
    if at is None and draft.related_work is not None:
        return ""
    level = draft.insertion.level if draft.insertion else 1
    own = section.title.strip()
    plain = own if own and own.lower() != "related work" else language_of(draft.language).related_work
    title = escape(plain, charset)
    label = label_line(draft, own if own.isascii() and own else "related work", level)
    return "\n".join(line for line in (heading_line(draft, title, level), label) if line)


def _place(draft: Draft, at: Span | None) -> tuple[Path, int]:
    if at is not None:
        return at.file, paragraph_place(source_of(draft, at.file), at.end)
    if draft.insertion is None:
        raise NoPlace(
            f"{draft.root.name} has no place for a section: no heading and no \\begin{{document}} was found.",
            "Name a .tex file of the document that the section is for.",
        )
    return draft.insertion.span.file, draft.insertion.span.start


def _notes(charset: Charset, section: ProseSection, papers: NewEntries) -> tuple[str, ...]:
    missing = lost(" ".join(_words(sentence) for each in section.paragraphs for sentence in each), charset)
    if not missing:
        return papers.notes
    shown = " ".join(missing[:20])
    return (*papers.notes, f"Characters that the document's fonts cannot show were replaced by “?”: {shown}")


def _words(sentence: ProseSentence) -> str:
    return f"{sentence.lead} {sentence.text}"
