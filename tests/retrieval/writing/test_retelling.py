"""Authors' sentences retold of them. Left the source, right what stands after (or with) the citation."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from texgeist_retrieval.text.sentences import clean, split_sentences
from texgeist_retrieval.writing.extractive.english.grammar import agree_joined, article, base, singular
from texgeist_retrieval.writing.extractive.english.naming import of_name, of_subject
from texgeist_retrieval.writing.extractive.english.retelling import retell


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("We propose a two-stage retriever of passages.", "propose a two-stage retriever of passages."),
        (
            "In this paper, we propose a novel retriever for long documents.",
            "propose a retriever for long documents.",
        ),
        (
            "However, in this work we present an effective but small index.",
            "present an effective but small index.",
        ),
        (
            "This paper introduces a ranking model and shows that it helps.",
            "introduce a ranking model and show that it helps.",
        ),
        (
            "The paper introduces TILDE, which ranks passages by likelihood.",
            "introduce TILDE, which ranks passages by likelihood.",
        ),
        (
            "Introduces a dense retriever, which is trained without labels.",
            "introduce a dense retriever, which is trained without labels.",
        ),
        (
            "The authors compare five ranking models on long documents.",
            "compare five ranking models on long documents.",
        ),
        ("To address this issue, we develop our own index of passages.", "None"),
        (
            "To address this issue, we develop an index of passages and our ranker.",
            "develop an index of passages and their ranker.",
        ),
        (
            "We show that dense retrieval fails on rare entity names.",
            "show that dense retrieval fails on rare entity names.",
        ),
        (
            "We address this problem by proposing a method for sparse retrieval.",
            "propose a method for sparse retrieval.",
        ),
        ("We propose a simple yet effective index, achieving state-of-the-art performance.", "None"),
        (
            "We propose a learned index for passages, achieving state-of-the-art performance.",
            "propose a learned index for passages.",
        ),
        (
            "In this survey, we review dense retrieval methods for text.",
            "review dense retrieval methods for text.",
        ),
        (
            "This study investigates the effect of negatives on retrieval.",
            "investigate the effect of negatives on retrieval.",
        ),
        (
            "We propose an innovative and efficient framework for ranking passages.",
            "propose an efficient framework for ranking passages.",
        ),
        (
            "This paper proposed a framework that avoids forgetting of tasks.",
            "propose a framework that avoids forgetting of tasks.",
        ),
        (
            "We train two encoders (Smith et al., 2019) on questions and passages.",
            "train two encoders on questions and passages.",
        ),
    ],
)
def test_told_of_several(source: str, told: str) -> None:
    found = retell(clean(source), several=True)
    assert (found.text if found else "None") == told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("We propose a retriever of long documents.", "proposes a retriever of long documents."),
        (
            "We study retrieval of long texts, and show that it is hard.",
            "studies retrieval of long texts, and shows that it is hard.",
        ),
        ("This paper addresses the ranking of long documents.", "addresses the ranking of long documents."),
        ("We present our system for ranking of long documents.", "None"),
    ],
)
def test_told_of_one(source: str, told: str) -> None:
    found = retell(source, several=False)
    assert (found.text if found else "None") == told


@pytest.mark.parametrize(
    "source",
    [
        "Dense retrieval has attracted much attention in recent years.",  # says nothing of the authors
        "We improve accuracy by 14.2% on the benchmark of questions.",  # numbers out of context
        "We compare it with these methods in more detail.",  # leans on what stood before
        "Our experiments show that the method is effective on all data.",
        "We conduct extensive experiments on five datasets of questions.",
        r"We give a bound of $O(\sqrt{n})$ for the method of ranking.",  # mathematics
        "We show in Figure 3 that the ranking improves with depth.",
        "We release the code at https://github.com/x/y for all users.",
        "If the data are clean, we prove that ranking is consistent.",  # leaving the condition out would lie
        "We believe that this will help the community as a whole.",
        "We propose it.",
    ],
)
def test_what_cannot_stand_alone_is_given_up(source: str) -> None:
    found = retell(clean(source), several=True)
    assert found is None, found


def test_a_lead_that_stands_alone_is_kept() -> None:
    found = retell("Inspired by multigrid methods, we propose a pooling strategy for meshes.", several=True)
    assert found and found.lead == "Inspired by multigrid methods,"
    found = retell("In this survey, we review dense retrieval methods for text.", several=True)
    assert found and found.lead == "In a survey,"


def test_other_forms() -> None:
    named = of_name("SPECTER learns embeddings of documents from citations.", "SPECTER: Document Embeddings")
    assert named and named.text.startswith("SPECTER learns")
    assert of_name("BERT learns embeddings of documents from text.", "SPECTER: Document Embeddings") is None
    subject = of_subject("Polysemous codes are compact codes of vectors.", "Polysemous codes")
    assert subject and not subject.textual


def test_grammar() -> None:
    assert [singular(v) for v in ("propose", "study", "address", "search", "have", "display")] == [
        "proposes", "studies", "addresses", "searches", "has", "displays",
    ]  # fmt: skip
    assert [base(v) for v in ("introduces", "studies", "tables")] == ["introduce", "study", None]
    words = "LLM unified unbiased ROUGE hour user ensemble one-stage European universal X-ray U-Net".split()
    assert [article(w) for w in words] == ["an", "a", "an", "a", "an", "a", "an", "a", "a", "a", "an", "a"]


def test_sentences_are_split_and_cleaned() -> None:
    text = r"We use e.g. BM25. It works, cf. Fig. 2. "
    text += r"Poincar\'e \emph{embeddings} of $k$-NN and **bold** text, 5\% more."
    assert split_sentences(clean(text)) == [
        "We use e.g. BM25.",
        "It works, cf. Fig. 2.",
        "Poincaré embeddings of k-NN and bold text, 5% more.",
    ]


_ADDED = set("a an they their them theirs themselves has is in survey tutorial review thesis".split())


def test_nothing_is_said_that_the_source_does_not_say(shared_data: Path) -> None:
    """1,500 real abstracts: every word of a retold sentence stands in its source, verbs' number apart."""
    with gzip.open(shared_data / "citations" / "dev-corpus.jsonl.gz", "rt") as lines:
        papers = [json.loads(line) for line, _ in zip(lines, range(1500), strict=False)]
    told_count, with_one = 0, 0
    for paper in papers:
        told = [
            t
            for s in split_sentences(clean(paper["abstract"]))
            for several in (True, False)
            if (t := retell(s, several))
        ]
        with_one += bool(told)
        for sentence in told:
            told_count += 1
            source = _stems(sentence.source)
            said = _stems(f"{sentence.lead} {sentence.text}") - _stems(" ".join(_ADDED))
            assert said <= source, (said - source, sentence)
    assert told_count > 3000 and with_one > 0.8 * len(papers)


def _stems(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return {re.sub(r"(?:ies|ied|es|ed|ing|s|e|y)+$", "", word) for word in words}


def test_a_second_verb_of_one_author_agrees() -> None:
    assert agree_joined(" another view and aim at estimating the rest.", False).endswith(
        "and aims at estimating the rest."
    )
    assert agree_joined(" a view and seek to learn.", False).endswith("and seeks to learn.")
    assert agree_joined(" a view and aim points.", False).endswith("and aim points.")
