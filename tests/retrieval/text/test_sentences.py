"""Where a sentence ends."""

from __future__ import annotations

from texgeist_retrieval.text.sentences import split_sentences


def test_abbreviations_and_initials_end_no_sentence() -> None:
    text = "We follow Smith et al. (2020), e.g. Fig. 3. It holds! Does it? “Yes,” says J. Doe. 3 of 4 agree."
    assert split_sentences(text) == [
        "We follow Smith et al. (2020), e.g. Fig. 3.", "It holds!", "Does it?", "“Yes,” says J. Doe.",
        "3 of 4 agree.",
    ]  # fmt: skip
    text = "It was seen by Smith et al. There, e. g. Paris, it was U.S. Law. See Fig. 3 and approx. 4. A plan (as in Sec. 2). Done"
    assert split_sentences(text) == ["It was seen by Smith et al. There, e. g. Paris, it was U.S. Law.", "See Fig. 3 and approx. 4.", "A plan (as in Sec. 2).", "Done"]  # fmt: skip
    assert split_sentences("  It stays\nas it is.  \n Here too. ") == ["It stays\nas it is.", "Here too."]
