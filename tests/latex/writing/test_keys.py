"""New keys look like the keys that are there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.bib.keys import SCHOLAR, learn_key_style, new_key
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.types import Reference

PAPER = Reference(
    "1", "On the Quantum Supremacy of Large Machines", ("Jürgen Müller-Łukasz", "Ann Lee", "Bo Chen"), 2024
)
OLD = (
    ("Smith, John and Doe, Jane", 2019, "A Simple Method for Parsing"),
    ("Anna Kowalski and Bo Li and Carl Gauss", 2021, "The Deep Sea"),
    ("van der Maaten, Laurens and Hinton, Geoffrey", 2008, "Visualizing Data using {t-SNE}"),
    ("Brown, Tom", 2020, "Language Models are Few-Shot Learners"),
)


def keys_like(*keys: str) -> str:
    text = "\n".join(
        f"@misc{{{key}, author={{{author}}}, year={year}, title={{{title}}}}}"
        for key, (author, year, title) in zip(keys, OLD, strict=True)
    )
    return new_key(PAPER, learn_key_style(read_bib(Path("/a.bib"), text).entries), set())


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        (
            ("smith2019simple", "kowalski2021deep", "vandermaaten2008visualizing", "brown2020language"),
            "mullerlukasz2024quantum",
        ),
        (("Smith19", "Kowalski21", "vanderMaaten08", "Brown20"), "MullerLukasz24"),
        (("Smith2019", "Kowalski2021", "Maaten", "Brown2020"), "MullerLukasz2024"),
        (("smith:2019", "kowalski:2021", "vandermaaten:2008", "brown:2020"), "mullerlukasz:2024"),
        (("smith_2019", "kowalski_2021", "x", "brown_2020"), "mullerlukasz_2024"),
        (
            ("smith-2019-simple", "kowalski-2021-deep", "x", "brown-2020-language"),
            "mullerlukasz-2024-quantum",
        ),
        (("Smith2019Simple", "Kowalski2021Deep", "x", "Brown2020Language"), "MullerLukasz2024Quantum"),
        (("smithSimple2019", "kowalskiDeep2021", "x", "brownLanguage2020"), "mullerlukaszQuantum2024"),
        (("smithetal2019", "kowalskietal2021", "x", "brown2020"), "mullerlukaszetal2024"),
        (("SD19", "KLG21", "MH08", "Bro20"), "MLC24"),
        (("Smith2019a", "Kowalski2021a", "x", "Brown2020b"), "MullerLukasz2024a"),
        (("SMITH2019", "KOWALSKI2021", "VANDERMAATEN2008", "BROWN2020"), "MULLERLUKASZ2024"),
        (("DBLP:conf/acl/Smith19", "DBLP:journals/corr/abs-2101-00001", "x", "y"), "mullerlukasz2024quantum"),
        (("paper1", "paper2", "paper3", "paper4"), "mullerlukasz2024quantum"),
        (("Smith19", "paper2", "paper3", "paper4"), "mullerlukasz2024quantum"),
    ],
)
def test_learned_styles(present: tuple[str, ...], expected: str):
    assert keys_like(*present) == expected


def test_taken_keys_get_letters_whatever_their_case():
    style = SCHOLAR
    assert new_key(PAPER, style, {"mullerlukasz2024quantum"}) == "mullerlukasz2024quantuma"
    letters = {"mullerlukasz2024quantum" + letter for letter in ["", *"abcdefghijklmnopqrstuvwxyz"]}
    assert new_key(PAPER, style, letters) == "mullerlukasz2024quantum-2"


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=30),
    st.lists(st.text(max_size=20), max_size=3),
    st.one_of(st.none(), st.integers(0, 3000)),
    st.text(max_size=10),
)
def test_keys_are_ascii_and_fit_for_bibtex(title: str, authors: list[str], year: int | None, identifier: str):
    key = new_key(Reference(identifier, title, tuple(authors), year), SCHOLAR, set())
    assert key and key.isascii() and not set(key) & set(" ,{}()\"#%\\~'=@")
    taken = {key.lower()}
    assert new_key(Reference(identifier, title, tuple(authors), year), SCHOLAR, taken).lower() not in taken
