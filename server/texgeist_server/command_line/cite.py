"""`texgeist cite` and `texgeist missing`: find citations for a sentence of a draft, and works that it may
lack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import typer
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.errors import LibraryMissing, ModelMissing
from texgeist_retrieval.text.words import number_of

from ..errors import EditRefused
from ..sections.queries import text_of
from .common import DISCOVER, INDEX, JSON, given, load_settings, plainly, print_json, setup_for, working
from .exits import KNOWN
from .exits import found as found_any
from .json_answers import paper_json, relative
from .terminal import echo, inform, warn
from .writing_commands import DRY_RUN, WRITER, deliver, draft_to_write, result_of, show

if TYPE_CHECKING:
    from texgeist_latex.reading.citation_marks import CitationMark
    from texgeist_latex.reading.offers import FittingEntry
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Candidate, Result

    from ..adapters import Setup

_NO_MARK = "No place is marked with (CITE), [citation needed], \\todo{cite} or an empty \\cite{}."
_LONGEST_PASSAGE = 400  # code points
_SEARCHED = 20  # papers for each marked place, of which those that are not cited yet are listed


def register(app: typer.Typer) -> None:
    app.command("cite")(cite)
    app.command("missing")(missing)


def cite(
    file: Path = typer.Argument(..., help="The .tex file with the sentence, or another file of its project."),
    sentence: str = typer.Argument(
        "",
        help="The sentence or its beginning, or the number of a place that is listed without it; - reads standard input.",
    ),
    index: str | None = INDEX,
    discover: bool = DISCOVER,
    apply: bool = typer.Option(False, "--apply", help="Write the citations into the file."),
    again: bool = typer.Option(False, "--again", help="Allow a sentence that already cites papers."),
    dry_run: bool = DRY_RUN,
    as_json: bool = JSON,
) -> None:
    """Find at most three papers that support a sentence, each with its supporting passage. Without a sentence, list the
    places that you marked with (CITE), (citation needed), \\todo{cite} or an empty \\cite{}, each with the nearest
    papers."""
    from texgeist_latex.reading.citation_marks import citation_marks
    from texgeist_latex.reading.offers import fitting_entries
    from texgeist_latex.types import Span
    from texgeist_retrieval.pipeline.fitting import frequent_words

    from ..sections.edit_requests import CitationEdit
    from ..sections.requests import CitationRequest

    settings = load_settings(discover=discover)
    with plainly():
        draft, written_by = draft_to_write(file, settings, written=apply and not dry_run)
        marks = citation_marks(draft)
        if not sentence:
            return _list_marks(draft, marks, setup_for(settings, index), dry_run, as_json)
        if sentence.isdecimal() and 0 < int(sentence) <= len(marks):
            claim, place = marks[int(sentence) - 1].claim, marks[int(sentence) - 1].span
            path, start, end = claim.file, claim.start, claim.end
        else:
            path, start, end = place_of(draft, file, given(sentence))
            stop = start + len(text_of(draft, path)[start:end].rstrip(".?!"))
            claim, place = Span(path, start, end), Span(path, stop, stop)
            if keys := keys_at(draft, path, start, end):
                said = f"The sentence cites {', '.join(keys)} already."
                if written_by == "us" and not again:
                    raise EditRefused(said, "Nothing was changed. To add papers to them, use --again.")
                warn(said)
        if entries := _entries_in_words(*fitting_entries(draft, [(claim, place)], frequent_words())):
            inform(entries)
        edit_request = CitationEdit(path=path, start=start, end=end, written_by=written_by)
        request = CitationRequest(edit_request.prepare(draft).query)
        setup = setup_for(settings, index, "extractive")  # no model is asked
        if result := result_of(request, setup, "Searching", dry_run=dry_run, as_json=as_json):
            deliver(draft, edit_request.plan(draft, draft, result), result, apply, as_json, _show)


def _list_marks(
    draft: Draft, marks: Sequence[CitationMark], setup: Setup, dry_run: bool, as_json: bool
) -> None:
    """Lists the marked places, each with its claim, the entries of the author's that fit and, without `dry_run`, the
    nearest other papers. Without a library, says how to get papers."""
    from texgeist_latex.reading.offers import fitting_entries
    from texgeist_retrieval.pipeline.fitting import MEANING, NEAREST, frequent_words, nearest_in_words

    from ..sections.queries import claim_query
    from ..sections.runs import search_each

    if not marks:
        raise EditRefused(_NO_MARK, 'Name a sentence: texgeist cite FILE "the sentence".')
    queries = [claim_query(draft, mark.claim.file, mark.claim.start, mark.claim.end) for mark in marks]
    own = fitting_entries(draft, [(mark.claim, mark.span) for mark in marks], frequent_words())
    places = [f"{relative(mark.claim.file, draft)}:{mark.line}" for mark in marks]
    found: list[tuple[Candidate, ...]] = [()] * len(marks)
    notes: Iterable[str] = ()
    searched = MEANING
    try:
        with working("Searching") as monitor:
            if not dry_run:
                results = search_each(queries, _SEARCHED, setup, monitor, queries[0].project)
                found = [result.candidates[:_SEARCHED] for result in results]
                notes = dict.fromkeys(note for result in results for note in result.notes)
    except (LibraryMissing, ModelMissing) as error:
        more = (
            str(error) if KNOWN.get().discovers else f"texgeist related-work {KNOWN.get().draft} --discover"
        )
        searched = f"Only your bibliography was searched. To search papers: {more}"
    others = [[c for c in papers if not c.again][:NEAREST] for papers in found]
    listed = list(zip(places, queries, own, others, strict=True))
    if as_json:
        return print_json(
            [
                {
                    "place": place,
                    "claim": query.text,
                    "entries": to_plain(entries),
                    "papers": [{**paper_json(c.paper), "chance": c.chance} for c in papers],
                }
                for place, query, entries, papers in listed
            ]
        )
    for number, (place, query, entries, papers) in enumerate(listed, start=1):
        near = nearest_in_words(papers) if not entries or any(c.possible for c in papers) else ""
        lines = [f"{number}. {place}: {query.text}", _entries_in_words(entries), near]
        echo("\n   ".join(filter(None, lines)))
    inform("\n".join([*notes, searched]))
    inform(
        f"{number_of(len(marks), 'place')} marked. For passages, and with --apply: texgeist cite FILE NUMBER"
    )


def _entries_in_words(entries: Sequence[FittingEntry]) -> str:
    """Names the author's entries that fit; "" if there are none."""
    named = ", ".join(f"{each.key} ({'; '.join(filter(None, [each.fit, each.why]))})" for each in entries)
    return f"In your bibliography: {named}." if named else ""


