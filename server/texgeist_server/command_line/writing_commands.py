"""Shared by the commands that write: read the draft, preview what would be sent, write the result and show
it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from texgeist_retrieval.costs import spent

from ..errors import NothingToCite
from ..passage_library import ADD as ADD_FULL_PAPERS
from ..plain_text import cut
from ..sections.results import markdown_of
from ..sections.safeguards import check_cites
from .common import print_json, working, writer_option
from .exits import ADD_PAPERS, KNOWN, Known, discovering, fetching_abstracts, found, proposed
from .json_answers import relative, section_json
from .terminal import echo, inform, warn

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Candidate, Result, Selected

    from ..adapters import Setup
    from ..config.settings import Settings
    from ..sections.previews import Preview
    from ..sections.requests import WriteRequest
    from ..sections.safeguards import Writes

WRITER = writer_option(
    "auto",
    "Who writes. auto: the provider of your settings if it is available, otherwise extractive.",
)
LONGEST_SENTENCE = 160  # characters of a sentence of the draft
FEW = 6  # cited papers; a section with fewer needs other papers
DRY_RUN = typer.Option(False, "--dry-run", help="Show the exact text that would be sent; send nothing.")


def draft_to_write(
    file: Path, settings: Settings, *, written: bool, texts: Mapping[Path, str] | None = None
) -> tuple[Draft, Writes]:
    """The draft, and whether texgeist will write to its files ("us") or not ("nobody"). `texts`: contents
    to read instead of those on disk. If `file` is a folder, tells the user which document in it was chosen."""
    from texgeist_latex.reading.draft import read_draft

    from ..config.user_file import own_bibliographies

    written_by: Writes = "us" if written else "nobody"
    own = own_bibliographies(settings)
    draft = read_draft(file, overlay=texts, own=own)
    if draft.note:
        inform(draft.note)
    bibs = tuple(dict.fromkeys(b.path for b in draft.bibliographies if b.kind == "bib" and b.exists))
    KNOWN.set(Known(shlex.quote(str(file)), bibs, bool(settings.index.discover)))
    return draft, written_by


def result_of(
    request: WriteRequest, setup: Setup, doing: str, *, dry_run: bool, as_json: bool
) -> Result | None:
    """Runs the request. With `dry_run`, prints what would be sent and returns None."""
    from ..sections.previews import preview
    from ..sections.runs import run

    with working(doing) as monitor:
        if not dry_run:
            return run(request, setup, monitor)
        print_preview(preview(request, setup, monitor), as_json)
        return None


def print_preview(preview: Preview, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(preview), "estimate": asdict(preview.estimate) if preview.estimate else {}})
        return
    echo(preview.text or "Nothing would leave this machine.")
    inform(preview.summary)


def keep_or_tell(draft: Draft, section: str, anew: bool) -> None:
    """If the section is written `anew`, prints the author's edits that will be discarded. Otherwise raises
    SectionEdited if the author's edits are unknown, because they could not be kept."""
    from ..sections.safeguards import check_replaceable, discarded

    if not anew:
        check_replaceable(draft, section, anew=False)
    elif lost := discarded(draft, section):
        inform(f"Your edits of the section are discarded:\n{lost}")


def deliver(
    draft: Draft,
    plan: EditPlan,
    result: Result,
    apply: bool,
    as_json: bool,
    shown_by: Callable[[Draft, EditPlan, Result, bool], None],
) -> None:
    """Writes the plan into the project if `apply`, and prints it as text or JSON. Raises `NothingToCite` if
    the plan cites no paper, except for JSON without `apply`, which has empty lists."""
    if apply or not as_json:
        try:
            check_cites(plan)
        except NothingToCite:
            raise nothing_to_cite(result) from None
    if apply:
        from ..sections import recording

        recording.write(draft, plan, result)
    if as_json:
        print_json(section_json(draft, plan, result))
        found(plan.keys or plan.founded)
    else:
        shown_by(draft, plan, result, apply)


