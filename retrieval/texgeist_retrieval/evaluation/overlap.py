"""How near a written section comes to the authors' own: by words, by meaning, by what it cites.

Word overlap says little about the worth of a related-work section, which can be written in many ways; the
measures are here because papers report them. ROUGE by rouge-score, BLEU by sacrebleu.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr
from typing import Any

import numpy as np

from ..errors import RetrievalError
from ..pipeline.windows import split_sentences
from ..ports import Embedder
from ..ranking.citation_table import title_key

_HYPHEN = re.compile(r"(?<=[a-z])[-\u00ad]\n(?=[a-z])")
_CITATION = re.compile(
    r"\\cite\w*\*?(?:\[[^\]]*\])*\{[^}]+\}|\[[\d,;\s–-]+\]|\((?:[^()]*\b(?:1[6-9]|20)\d\d[a-z]?)\)|et al\.?,? ?\("
)


def word_overlap(text: str, reference: str) -> dict[str, float]:
    """ROUGE-1, -2 and -L (F1) and BLEU, all from 0 to 1."""
    rouge, bleu = _libraries()
    scorer = rouge.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    found = scorer.score(reference, text)
    return {
        "rouge-1": found["rouge1"].fmeasure,
        "rouge-2": found["rouge2"].fmeasure,
        "rouge-l": found["rougeL"].fmeasure,
        "bleu": bleu(text, [reference]).score / 100,
    }


def sentence_overlap(text: str, reference: str, embedder: Embedder) -> dict[str, float]:
    """BERTScore's greedy matching (Zhang et al., 2020, section 3) over sentences in place of word pieces,
    since the local encoder gives one vector a text: precision, recall and F1 of the cosines."""
    ours, theirs = sentences(text), sentences(reference)
    if not ours or not theirs:
        return {"bertscore-precision": 0.0, "bertscore-recall": 0.0, "bertscore-f1": 0.0}
    table = embedder.embed_documents(ours) @ embedder.embed_documents(theirs).T
    precision, recall = float(table.max(axis=1).mean()), float(table.max(axis=0).mean())
    return {
        "bertscore-precision": precision,
        "bertscore-recall": recall,
        "bertscore-f1": 2 * precision * recall / max(precision + recall, 1e-9),
    }


def citation_overlap(cited: Iterable[str], reference: Iterable[str]) -> dict[str, float]:
    """Precision and recall of cited papers by title. Titles agree by their letters and digits alone."""
    ours, theirs = {title_key(t) for t in cited}, {title_key(t) for t in reference}
    common = len(ours & theirs)
    return {
        "citation-precision": common / len(ours) if ours else 0.0,
        "citation-recall": common / len(theirs) if theirs else 0.0,
    }


def share_with_evidence(text: str) -> float:
    """The share of sentences with a citation: LaTeX, numbers in brackets, or author and year."""
    found = sentences(text)
    return float(np.mean([bool(_CITATION.search(s)) for s in found])) if found else 0.0


def sentences(text: str) -> list[str]:
    """The sentences of plain text; "et al." and initials do not end one, headings of a word or two are none."""
    return [part for part in split_sentences(mended(text)) if len(part.split()) >= 3]


def mended(text: str) -> str:
    """Text from a PDF in one line, words that were broken at line ends whole again."""
    return " ".join(_HYPHEN.sub("", text).split())


def _libraries() -> tuple[Any, Any]:
    """rouge-score brings absl, whose log handler keeps the standard error stream of this moment and closes
    it when logging is set up anew, as Milvus' client does. The real one it leaves open, so it gets that."""
    try:
        with redirect_stderr(sys.__stderr__):
            from rouge_score import rouge_scorer
        from sacrebleu import sentence_bleu
    except ImportError:
        raise RetrievalError(
            "Evaluation of writing needs rouge-score and sacrebleu.",
            "Install them with `pip install texgeist[eval]`.",
        ) from None
    return rouge_scorer, sentence_bleu


def mean_by_name(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: float(np.mean([row[name] for row in rows if name in row])) for name in names}
