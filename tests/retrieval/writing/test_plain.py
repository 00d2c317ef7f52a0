"""No sentence of a model brings citations by hand, addresses, markup or talk of itself; prose passes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from texgeist_retrieval.writing.model.checks import Material
from texgeist_retrieval.writing.model.grounds import Names, strange_name

from . import forms
from .conftest import selected
from .texts import faults


@pytest.fixture
def material() -> Material:
    return Material.of(selected(3))


def problems(
    text: str, material: Material, textual: bool = False, evidence: tuple[str, ...] = ("1a",)
) -> str:
    return faults(text, material, *evidence, textual=textual)


@pytest.mark.parametrize(
    "text", [*forms.BY_HAND, *forms.NAMES, *forms.IDENTIFIERS, *forms.ADDRESSES, *forms.MARKDOWN]
)
def test_what_is_no_prose_is_refused(text: str, material: Material) -> None:
    assert problems(text, material)


@pytest.mark.parametrize("text", forms.OF_ITSELF)
def test_refusals_and_leaked_prompts_are_refused(text: str, material: Material) -> None:
    assert problems(text, material)


@pytest.mark.parametrize("text", forms.PROSE)
def test_prose_passes_whose_names_and_figures_were_given(text: str, material: Material) -> None:
    assert not problems(text, knowing(material, text))


def knowing(material: Material, *texts: str) -> Material:
    """With texts of the draft, which has these names and figures."""
    return replace(material, names=material.names.knowing(texts), draft="\n".join(texts))


def test_an_endless_sentence_is_refused_at_once(material: Material) -> None:
    assert "longer than 1500 characters" in problems("Smith, " * 50_000, material)


def test_names_of_the_papers_own_matter_are_no_people() -> None:
    text = "Following Adam, Longformer and Contriever show that small steps suffice."
    known = Names.of(["Adam"], ["Adam is an optimiser; Longformer and Contriever use it."])
    assert not strange_name(text, known)
    assert strange_name("Following Kingma and Ba, small steps suffice.", known)
    assert strange_name("Small steps suffice for Kingma.", Names.of(["Kingma"], []))


def test_people_whom_the_passages_cite_are_no_matter_of_theirs() -> None:
    passage = "Okafor et al. [3] and Lindqvist (2017) sort passages (Mitra and Ray, 2018), as TermSort does."
    names = Names.of([], [passage])
    for person in ("Okafor", "Lindqvist", "Mitra"):
        assert strange_name(f"As {person} showed, passages can be sorted.", names)
    assert not strange_name("As TermSort showed, passages can be sorted.", names)


FIGURES = [
    ("Two encoders improve ranking by 37.2 points on average.", ("1a",), "37.2"),
    ("Two encoders improve ranking by thirty-seven points.", ("1a",), "thirty-seven"),
    ("Rankers reach 99.7 percent.", (), "99.7"),
    ("The rankers gain 12 points over the draft's baseline.", ("1a",), "12"),  # rounded
    ("The rankers gain 12.5 points over the draft's baseline.", ("1a",), ""),
    ("They were trained on two million pairs of 3 kinds in 2016.", ("1a",), "3"),
    ("They were trained on 2,000,000 pairs in 2016, the year of that paper.", ("1a",), ""),
    ("They were trained on pairs in 2016, the year of another paper.", ("2a",), "2016"),
    ("Later models such as GPT-4 and BM25 rank passages with three encoders.", ("1a",), ""),
]


@pytest.mark.parametrize(("text", "evidence", "figure"), FIGURES)
def test_a_figure_stands_in_a_passage_or_in_the_draft(
    material: Material, text: str, evidence: tuple[str, ...], figure: str
) -> None:
    draft = "We gain 12.5 points over GPT-4 and BM25 with 2 million pairs."
    found = problems(text, knowing(material, draft), evidence=evidence)
    assert (f"holds the figure {figure}, which" in found) if figure else not found


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["A", "Smith, ", "(a b ", "A. ", "(2019 ", "van der Smith and "])
def test_a_strangers_passage_cannot_stall_the_reading_of_names(piece: str) -> None:
    Names.of([], [piece * (100_000 // len(piece))])
