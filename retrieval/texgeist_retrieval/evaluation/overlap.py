"""Compares a written section with the authors' section: by words, by meaning, and by citations.

Word overlap says little about the quality of a related-work section, which can be written in many ways; word
overlap is included because papers report it. rouge-score computes ROUGE, sacrebleu computes BLEU. No
maintained library under a permissive licence computes ROUGE-SU; it is implemented after Lin, "ROUGE: A
Package for Automatic Evaluation of Summaries", 2004, section 5."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr
from typing import Any

import numpy as np

from ..errors import RetrievalError
from ..ports import Embedder
from ..ranking.citation_table import title_key
from ..text.sentences import split_sentences

SKIP = 4  # most words between the two words of a pair, in ROUGE-SU4
_HYPHEN = re.compile(r"(?<=[a-z])[-\u00ad]\n(?=[a-z])")
_CITATION = re.compile(
    r"\\cite\w*\*?(?:\[[^\]]*\])*\{[^}]+\}|\[[\d,;\s–-]+\]|\((?:[^()]*\b(?:1[6-9]|20)\d\d[a-z]?)\)|et al\.?,? ?\("
)


def word_overlap(text: str, reference: str) -> dict[str, float]:
    """ROUGE-1, -2, -L and -SU4 (F1), and BLEU with n-grams of up to 1, 2 and 4 words, by name; all from 0 to
    1."""
    rouge, words, bleu = _libraries()
    scorer = rouge.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    found = scorer.score(reference, text)
    tokenize = words.DefaultTokenizer(use_stemmer=True).tokenize
    return {
        "rouge-1": found["rouge1"].fmeasure,
        "rouge-2": found["rouge2"].fmeasure,
        "rouge-l": found["rougeL"].fmeasure,
        "rouge-su4": skip_overlap(tokenize(text), tokenize(reference)),
        **{
            name: bleu(max_ngram_order=order, effective_order=True).sentence_score(text, [reference]).score
            / 100
            for name, order in (("bleu-1", 1), ("bleu-2", 2), ("bleu", 4))
        },
    }


def skip_overlap(ours: Sequence[str], theirs: Sequence[str], skip: int = SKIP) -> float:
    """ROUGE-SU (F1): shared words, and shared ordered pairs with at most `skip` words in between."""
    found, wanted = _skip_grams(ours, skip), _skip_grams(theirs, skip)
    common, counted = (found & wanted).total(), found.total() + wanted.total()
    return 2 * common / counted if counted else 0.0


def _skip_grams(words: Sequence[str], skip: int) -> Counter[tuple[str, ...]]:
    pairs = ((word, after) for at, word in enumerate(words) for after in words[at + 1 : at + 2 + skip])
    return Counter((word,) for word in words) + Counter(pairs)


def sentence_overlap(text: str, reference: str, embedder: Embedder) -> dict[str, float]:
    """BERTScore's greedy matching (Zhang et al., 2020, section 3) as precision, recall and F1 of cosines. It
    compares sentences instead of word pieces, because the local encoder returns a single vector for each
    text."""
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
    """Precision and recall of the cited papers. Papers are compared by the letters and digits of their
    titles."""
    ours, theirs = {title_key(t) for t in cited}, {title_key(t) for t in reference}
    common = len(ours & theirs)
    return {
        "citation-precision": common / len(ours) if ours else 0.0,
        "citation-recall": common / len(theirs) if theirs else 0.0,
    }


def share_with_evidence(text: str) -> float:
    """The share of sentences with a citation, as a LaTeX command, numbers in brackets, or author and year."""
    found = sentences(text)
    return float(np.mean([bool(_CITATION.search(s)) for s in found])) if found else 0.0


def sentences(text: str) -> list[str]:
    """The sentences of plain text. "et al." and initials do not end a sentence; headings of one or two words
    are left out."""
    return [part for part in split_sentences(mended(text)) if len(part.split()) >= 3]


def mended(text: str) -> str:
    """Text from a PDF as a single line; words that were divided at line ends are joined."""
    return " ".join(_HYPHEN.sub("", text).split())


def _libraries() -> tuple[Any, Any, Any]:
    """Imports the libraries. rouge-score imports absl, whose log handler stores the current standard error
    stream, and closes it when logging is configured again, as Milvus' client does. During the import, the
    handler gets the process's original stream, which it does not close."""
    try:
        with redirect_stderr(sys.__stderr__):
            from rouge_score import rouge_scorer, tokenizers
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise RetrievalError(
            "Evaluation of writing needs rouge-score and sacrebleu.",
            "Install them with `pip install texgeist[eval]`.",
        ) from None
    return rouge_scorer, tokenizers, BLEU


def mean_by_name(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: float(np.mean([row[name] for row in rows if name in row])) for name in names}
