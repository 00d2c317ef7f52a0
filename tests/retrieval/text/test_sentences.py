"""Where a sentence ends."""

from __future__ import annotations

import time

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


def test_long_texts_take_time_in_proportion() -> None:
    started = time.process_time()
    assert split_sentences("It was plan B. " + "It was plan BB. " * 20_000)
    usual = time.process_time() - started
    started = time.process_time()
    assert len(split_sentences("A. " * 100_000)) == 1
    assert time.process_time() - started < 100 * usual + 1
