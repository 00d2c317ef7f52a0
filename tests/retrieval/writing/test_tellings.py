"""What one paper is told in: clean sentences of the paper's own sense, in other words than its own."""

from __future__ import annotations

import re

import pytest
from texgeist_retrieval.writing.extractive.english.contribution import contribution
from texgeist_retrieval.writing.extractive.english.loosening import copied, loosened
from texgeist_retrieval.writing.extractive.english.retelling import retell
from texgeist_retrieval.writing.extractive.english.tellings import Telling, tellings
from texgeist_retrieval.writing.extractive.english.title_tellings import of_title
from texgeist_retrieval.writing.extractive.english.titles import read_title


def told_of(sentence: str, title: str = "A Paper") -> list[Telling]:
    told = retell(sentence, several=True)
    return tellings(told, sentence, title, several=True) if told else []


def spoken(telling: Telling) -> str:
    return " ".join(filter(None, [telling.lead, "They" if telling.textual else "", telling.text]))


@pytest.mark.parametrize(
    ("title", "name", "form", "text"),
    [
        ("KERS: A Knowledge-Enhanced Framework for Dialog Systems", "KERS", "thing",
         "a knowledge-enhanced framework for dialog systems"),
        ("LoRA: Low-Rank Adaptation of Language Models", "LoRA", "topic", "low-rank adaptation of language models"),
        ("nnU-Net for Brain Tumor Segmentation", "", "topic", "nnU-Net for brain tumor segmentation"),
        ("FIFER: Tackling Underutilization in the Serverless Era", "FIFER", "doing",
         "tackling underutilization in the serverless era"),
        ("Continual Lifelong Learning with Neural Networks: A Review", "", "survey",
         "continual lifelong learning with neural networks"),
        ("A Survey on Federated Learning Systems: Vision, Hype and Reality", "", "survey", "federated learning systems"),
        ("Advances and Open Problems in Federated Learning", "", "survey", "federated learning"),
        ("An Empirical Investigation of Catastrophic Forgetting in Networks", "", "topic",
         "catastrophic forgetting in networks"),
        ("Learning to Generate Programs for Table Fact Verification", "", "topic",
         "how to generate programs for table fact verification"),
        ("A Unified and General Framework for Continual Learning", "", "thing",
         "a unified and general framework for continual learning"),
        ("MORU: An Effective and Scalable Framework for Planning", "MORU", "thing",
         "an effective and scalable framework for planning"),
        ("MORU: A Simple and Effective Framework for Planning", "MORU", "thing", "a framework for planning"),
        ("MORU: An Effective Framework for Planning", "MORU", "thing", "a framework for planning"),
        ("Understanding and Detecting Attacks on Bridges", "", "topic", "understanding and detecting attacks on bridges"),
        ("Abstraction for Answer Set Programs (Extended Abstract)", "", "topic", "abstraction for answer set programs"),
        ("Language Models are Few-Shot Learners", "", "", ""),  # a sentence is no phrase
        ("How to Forget Clients in Federated Online Learning to Rank?", "", "", ""),
        ("Attention Is All You Need", "", "", ""),
        ("Orthogonal Annotation Benefits Medical Image Segmentation", "", "", ""),
        ("Think before Recommendation: Autonomous Recommender", "", "", ""),
        ("SQL-R1: Training Natural Language to SQL Reasoning Model By Reinforcement", "", "", ""),
    ],
)  # fmt: skip
def test_a_title_is_a_phrase_or_nothing(title: str, name: str, form: str, text: str) -> None:
    found = read_title(title, "", f"We propose {name}. {title}" if name else "")
    assert (found.name, found.form, found.text) == (name, form, text)


def test_a_play_on_words_gives_way_to_what_stands_behind_its_colon() -> None:
    own = "We study security of the Docker image ecosystem by a large measurement of images."
    found = read_title("Dr. Docker: A Security Measurement of Docker Image Ecosystem", own, own)
    assert "security measurement" in found.text
    assert read_title("Stepping Forward on the Last Mile", "", "We train models on devices.").form == ""
    assert read_title("Models Genesis", "", "We build Models Genesis, generic models.").form == ""