def _show(draft: Draft, plan: EditPlan, result: Result, applied: bool) -> None:
    """Shows the supporting passage of each paper, so that the author can decide, then the same output as for
    any section (`show`), and the nearest of the papers that probably do not fit."""
    from texgeist_retrieval.pipeline.fitting import MEANING, nearest_in_words

    for selected in result.selected:
        if (key := plan.keys.get(selected.candidate.paper.id)) and selected.evidence:
            best = selected.evidence[0].passage
            if best.text == selected.candidate.paper.title:
                inform(f"{key}: only the title is known (“{best.text}”). Read the paper before you cite it.")
                continue
            page = f", page {best.page}" if best.page else ""
            words = shorten(best.text, _LONGEST_PASSAGE, placeholder=" …")
            inform(f"{key}{page}: “{words}”")
    show(draft, plan, result, applied)
    inform(MEANING)
    if nearest := nearest_in_words([left for left in result.left_out if not left.likely]):
        inform(nearest)


def keys_at(draft: Draft, path: Path, start: int, end: int) -> list[str]:
    """The keys cited from `start` to `end`, or directly after `end`: authors cite before or after the full
    stop."""
    text = text_of(draft, path)
    spans = ((each.key, each.command_span) for each in draft.citations if each.span.file == path)
    near = (key for key, at in spans if at.end > start and not text[end : at.start].strip(".?!~"))
    return list(dict.fromkeys(near))


def place_of(draft: Draft, file: Path, sentence: str) -> tuple[Path, int, int]:
    """The file of the sentence, and the offsets of its beginning and of its full stop. `file` is searched
    first, then the other files of the project. White space may differ. Raises `EditRefused` if the sentence
    does not occur exactly once, and `NoPlace`."""
    import os
    import re

    named = Path(os.path.abspath(file))  # noqa: PTH100  (links are kept, as in the draft)
    words = r"\s+".join(re.escape(word) for word in sentence.split())
    edges = (r"\b" if sign.isalnum() else "" for sign in (words[:1], words[-1:]))
    whole = re.compile(words.join(edges))
    found = [(named, one) for one in whole.finditer(text_of(draft, named))] if words else []
    if words and not found:
        others = (path for path in draft.sources if path != named)
        found = [(path, one) for path in others for one in whole.finditer(text_of(draft, path))]
    if not found:
        searched = f"{named.name} and what it includes"
        raise EditRefused(
            f"The sentence does not occur in {searched}.", "Give its words exactly as in the file."
        )
    if len(found) > 1:
        files = ", ".join(dict.fromkeys(path.name for path, _ in found))
        raise EditRefused(f"The sentence occurs more than once in {files}.", "Give more of its words.")
    path, match = found[0]
    text, end = text_of(draft, path), match.end()
    if not sentence.rstrip().endswith((".", "?", "!")):
        stop = re.compile(r"[.?!](?=\s|$)|\r?\n[ \t]*\r?\n").search(text, end)
        end = stop.start() if stop else end
    return path, match.start(), end


def missing(
    file: Path = typer.Argument(..., help="Any .tex file of the project."),
    writer: str = WRITER,
    index: str | None = INDEX,
    discover: bool = DISCOVER,
    dry_run: bool = DRY_RUN,
) -> None:
    """Find works of the index, and with --discover of literature services, that the draft does not cite and that a reviewer may miss. With a language model, says what could be written about them."""
    from ..sections.missing import in_words, lines_of, missing_of, missing_request

    settings = load_settings(discover=discover)
    with plainly():
        draft, _ = draft_to_write(file, settings, written=False)
        KNOWN.set(replace(KNOWN.get(), command="missing"))
        setup = setup_for(settings, index, writer)
        result = result_of(missing_request(draft), setup, "Searching", dry_run=dry_run, as_json=False)
        if result is None:
            return
        for note in result.notes:
            warn(note)
        works = missing_of(draft, result)
        inform(in_words(len(works), result))
        for work in works:
            echo("\n   ".join([work.reference, *lines_of(work)]))
        found_any(works)
