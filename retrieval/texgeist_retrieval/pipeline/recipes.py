"""The recipe for a related-work section and for the answer to a question. Both have the same steps, after
Citegeist (arXiv 2503.23229, section 3.1); the module `selection` computes the number of papers in each step:

    search 6*breadth -> longlist 3*breadth (Eq. 1) -> read                       gather
        -> depth pages each (Eq. 1) -> shortlist breadth (mean similarity)       choose
        -> write                                                                 compose

If a model named the strands of the draft, it also picks papers by their titles (`pick_by_title`). The
longlist is then selected so that it covers the strands, and is also the shortlist. `gather` uses the network;
`choose` only computes, so that the user can try other settings on the same papers without waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..defaults import UNANSWERED
from ..errors import SearchError
from ..models.structured_call import add
from ..ports import Monitor, Written
from ..services import Options, Services
from ..strands.selection import CALIBRATED, has_little
from ..text.words import number_of
from ..types import Candidate, Filters, Query, Result, Section, Selected, Sentence
from .fitting import nearest_in_words
from .reading import read_draft_sentences, read_library, read_papers, reading_notes
from .reasons import TOO_FAR, explain, explain_left_out, left_out_of
from .search import SearchResult, find, search_more
from .selection import (
    NOBODY,
    choose_longlist,
    choose_shortlist,
    citation_count,
    count_note,
    longlist_size,
    search_size,
    weigh,
)

FAR = (
    "papers on the subject itself: the index that was searched has little on it, and those cited here are "
    "neighbours at best"
)
FAR_FROM_QUESTION = "It probably does not answer the question."
MOST_NAMED = 3  # titles for each reason in a note
NOT_USED = "The writer did not use it."


def related_work(query: Query, services: Services, options: Options, monitor: Monitor) -> Result:
    """Returns the section or answer with its evidence, and the papers left out with the reasons. The `notes`
    of the result report each degradation.

    Raises `SearchError`, `SourceError` or `WriterError` if no result is possible, and `Cancelled`."""
    found = gather(query, services, options, monitor)
    monitor.check()
    return compose(found, choose(found, options), services, monitor)


def gather(query: Query, services: Services, options: Options, monitor: Monitor) -> SearchResult:
    """Searches, and reads the papers of the longlist. Raises `SearchError`, `SourceError`, `Cancelled`."""
    top, full_text = search_size(options), options.full_text
    found = find(query, services, top, options.filters, monitor, to_write=True, full_text=full_text)
    found = pick_by_title(found, services, options.filters, monitor)
    if is_question(query) and services.writer.local:
        found = only_possible(found)
    papers = [paper.candidate.paper for paper in longlist_of(found, options)]
    monitor.report(f"{number_of(len(found.candidates), 'paper')} found, reading {len(papers)}")
    readings = dict(read_library(query.text, papers, services, monitor))
    unread: list[str] = []
    if options.full_text and (rest := [paper for paper in papers if paper.id not in readings]):
        more, unread = read_papers(rest, services.source, services.embedder, monitor)
        readings |= more
    distant = distant_index_note(found, services)
    for note in distant:
        monitor.report(note)
    missing = missing_note(found.query.missing)
    return replace(
        found,
        query=replace(found.query, far=bool(distant)),
        readings=readings,
        draft=read_draft_sentences(query, services.embedder, monitor) if papers else found.draft,
        notes=(*services.notes, *distant, *found.notes, *missing, *reading_notes(unread, len(papers))),
    )


def only_possible(found: SearchResult) -> SearchResult:
    """The search without the papers that probably do not answer the question. A local writer would quote them."""
    far = tuple(replace(c, left_out=FAR_FROM_QUESTION) for c in found.candidates if not c.possible)
    kept = tuple(c for c in found.candidates if c.possible)
    return replace(found, candidates=kept, left_out=(*far, *found.left_out))


def longlist_of(
    found: SearchResult,
    options: Options,
    size: int | None = None,
    pinned: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> list[Selected]:
    """The longlist for these options. `size`: its length; None computes it from the options."""
    number = citation_count(found, options)
    size = size or longlist_size(found, number, options)
    return choose_longlist(found, number, size, options.diversity, pinned, excluded)


def pick_by_title(
    found: SearchResult, services: Services, filters: Filters, monitor: Monitor
) -> SearchResult:
    """Marks the papers that the model picks by title; returns `found` unchanged if no strands were named."""
    if services.picker is None or not found.strands:
        return found
    monitor.check()
    search = partial(search_more, found, services, filters)
    picks = services.picker.pick(found.query, found.strands, found.candidates, monitor, search)
    usage, notes = add(found.usage, picks.usage), (*found.notes, *picks.notes)
    return replace(found, candidates=picks.candidates, usage=usage, notes=notes)


def distant_index_note(found: SearchResult, services: Services) -> tuple[str, ...]:
    """The note that the index holds little on the draft's subject, shown before the section is written; empty
    if the index holds enough, or if this is not known."""
    if found.query.kind not in ("abstract", "draft") or services.embedder.name != CALIBRATED:
        return ()
    try:
        papers = services.index.status().papers
    except SearchError:  # the search itself used another index, and reports this
        return ()
    if not has_little(found.candidates, papers):
        return ()
    where = f" ({found.index})" if found.index else ""
    return (
        f"Your index{where} has little on this: even the nearest papers are far from your draft. "
        "Discover papers for the draft (--discover), search another index (the setting index.location), or add papers "
        "of your field to this one.",
    )


def missing_note(titles: Sequence[str]) -> tuple[str, ...]:
    if not titles:
        return ()
    return (
        "Works that the model named for such a section and that are not in your index (check that they exist, add "
        f"them, and write again): {'; '.join(titles)}.",
    )


def choose(
    found: SearchResult,
    options: Options,
    *,
    pinned: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> Result:
    """Selects the shortlist for these options, within milliseconds; the result has no text yet. `pinned` and
    `excluded`: ids of papers that are always, or never, on the shortlist."""
    number, kept = citation_count(found, options), pinned - excluded
    longlist = longlist_of(found, options, number if found.strands else None, kept, excluded)
    weighed = weigh(found, longlist, options)
    if found.strands:  # restores the order by strand: pages are only evidence here
        place = {paper.candidate.paper.id: n for n, paper in enumerate(longlist)}
        weighed.sort(key=lambda paper: place[paper.candidate.paper.id])
    shortlist = choose_shortlist(weighed, number, kept)
    left_out = left_out_of(found, shortlist, weighed, excluded)
    result = result_of(found, shortlist, left_out, options.diversity, kept)
    return replace(result, notes=(*result.notes, *(() if kept else count_note(found, options))))


def result_of(
    found: SearchResult,
    selected: Sequence[Selected],
    left_out: Sequence[Candidate],
    diversity: float = 0.0,
    pinned: frozenset[str] = NOBODY,
) -> Result:
    """The chosen papers with their reasons, without a text."""
    return Result(
        query=found.query,
        section=Section("", ()),
        selected=explain(found, selected, left_out, diversity, pinned),
        left_out=tuple(left_out),
        candidates=found.candidates,
        found=len(found.candidates),
        strands=found.strands,
        notes=found.notes,
        usage=found.usage,
        index=found.index,
        model=found.model,
    )


def compose(found: SearchResult, chosen: Result, services: Services, monitor: Monitor) -> Result:
    """Writes the section from the papers that were chosen from `found`. Raises `WriterError`, `Cancelled`."""
    if not chosen.selected:
        left_out = explain_left_out(chosen.left_out, (), found.draft)
        why = unanswered(left_out) if is_question(chosen.query) else ""
        why = why or _why_nothing(chosen)
        return replace(chosen, left_out=left_out, notes=(*chosen.notes, *filter(None, [why])))
    monitor.report("Writing")
    written = services.writer.write(chosen.query, chosen.selected, monitor)
    monitor.check()
    selected, unused = keep_used(chosen.selected, written)
    if is_question(chosen.query):
        note = "" if selected else unanswered([*unused, *chosen.left_out])
    else:
        note = left_out_note(unused, len(chosen.selected))
    return replace(
        chosen,
        section=said_plainly(chosen.query, written.section),
        selected=selected,
        left_out=explain_left_out((*unused, *chosen.left_out), selected, found.draft),
        notes=(*chosen.notes, *written.notes, *filter(None, [note])),
        usage=add(chosen.usage, written.usage),
        writer=written.by or services.writer.name,
    )


def is_question(query: Query) -> bool:
    return query.kind == "question"


def unanswered(left_out: Sequence[Candidate]) -> str:
    """The note that no paper answers the question, with the nearest papers; "" if none was found."""
    return f"{UNANSWERED} {nearest_in_words(left_out)}".strip() if left_out else ""


def _why_nothing(chosen: Result) -> str:
    """Why there is no section; "" if the note on the number of papers says so."""
    if any(one.left_out == TOO_FAR for one in chosen.left_out):
        return ""
    if chosen.found:
        return "All papers that were found are cited in the draft already, or were left out by you."
    if chosen.left_out:
        return f"No paper that was found can be cited, for example: {chosen.left_out[0].left_out}"
    return "No paper was found: the index is empty, or the filters leave nothing."


def said_plainly(query: Query, section: Section) -> Section:
    """If the index holds little on the draft's subject, begins the section with a remark to the author. A
    note would not be enough: without a remark in the file, the section could be taken for a review of the
    literature."""
    if not query.far or not section.paragraphs:
        return section
    return replace(section, paragraphs=((Sentence(FAR, aside="needs"),), *section.paragraphs))


def keep_used(
    selected: Sequence[Selected], written: Written
) -> tuple[tuple[Selected, ...], tuple[Candidate, ...]]:
    """Returns the papers that the text cites, with their summaries, and the others with the reasons.

    A paper is cited if a sentence lists one of its evidence ids; a mention in words is not enough."""
    used = {id for sentence in written.section.sentences for id in sentence.evidence}
    reasons = dict(written.unused)
    kept = tuple(
        _as_written(paper, written) for paper in selected if any(e.id in used for e in paper.evidence)
    )
    ids = {paper.candidate.paper.id for paper in kept}
    rest = tuple(
        replace(paper.candidate, left_out=reasons.get(paper.candidate.paper.id, NOT_USED))
        for paper in selected
        if paper.candidate.paper.id not in ids
    )
    return kept, rest


def left_out_note(unused: Sequence[Candidate], chosen: int) -> str:
    """A note on the chosen papers that the text does not cite, by reason, the most frequent reason first; "" if
    it cites all."""
    if not unused:
        return ""
    reasons = Counter(one.left_out.rstrip(".") for one in unused)
    listed = [
        f"{reason}: {_titles([one.paper.title for one in unused if one.left_out.rstrip('.') == reason])}."
        for reason, _ in reasons.most_common()
    ]
    were = "was" if len(unused) == 1 else "were"
    return f"{len(unused)} of {chosen} chosen papers {were} left out. {' '.join(map(capitalised, listed))}"


def _titles(titles: Sequence[str]) -> str:
    shown = ", ".join(f"“{title}”" for title in titles[:MOST_NAMED])
    return shown if len(titles) <= MOST_NAMED else f"{shown} and {len(titles) - MOST_NAMED} more"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _as_written(paper: Selected, written: Written) -> Selected:
    """The paper with the summary and the scores that the writer gave, and with the sentences that the text
    quotes or retells as its reason. A passage without them stays unchanged."""
    weights, supports = dict(written.weights), dict(written.supports)
    evidence = tuple(
        replace(e, score=weights.get(e.id, e.score), summary=supports.get(e.id, e.summary))
        for e in paper.evidence
    )
    summary = dict(written.summaries).get(paper.candidate.paper.id, paper.summary)
    reasons = paper.reasons
    if used := next((e for e in paper.evidence if e.id in supports), None):
        place = used.passage
        reasons = replace(reasons, theirs=supports[used.id], page=place.page, heading=place.heading)
    return replace(paper, evidence=evidence, summary=summary, reasons=reasons)