def test_words_are_lower_but_for_names_as_the_texts_have_them() -> None:
    texts = "we run it on Kubernetes clusters, and the Transformer encoder of Kubernetes is small, also on Kubernetes nodes"
    found = read_title("Serving Costs of Kubernetes Clusters for Bayesian GANs", texts, "")
    assert found.text == "serving costs of Kubernetes clusters for Bayesian GANs"


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("KERS: A Framework for Dialog Systems", ["They propose KERS, a framework for dialog systems.",
                                                  "KERS is a framework for dialog systems."]),
        ("LoRA: Low-Rank Adaptation of Models", ["They propose LoRA for low-rank adaptation of models."]),
        ("DualPrompt: Complementary Prompting for Continual Learning",
         ["DualPrompt offers complementary prompting for continual learning.",
          "With DualPrompt, They propose complementary prompting for continual learning."]),
        ("FIFER: Tackling Underutilization in the Serverless Era",
         ["With FIFER, They aim at tackling underutilization in the serverless era."]),
        ("DeepVent: Learning to Predict Effort from Breathing",
         ["With DeepVent, They study how to predict effort from breathing."]),
        ("Evaluating Text GANs as Language Models", ["They evaluate text GANs as language models."]),
        ("Overcoming Catastrophic Forgetting in Networks", ["They aim at overcoming catastrophic forgetting in networks."]),
        ("Characterizing and Optimizing the Serverless Workload", []),  # two gerunds, of which one would be left
        ("Private Semi-Supervised Federated Learning", ["They study private semi-supervised federated learning."]),
    ],
)  # fmt: skip
def test_a_title_is_told_as_the_abstract_offers_it(title: str, said: list[str]) -> None:
    told = retell("We propose a method for many things of this kind.", several=True)
    head, colon, _ = title.partition(":")
    titled = read_title(title, "", f"We propose {head}. {title}" if colon else "")
    assert [spoken(t) for t in of_title(titled, (told,) if told else (), True)] == said


def test_one_author_takes_the_singular() -> None:
    titled = read_title("Private Semi-Supervised Federated Learning", "", "")
    assert [t.text for t in of_title(titled, (), several=False)] == [
        "studies private semi-supervised federated learning."
    ]


@pytest.mark.parametrize(
    ("sentence", "title", "name", "kind", "said"),
    [
        ("We propose DeepJoin, a deep learning model for joinable table discovery.", "A",
         "DeepJoin", "a deep learning model", ("for joinable table discovery",)),
        ("We propose a novel framework called GraphCSR that clusters vertices.", "A",
         "GraphCSR", "a framework", ("that clusters vertices",)),
        ("We present GSPMD, an automatic, compiler-based parallelization system for common computations.", "A",
         "GSPMD", "an automatic, compiler-based parallelization system", ("for common computations",)),
        ("We propose an automated architecture search (MNAS) approach, which includes latency.", "A",
         "MNAS", "an automated architecture search approach", ("which includes latency",)),
        ("We propose the TILDE framework for ranking.", "A", "TILDE", "a framework", ("for ranking",)),
    ],
)  # fmt: skip
def test_an_offer_comes_apart(sentence: str, title: str, name: str, kind: str, said: tuple[str, ...]) -> None:
    told = retell(sentence, several=True)
    made = told and contribution(told, title)
    assert made and (made.name, made.kind, made.said) == (name, kind, said)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("We introduce a method to train Rounded Outline Planners (ROPs), planners with short notes.", ""),
        ("We develop a theoretical framework for casting deep outline planners (OPs) as notes.", ""),
        ("We introduce a set of large Note-Continual (NoC) benchmarks for training planners.", ""),
        ("We propose a framework for planning of drafts (PlanTrees) which learns from notes.", "PlanTrees"),
        ("We propose a framework for Note Trees (PlanTree) which learns from notes.", "PlanTree"),
    ],
)
def test_what_abbreviates_the_thing_it_is_for_is_no_name_of_it(sentence: str, name: str) -> None:
    told = retell(sentence, several=True)
    assert told
    made = contribution(told, "A")
    assert (made.name if made else "") == name
    short = sentence.split("(")[1].split(")")[0]
    said = [spoken(t) for t in told_of(sentence)]
    assert not name or any(short in each for each in said)
    assert name or not any(re.search(rf"{short}(?:,| is\b)", each) for each in said)


