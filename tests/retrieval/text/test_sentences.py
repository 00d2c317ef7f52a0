"""Where a sentence ends, and its text without LaTeX."""

from __future__ import annotations

import pytest
from texgeist_retrieval.text.sentences import clean, is_rubble, split_sentences


def test_abbreviations_and_initials_end_no_sentence() -> None:
    text = "We follow Smith et al. (2020), e.g. Fig. 3. It holds! Does it? “Yes,” says J. Doe. 3 of 4 agree."
    assert split_sentences(text) == [
        "We follow Smith et al. (2020), e.g. Fig. 3.", "It holds!", "Does it?", "“Yes,” says J. Doe.",
        "3 of 4 agree.",
    ]  # fmt: skip
    text = "It was seen by Smith et al. There, e. g. Paris, it was U.S. Law. See Fig. 3 and approx. 4. A plan (as in Sec. 2). Done"
    assert split_sentences(text) == ["It was seen by Smith et al. There, e. g. Paris, it was U.S. Law.", "See Fig. 3 and approx. 4.", "A plan (as in Sec. 2).", "Done"]  # fmt: skip
    assert split_sentences("  It stays\nas it is.  \n Here too. ") == ["It stays\nas it is.", "Here too."]


def test_small_spaces_and_hyphenation_of_latex_are_removed() -> None:
    assert clean(r"Fibers of 1\,mm are si\-mulated.") == "Fibers of 1 mm are simulated."
    assert is_rubble(clean(r"We present \system, an engine."))
    assert (
        clean("A 'fine' book of readers' words, `thin', isn't.")
        == "A ‘fine’ book of readers’ words, ‘thin’, isn’t."
    )


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"$\varphi$-mixing", "φ-mixing"),
        (r"$L^2\to L^{p+1}$", "L²→Lᵖ⁺¹"),
        (r"$O(\log n)$ of $x_1$", "O(log n) of x₁"),
        (r"$\frac12$ of $A^*$", ""),  # not in characters
        (r"$\mathfraksl(2)$ and $\foo x$", ""),
        ("from $5 million to $6", ""),
        ("from $5 and $6", ""),
        (r"$A \cup B\cup C$", "A ∪ B∪C"),
        (r"$n\log n$", "n log n"),
    ],
)
def test_simple_formulas_are_shown_in_characters_and_others_stay(latex: str, shown: str) -> None:
    assert clean(latex) == (shown or latex) and is_rubble(latex)
    assert is_rubble(clean(latex)) == (not shown)


def test_emphasis_of_letters_within_a_word_is_not_shown() -> None:
    assert clean("**Cat**egory of 2**3**4 and **all** words") == "Category of 2**3**4 and all words"


def test_a_word_that_a_line_end_breaks_is_not_joined_and_not_quoted() -> None:
    assert clean("The anode- cathode and de-\nlay times.") == "The anode- cathode and de- lay times."
    assert is_rubble("The anode- cathode time.") and not is_rubble("A pre- and post-test.")
