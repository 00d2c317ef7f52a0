"""Lists of authors: the same people in many spellings, and other people."""

from __future__ import annotations

import time

import pytest
from texgeist_latex.entry_checks.names import compare_people, read_people, same_person


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Laurens van der Maaten", "Maaten, L. van der"),
        ("Laurens van der Maaten", "van der Maaten, Laurens"),
        ('Sch{\\"u}tze, Hinrich', "Hinrich Schuetze"),
        ("Bernhard Schölkopf", "B. Scholkopf"),
        ("A. Rupam Mahmood", "Rupam Mahmood"),
        ("Jean-Michel Morel", "J.-M. Morel"),
        ("JM Morel", "Jean-Michel Morel"),
        ("Wei Li 0001", "Wei Li"),
        ("Zhang Wei", "Wei Zhang"),
        ("Xiao-Ming Wu", "Xiaoming Wu"),
        ("Natalia Gonzalez", "Natalia Diaz Gonzalez"),
        ("Sammy Davis, Jr.", "Sammy Davis"),
        ("Kenneth P. O'Hara", "Ken O’Hara"),
        ("WANG X M", "Xiao-Ming Wang"),
        ("van der Maaten L.", "Laurens van der Maaten"),
        ("WANG YuChiang Frank", "Yu-Chiang Frank Wang"),
    ],
)
def test_one_person_in_two_spellings(one: str, other: str) -> None:
    first, second = read_people(one).persons[0], read_people(other).persons[0]
    assert same_person(first, second) and same_person(second, first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wei Zhang", "Wei Wang"),
        ("Jian Chen", "Bo Chen"),
        ("Anna Lee", "Anna Lewis"),
        ("Geoffrey Hinton", "Terrence Sejnowski"),
    ],
)
def test_two_persons(one: str, other: str) -> None:
    assert not same_person(read_people(one).persons[0], read_people(other).persons[0])


ALL = "Ada Lovelace and Charles Babbage and Mary Somerville and Augustus De Morgan"


@pytest.mark.parametrize(
    ("mine", "theirs", "codes"),
    [
        (ALL, ALL, []),
        ("Lovelace, A. and Babbage, C. and others", ALL, []),
        ("Lovelace, A. and Babbage, C. et al.", ALL, []),
        ("Lovelace, A. and Babbage, C. and u. a.", ALL, []),
        ("LOVELACE A and BABBAGE C and 等", ALL, []),
        ("Lovelace, A. und Weill, K.", "Ada Lovelace and Charles Babbage", ["authors"]),
        ("Ada Lovelace and Charles Babbage", ALL, ["authors-missing"]),
        ("Ada Lovelace", "Ada Lovelace and others", ["authors-missing"]),
        ("Ada Lovelace and others", "Ada Lovelace and others", []),
        ("Charles Babbage and Ada Lovelace", "Ada Lovelace and Charles Babbage", ["author-order"]),
        (
            "Ada Lovelace and Charles Babbage and Kurt Weill",
            "Ada Lovelace and Charles Babbage",
            ["authors-added"],
        ),
        ("Ada Lovelace and Kurt Weill", "Ada Lovelace and Charles Babbage", ["authors"]),
        ("Kurt Weill and Lotte Lenya", ALL, ["authors"]),
        ("Kurt Weill and Lotte Lenya", "Ada Lovelace and Charles Babbage and others", ["authors"]),
        ("", ALL, []),
        ("Smith, Christopher P. and King, J. C.", "P., Smith, Christopher and C., King, James", []),
        ("Chang, J. and D. M. Blei", "J., Chang and D., Blei", []),
    ],
)
def test_lists_are_compared_in_number_names_and_order(mine: str, theirs: str, codes: list[str]) -> None:
    found = compare_people(read_people(mine), read_people(theirs))
    assert [finding.code for finding in found] == codes and all(finding.contradicts for finding in found)


def test_what_a_cut_list_does_not_name_is_a_remark() -> None:
    theirs = "Ada Lovelace and Charles Babbage and others"
    (finding,) = compare_people(read_people(ALL), read_people(theirs))
    assert finding.code == "authors-added" and not finding.contradicts


def test_a_name_of_many_words_is_read_at_once() -> None:
    start = time.process_time()
    assert len(read_people("a " * 20_000 + "!!").persons) == 1
    assert time.process_time() - start < 2
