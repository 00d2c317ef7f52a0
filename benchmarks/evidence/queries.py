"""From which cosine a query says again what another said: pairs drawn by hand, the same in other words and another
matter of the same subject.

    python -m benchmarks.evidence.queries --model FOLDER
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from texgeist_retrieval.ports import Embedder

SAME = (
    ("Sleep improves the recall of word pairs.", "Word pairs are recalled better after sleep."),
    ("Dense retrieval outperforms BM25 on open-domain question answering.",
     "On open-domain question answering, BM25 is beaten by dense retrieval."),
    ("Language models invent references that do not exist.", "Non-existent references are hallucinated by language models."),
    ("Statins lower the risk of stroke in older adults.", "Older adults who take statins have a lower risk of stroke."),
    ("Human annotators disagree about sentiment labels.", "Annotators often do not agree on the sentiment label of a text."),
    ("Dropout reduces overfitting in deep networks.", "Overfitting of deep neural networks is reduced by dropout."),
    ("Class size has a small effect on achievement.", "The effect of class size on pupils' achievement is small."),
    ("Tokenisation harms languages with rich morphology.", "Morphologically rich languages suffer from subword tokenisation."),
    ("Minimum wages do not reduce employment.", "Employment does not fall when minimum wages are raised."),
    ("Graphene conducts heat better than copper.", "The thermal conductivity of graphene exceeds that of copper."),
    ("Beam search yields repetitive text.", "Text that is decoded with beam search repeats itself."),
    ("Coral bleaching follows marine heat waves.", "Marine heat waves are followed by the bleaching of corals."),
    ("Phrase-based translation models are trained on aligned sentences.",
     "Aligned sentence pairs are the training data of phrase-based translation."),
    ("Reviewers favour papers by well-known authors.", "Papers of famous authors are judged more favourably in review."),
    ("Transfer learning helps where labels are scarce.", "With few labels, transfer learning improves results."),
)  # fmt: skip
OTHER = (
    ("Sleep improves the recall of word pairs.", "Caffeine before bed shortens deep sleep."),
    ("Dense retrieval outperforms BM25 on open-domain question answering.",
     "Dense retrievers fail on entities that are rare in training."),
    ("Language models invent references that do not exist.", "Retrieval reduces factual errors of language models."),
    ("Statins lower the risk of stroke in older adults.", "Statins cause muscle pain in some older patients."),
    ("Human annotators disagree about sentiment labels.", "Sentiment lexicons were made by crowd workers."),
    ("Dropout reduces overfitting in deep networks.", "Batch normalisation speeds up the training of deep networks."),
    ("Class size has a small effect on achievement.", "Teacher experience is related to pupils' achievement."),
    ("Tokenisation harms languages with rich morphology.", "Byte-level models need longer sequences than subword models."),
    ("Minimum wages do not reduce employment.", "Minimum wages reduce the hours that teenagers work."),
    ("Graphene conducts heat better than copper.", "Graphene is made by chemical vapour deposition on copper."),
    ("Beam search yields repetitive text.", "Nucleus sampling yields text that is closer to human text."),
    ("Coral bleaching follows marine heat waves.", "Some corals recover from bleaching within a year."),
    ("Phrase-based translation models are trained on aligned sentences.",
     "Word alignment quality does not predict translation quality."),
    ("Reviewers favour papers by well-known authors.", "Double-blind review was introduced by conferences in computer science."),
    ("Transfer learning helps where labels are scarce.", "Active learning chooses which examples to label."),
)  # fmt: skip


def cosines(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    return np.array([float(embedder.embed_query(a) @ embedder.embed_query(b)) for a, b in pairs])


def report(embedder: Embedder) -> None:
    same, other = cosines(embedder, SAME), cosines(embedder, OTHER)
    print(f"{embedder.name}: the same {same.min():.2f} to {same.max():.2f} (median {np.median(same):.2f}), "
          f"another matter {other.min():.2f} to {other.max():.2f} (median {np.median(other):.2f})")  # fmt: skip
    for bound in np.arange(0.60, 0.96, 0.02):
        found, wrong = int((same >= bound).sum()), int((other >= bound).sum())
        print(f"  from {bound:.2f}: {found} of {len(same)} noticed, {wrong} of {len(other)} wrongly")


def main() -> None:
    from texgeist_retrieval.embedding import load_embedder

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", type=Path, required=True, help="folder of all-mpnet-base-v2")
    report(load_embedder(options.parse_args().model))


if __name__ == "__main__":
    main()
