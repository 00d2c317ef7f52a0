"""Checks sentences of a draft with the judge, against passages of the papers that they cite. Passages
recorded when texgeist wrote the sentence come first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from texgeist_latex.reading.cited_sentences import CitedSentence, cited_sentences
from texgeist_latex.types import Draft
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.pipeline.support import Pair, judge_pairs
from texgeist_retrieval.types import Support

from ..bibliography_checks.cited_texts import PaperText, texts_of
from ..bibliography_checks.sentences import JudgedBefore, Judgements, judge_sentences
from ..config import storage
from ..config.user_file import data_of
from ..sections import provenance

if TYPE_CHECKING:
    from texgeist_retrieval.ports import LanguageModel, Monitor

    from ..config.settings import Settings


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
    before = JudgedBefore(storage.cache_folder(data_of(settings)) / "judged.sqlite", model.name)

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
    from texgeist_latex.writing.charsets import document_charset
    from texgeist_latex.writing.marked import marked, unmarked
    from texgeist_retrieval.pipeline.support import weaken

    from ..bibliography_checks.cited_texts import nearest
    from ..bibliography_checks.sentences import MOST_PASSAGES

    entries = {e.key: e for b in reversed(draft.bibliographies) for e in b.entries if e.key in sentence.keys}
    texts = texts_of(entries.values(), settings, _recorded(draft), monitor)
    pieces = [piece for key in sentence.keys for piece in texts.get(key, ())]
    if not pieces:
        raise Unfit("Nothing of what the sentence cites is at hand.", "Add its papers to your library.")
    span = sentence.span
    words, held = marked(draft.sources[span.file].text[span.start : span.end])
    passages = "\n\n".join(piece.text for piece in nearest(sentence.text, pieces, MOST_PASSAGES))
    made = weaken(model, words, passages, monitor)
    return unmarked(made, held, document_charset(draft, span.file))


def _recorded(draft: Draft) -> dict[str, list[PaperText]]:
    citations = provenance.read(draft.root).citations
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