def nothing_to_cite(result: Result) -> NothingToCite:
    from texgeist_retrieval.pipeline.reasons import ALONE, TOO_FAR

    if result.query.kind == "sentence" and result.found and not result.selected:
        return _unsupported(result)
    if result.query.kind not in ("abstract", "draft"):
        return NothingToCite(" ".join(result.notes), ADD_FULL_PAPERS) if result.notes else NothingToCite()
    left = result.left_out
    reasons = [
        (sum(one.already_cited for one in left), "cited in your draft already"),
        (sum(is_without_text(one) for one in left), "known only by their titles"),
        (sum(one.left_out == TOO_FAR for one in left), "too far from the subject of your draft"),
        (sum(one.left_out == ALONE for one in left), "near enough, but one paper makes no section"),
        (sum(not one.paper.authors for one in left), "without authors, which would make broken references"),
    ]
    counted = ", ".join(f"{count} {what}" for count, what in reasons if count)
    steps = next_steps(result)
    otherwise = f"{proposed(ADD_PAPERS)}\nIf you set dates, categories or topics, widen them."
    said = "Nothing was written, because no paper that was found can be cited"
    message = " ".join([f"{said} ({counted})." if counted else f"{said}.", *result.notes])
    return NothingToCite(message, f"What helps:\n{steps or otherwise}")


def _unsupported(result: Result) -> NothingToCite:
    """That no paper supports the sentence, with the nearest papers and the other notes, as on discovery."""
    from texgeist_retrieval.pipeline.fitting import nearest_in_words

    discovered = KNOWN.get().discovers or any(one.discovered for one in result.candidates)
    more = "" if discovered else "`--discover` searches literature services."
    if any(map(is_without_text, result.left_out)) and (steps := fetching_abstracts()):
        more = f"{more} This command helps:\n{proposed(*steps)}".strip()
    verdict, *notes = result.notes
    return NothingToCite(verdict, " ".join(filter(None, [nearest_in_words(result.left_out), *notes, more])))


def is_without_text(one: Candidate) -> bool:
    return one.paper.title_only and not one.already_cited


def next_steps(result: Result) -> str:
    """The commands that make the section better; "" if enough papers could be cited."""
    if len(result.selected) >= FEW:
        return ""
    bare = any(is_without_text(one) for one in result.left_out)
    discovered = any(one.discovered for one in result.candidates)
    steps = [*(fetching_abstracts() if bare else []), *([] if discovered else discovering())]
    return proposed(*steps)


def show(
    draft: Draft,
    plan: EditPlan,
    result: Result,
    applied: bool,
    *,
    project: bool = True,
    markdown: bool = False,
) -> None:
    """Prints the section, and the entries if they were not applied, on standard output, and everything else
    on standard error. `project`: whether the draft is a LaTeX project, into which texgeist could write."""
    if markdown:
        echo(markdown_of(result))
    else:
        echo(plan.latex)
        if not applied:
            echo(plan.entries)
    for line in _reasons(plan, result):
        inform(line)
    for text in [*result.notes, *plan.notes]:
        warn(text)
    if result.writer == "extractive" and project and (steps := next_steps(result)):
        inform(f"For a better section:\n{steps}")
    if took := spent(result.usage):
        inform(took)
    if project:
        _say_where(draft, plan, applied)


def _reasons(plan: EditPlan, result: Result) -> Iterator[str]:
    """The cited papers, grouped by the sentence of the draft that each is relevant to: key and title, the chance to
    fit a sentence or the similarity, and the relation to the draft if it is known. The hover, the review page and
    the JSON have all reasons."""
    by_sentence: dict[str, list[Selected]] = {}
    for selected in result.selected:
        if selected.candidate.paper.id in plan.keys:
            by_sentence.setdefault(selected.reasons.yours, []).append(selected)
    for sentence, cited in by_sentence.items():
        if sentence and result.query.kind != "sentence":
            yield f"For “{cut(sentence, LONGEST_SENTENCE)}”:"
        for candidate, relation in ((one.candidate, one.reasons.relation) for one in cited):
            number = candidate.fit or f"similarity {candidate.similarity:.2f}"
            yield f"  {plan.keys[candidate.paper.id]}: {candidate.paper.title} ({number})"
            if relation:
                yield f"      {relation}"


def _say_where(draft: Draft, plan: EditPlan, applied: bool) -> None:
    files = ", ".join(dict.fromkeys(relative(edit.file, draft) for edit in plan.edits))
    if not files:
        inform("The section is unchanged: there was nothing to add.")
        return
    if applied:
        inform(f"Written into {files}; the reason for each citation is in .texgeist.")
    else:
        inform(f"No file was changed. With --apply, this is written into {files}.")
