"""Where a sentence ends, and its text without LaTeX."""

from __future__ import annotations

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
