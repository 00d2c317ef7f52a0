"""Checks a project as it is on disk: its entries and, by a model, the sentences that cite papers. If texgeist
wrote a sentence, the passages recorded with it are used first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.reading.cited_sentences import CitedSentence, cited_sentences
from texgeist_latex.types import Draft
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.pipeline.support import Pair, judge_pairs
from texgeist_retrieval.types import Support

from ..adapters import Setup
from ..bibliography_checks.sentences import JudgedBefore, Judgements, PaperText, judge_sentences, texts_of
from ..config import storage
from ..config.settings import Settings
from ..sections import provenance
from ..sections.provenance import called_now, cited_entries
from ..sections.requests import (
    EntryChecks,
    ProjectReport,
    SavedProject,
    SentenceChecks,
    VerifiedProject,
    WeakerSentence,
)

if TYPE_CHECKING:
    from texgeist_latex.entry_checks.records import Records
    from texgeist_retrieval.ports import LanguageModel, Monitor

    from ..bibliography_checks.checking import Verification
    from ..bibliography_checks.places import Find

_KEPT_S = 600  # seconds for which answers of the index are cached: saves come every few seconds


def check_entries(request: EntryChecks, setup: Setup, monitor: Monitor) -> tuple[Find, ...]:
    from texgeist_latex.reading.draft import cited_beside

    from ..bibliography_checks.corrections import finds, unused_finds

    settings = setup.settings
    draft, done = _verified(request.project, settings, monitor)
    found = finds(draft, done.read, done.report)
    if "unused" not in settings.diagnostics.off and "texlab" not in settings.editor.beside:
        found = (*found, *unused_finds(draft, cited_beside(draft)))
    return found


def verify_project(request: ProjectReport, setup: Setup, monitor: Monitor) -> VerifiedProject:
    from ..bibliography_checks.corrections import corrections_of
    from ..bibliography_checks.report import markdown_report, summary

    draft, done = _verified(request.project, setup.settings, monitor)
    text = markdown_report(draft.root.name, done.report)
    return VerifiedProject(text, summary(done.report), corrections_of(done.report))


def _verified(project: SavedProject, settings: Settings, monitor: Monitor) -> tuple[Draft, Verification]:
    from ..bibliography_checks.checking import of_draft, verify_entries
    from ..sections.safeguards import check_sections

    draft = saved_draft(project, settings)
    own = _own_records(settings, _period())
    read = of_draft(draft, check_sections(draft))
    return draft, verify_entries(read, settings, monitor, [own] if own else [])


def saved_draft(project: SavedProject, settings: Settings) -> Draft:
    from texgeist_latex.reading.draft import read_draft

    from ..config.user_file import own_bibliographies

    root, workspace = Path(project.root), Path(project.folder) if project.folder else None
    return read_draft(root, root=root, workspace=workspace, own=own_bibliographies(settings))


def _period() -> int:
    """A number that changes every ten minutes. As an argument of the cached function below, it limits the age
    of cached results."""
    return int(time.monotonic() // _KEPT_S)


@lru_cache(maxsize=1)
def _own_records(settings: Settings, period: int) -> Records | None:
    from ..bibliography_checks.known_records import own_index

    return own_index(settings)[0]


def check_sentences(request: SentenceChecks, setup: Setup, monitor: Monitor) -> tuple[Find, ...]:
    from ..adapters import build_model
    from ..bibliography_checks.corrections import sentence_finds

    model = build_model(setup.settings, setup.keys, setup.writer)
    if model is None:
        return ()
    draft = saved_draft(request.project, setup.settings)
    judged = judged_sentences(draft, setup.settings, model, monitor, request.generated_alone)
    return sentence_finds(draft, judged.unsupported)


def weaken_sentence(request: WeakerSentence, setup: Setup, monitor: Monitor) -> str:
    from texgeist_latex.errors import Unfit

    from ..adapters import build_model

    model = build_model(setup.settings, setup.keys, setup.writer)
    if model is None:
        raise Unfit("No model is chosen, and only a model can reword a sentence.", "Choose writer.provider.")
    draft = saved_draft(request.project, setup.settings)
    for sentence in cited_sentences(draft):
        span = sentence.span
        text = draft.sources[span.file].text[span.start : span.end]
        if str(span.file) == request.file and text == request.text:
            return weakened(draft, sentence, setup.settings, model, monitor)
    raise Unfit("The sentence is not in the document as it was saved.", "Save it, and try again.")


def judged_sentences(
    draft: Draft, settings: Settings, model: LanguageModel, monitor: Monitor, generated_alone: bool = False
) -> Judgements:
    """Judges the sentences of the draft that cite papers. Earlier judgements are cached."""
    sentences = cited_sentences(draft)
    if generated_alone:
        sentences = _generated(draft, sentences)
    if not sentences:
        return Judgements()
    cited = {key for sentence in sentences for key in sentence.keys}
    entries = {e.key: e for b in reversed(draft.bibliographies) for e in b.entries if e.key in cited}
    texts = texts_of(entries.values(), settings, _recorded(draft), monitor)
    before = JudgedBefore(storage.cache_folder() / "judged.sqlite", model.name)

    def judge(pairs: Sequence[Pair]) -> list[Support]:
        known = {pair: said for pair in pairs if (said := before.get(*pair)) is not None}
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        for pair, said in zip(new, judge_pairs(model, new, monitor), strict=True):
            before.put(*pair, said)
            known[pair] = said
        return [known[pair] for pair in pairs]

    return judge_sentences(sentences, texts, judge, monitor)


def weakened(
    draft: Draft, sentence: CitedSentence, settings: Settings, model: LanguageModel, monitor: Monitor
) -> str:
    """Rewords the sentence as LaTeX so that it claims no more than the available text of its sources. Raises
    `WriterError`s, and `LatexError`s if the sentence cannot be reworded."""
    from texgeist_latex.errors import Unfit
    from texgeist_latex.writing.habits import document_charset
    from texgeist_latex.writing.prose import marked, unmarked
    from texgeist_retrieval.pipeline.support import weaken

    from ..bibliography_checks.sentences import MOST_PASSAGES, nearest

    entries = {e.key: e for b in reversed(draft.bibliographies) for e in b.entries if e.key in sentence.keys}
    texts = texts_of(entries.values(), settings, _recorded(draft), monitor)
    pieces = [piece for key in sentence.keys for piece in texts.get(key, ())]
    if not pieces:
        raise Unfit(
            "The text of the papers that the sentence cites is not available here.",
            "Add its papers to your library.",
        )
    span = sentence.span
    words, held = marked(draft.sources[span.file].text[span.start : span.end])
    passages = "\n\n".join(piece.text for piece in nearest(sentence.text, pieces, MOST_PASSAGES))
    made = weaken(model, words, passages, monitor)
    return unmarked(made, held, document_charset(draft, span.file))


def _recorded(draft: Draft) -> dict[str, list[PaperText]]:
    citations = called_now(provenance.read(draft.root), cited_entries(draft)).citations
    return {
        key: [PaperText(passage.text, passage.page) for passage in why.evidence if passage.text]
        for key, why in citations.items()
    }


def _generated(draft: Draft, sentences: Sequence[CitedSentence]) -> list[CitedSentence]:
    blocks = [block.span for block in find_blocks(draft.sources.values())]
    return [
        sentence
        for sentence in sentences
        if any(
            block.file == sentence.span.file and block.start <= sentence.span.start < block.end
            for block in blocks
        )
    ]