@pytest.mark.parametrize(
    "sentence",
    [
        "We propose convolutional neural networks (CNNs) for edge devices.",  # what everybody calls so is no name
        "We develop A3C algorithm based context keeping architecture for users.",
        "We propose several ways to rank documents by their length.",
    ],
)
def test_what_does_not_come_apart_is_not_guessed(sentence: str) -> None:
    told = retell(sentence, several=True)
    assert told is None or contribution(told, "A") is None


SENTENCES = [
    "We propose GraphCSR, a novel storage format that clusters vertices with identical edge degrees and stores only the "
    "starting index of each group.",
    "We present MuCoLa, a sampling procedure that combines the log-likelihood of the language model with "
    "constraints in one energy function, and then generates samples in a non-autoregressive manner.",
    "In this paper, we propose Deepjoin, a deep learning model for accurate and efficient joinable table discovery.",
    "We apply nnU-Net to the segmentation task of the BraTS 2020 challenge.",
    "We show that, on text generation tasks, noisy annotations significantly hurt the performance of in-context learning.",
    "We introduce a transfer learning method to adapt the characteristics of the target image and organ by updating the "
    "model before testing.",
    "We propose a quantization approach for mixed precision convolutional neural networks targeting edge-computing.",
]  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_is_told_copies_no_run_of_the_source(sentence: str) -> None:
    found = told_of(sentence)
    assert found
    for telling in found:
        assert copied(f"{telling.lead} {telling.text}", sentence) <= 1, telling  # no run of more than seven
        assert "“" not in telling.text and telling.text.endswith(".")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_is_told_has_the_sources_names_and_numbers(sentence: str) -> None:
    """Words change, names never do."""
    names = re.compile(r"\b(?:\w*[a-z]\w*[A-Z]\w*|\d\w*)\b")
    for telling in told_of(sentence):
        assert set(names.findall(telling.text)) <= set(names.findall(sentence)), telling


@pytest.mark.parametrize(
    ("text", "source", "free", "loose"),
    [
        ("a model that ranks text", "a model that ranks text", "", "a model that ranks text"),  # too short to copy
        ("cluster the many vertices that have identical edge degrees in graphs", "nothing alike", "",
         "cluster the many vertices that have identical edge degrees in graphs"),
        ("rank tables by the union of their columns", "rank tables by the union of their columns",
         "Rank tables by the union of their columns", "rank tables by the union of their columns"),
        ("qa qb qc qd qe qf qg qh", "qa qb qc qd qe qf qg qh", "", ""),
    ],
)  # fmt: skip
def test_runs_are_broken_or_the_sentence_is_given_up(text: str, source: str, free: str, loose: str) -> None:
    assert loosened(text, source, free) == loose


@pytest.mark.parametrize(
    "sentence",
    [
        "We evaluate GraphCSR on three typical datasets with three common model architectures.",
        "We propose a data augmentation approach which allows us to restrict the output of a network.",
        "We design a method that is made up of two components.",
        "We propose SimPO, a simpler yet more effective approach.",
        "We propose AsyncFGD, an asynchronous framework that decouples dependencies, utilizes stale parameters, and trains.",
        "We propose a general method that can improve performance on E while keeping its accuracy on the test set.",
        "For constructing our generative model, we introduce a sequential network architecture for labels of text.",
        "We propose a spectral method, GRAph Matching by Pairwise eigen-Alignments (GRAMPA), for random graphs of all kinds.",
        "We propose a streaming framework for forecasting traffic flows with neural networks, achieving accurate predictions.",
        "By formulating it in a topos, we explore the universal properties underlying causal inference in many fields.",
        "We propose Sigma Point Processes, a class of parametric models that are inspired by compositional processes.",
        "We introduce a local search method for improving an existing program with respect to a measurable objective.",
        "We conduct a survey of twenty-one practitioners who have used the tool for years.",
        "We propose a mobile search approach which explicitly include model latency into the main objective.",
    ],
)  # fmt: skip
def test_what_leans_or_says_nothing_is_not_told(sentence: str) -> None:
    for telling in told_of(sentence):
        assert not re.search(
            r"\bthey\b|\bthem\b|components|simpler|include|practitioners|evaluate|\bE\b|their|Processes is|GRAph|achieving",
            telling.text,
        ), telling
        assert " it " not in telling.lead
        assert not (telling.lead.startswith("For improving") and "with respect" in telling.text), telling
        assert not re.search(r"dependencies, \w+s stale parameters\.$", telling.text), telling
