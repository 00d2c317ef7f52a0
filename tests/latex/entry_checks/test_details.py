"""Pages, volumes, numbers, publishers and the spelling of names: what is corrected, what contradicts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.entry_checks.details import compare_places
from texgeist_latex.entry_checks.entries import check_entry
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.errors import Unfit
from texgeist_latex.reading.draft import draft_of_bibliography
from texgeist_latex.types import BibEntry, FieldCorrection
from texgeist_latex.writing.apply import edited
from texgeist_latex.writing.taking import correct

ENTRY = """@inproceedings{k, title={Steady Tracking of Distant Objects}, author={Grace Hopper and Ho-Taek Joo},
 booktitle={ACL}, year={2021}, pages={639--657}, volume={3}, publisher={ACM}}"""


def entry(text: str) -> BibEntry:
    return read_bib(Path("/x.bib"), text).entries[0]


RECORD = entry(ENTRY)


def checked(changes: dict[str, str], record: dict[str, str] | None = None) -> tuple[str, list[str]]:
    known = replace(RECORD, fields={n: v for n, v in {**RECORD.fields, **(record or {})}.items() if v})
    other = replace(RECORD, fields={**RECORD.fields, "title": "Another Paper on Rivers", "doi": "10.1/x"})
    mine = replace(RECORD, fields={**RECORD.fields, **changes})
    result = check_entry(mine, [Records([known, other], "the register")], 2026)
    return result.verdict, [finding.code for finding in result.findings]


@pytest.mark.parametrize(
    ("changes", "verdict", "code"),
    [
        ({"pages": "639-57"}, "ok", ""),
        ({"pages": "pp. 639–657"}, "ok", ""),
        ({"pages": "e12"}, "ok", ""),
        ({"pages": "1--19"}, "ok", ""),
        ({"pages": "639--659"}, "to-correct", "pages"),
        ({"pages": "5389--5403"}, "suspect", "pages"),
        ({"volume": "vol. 3"}, "ok", ""),
        ({"volume": "abs/2101.00001"}, "unknown", "unconfirmed"),
        ({"volume": "4"}, "to-correct", "volume"),
        ({"publisher": "Association for Computing Machinery (ACM)"}, "ok", ""),
        ({"publisher": "Printed by a Friend"}, "ok", ""),
        ({"publisher": "Oxford University Press"}, "suspect", "publisher"),
        ({"booktitle": "EMNLP", "pages": "5--9"}, "suspect", "venue"),
        ({"booktitle": "Science", "year": "2022"}, "suspect", "venue"),
        ({"booktitle": "JMLR", "year": "2022"}, "unknown", "venue"),
        ({"booktitle": "In: ACL"}, "ok", ""),
        ({"booktitle": "Tagungsband der ICML"}, "suspect", "venue"),
        ({"title": "Steady Tracking of Distant Objects [C]"}, "ok", ""),
        ({"author": "G. Hopper and H.-T. Joo"}, "ok", ""),
        ({"author": "Hopper, Grace Brewster and Ho Taek Joo"}, "ok", ""),
        ({"author": "Gracie Hopper and Ho-Taek Joo"}, "to-correct", "author-name"),
        ({"author": "Grace Hopper and Ho Joo"}, "to-correct", "author-name"),
        ({"author": "Ace Hopper and Ho-Taek Joo"}, "to-correct", "author-name"),
        ({"author": "Maria Hopper and Ho-Taek Joo"}, "to-correct", "author-name"),  # it may be a nickname
        ({"author": "Grace Hoppre and Ho-Taek Joo"}, "to-correct", "author-name"),
        ({"author": "Grace Hopper and Ho-Taek Joe"}, "to-correct", "author-name"),
        ({"author": "Graceline M. Hopper and Ho-Taek Joo"}, "ok", ""),  # no fix shortens a name
        ({"author": "Maria Hopper and Ho-Taek Lovelace"}, "suspect", "authors"),
    ],
)
def test_a_detail_is_corrected_and_an_invented_one_contradicted(
    changes: dict[str, str], verdict: str, code: str
) -> None:
    found = checked(changes)
    assert found[0] == verdict
    assert code in found[1] if code else not found[1]


def test_a_published_entry_takes_no_detail_from_the_record_of_a_preprint() -> None:
    fields = {**RECORD.fields, "author": "Gracie Hopper and Ho-Taek Joo"}
    preprint = {
        "pages": "1639--1660",
        "title": RECORD.fields["title"],
        "author": RECORD.fields["author"],
        "eprint": "2101.00001",
    }
    known = Records([replace(RECORD, fields={**preprint, "year": "2021"})], "the register")
    result = check_entry(replace(RECORD, fields=fields), [known], 2026)
    assert "author-name" in [finding.code for finding in result.findings]
    assert not any(finding.correction for finding in result.findings)


@pytest.mark.parametrize(
    ("volumes", "elsewhere", "asked", "verdict"),
    [
        (["3"] * 9, False, None, "to-correct"),  # nearly all other papers of the venue have a volume
        ([""] * 9, True, None, "to-correct"),  # no paper of the venue has a volume, but those of others have
        (["3", ""] * 5, True, None, "ok"),
        (["3"] * 2, True, None, "ok"),  # too few records: the record is just incomplete
        (["3"] * 9, False, ["k"], "ok"),  # registries lack details of many papers
    ],
)
def test_a_missing_detail_is_remarked_only_if_the_venue_shows_that_it_is_telling(
    volumes: list[str], elsewhere: bool, asked: list[str] | None, verdict: str
) -> None:
    def record(at: int, volume: str, venue: str = "ACL") -> BibEntry:
        title = "Steady Tracking of Distant Objects" if at == 0 else f"A Paper on River {at}"
        return replace(RECORD, fields={**RECORD.fields, "title": title, "volume": volume, "booktitle": venue})

    records = [record(at, volume) for at, volume in enumerate(["", *volumes])]
    records += [record(99, "3", "EMNLP")] if elsewhere else []
    result = check_entry(RECORD, [Records(records, "the register", asked=asked)], 2026)
    assert result.verdict == verdict
    assert ("volume" in [finding.code for finding in result.findings]) == (verdict == "to-correct")


@pytest.mark.parametrize(
    ("places", "year", "differs"),
    [
        (["Vancouver, Canada", "Vancouver", "London, UK"], "2021", ["2"]),
        (["Online", "Online and Punta Cana, Dominican Republic"], "2021", []),
        (["Vancouver, Canada", "London, UK"], "2021", ["0", "1"]),
        (["Vancouver, Canada", "London, UK"], "", []),
        (["Vancouver, Canada", ""], "2021", []),
    ],
)
def test_a_place_is_compared_with_other_entries_of_the_proceedings(
    places: list[str], year: str, differs: list[str]
) -> None:
    entries = [
        replace(RECORD, key=str(at), fields={**RECORD.fields, "address": place, "year": year})
        for at, place in enumerate(places)
    ]
    assert list(compare_places(entries)) == differs


@pytest.mark.parametrize(
    ("text", "field", "new"),
    [
        ("pages = {639--657}", "pages", "640–657"),
        ('pages   =   "639--657"', "pages", "640-657"),
        ("pages = 639", "pages", "640"),
        ("author = {Mary  Somerville and Gracie Hopper}", "author", "Grace Hopper"),
    ],
)
def test_only_the_named_field_changes(tmp_path: Path, text: str, field: str, new: str) -> None:
    path = tmp_path / "refs.bib"
    before = f"% kept {{\n@article{{k,\r\n  title = {{pages = {{1}}, author = {{x}}}},\r\n  {text},\r\n  note = {{a # b}}\r\n}}\r\n"
    path.write_bytes(before.encode())
    draft = draft_of_bibliography(path)
    (one,) = draft.bibliographies[0].entries
    old = "Gracie Hopper" if field == "author" else one.fields[field]
    after = edited(before, [correct(draft, one, [FieldCorrection(field, old, new)])])
    written = new.replace("–", "--").replace("0-6", "0--6")
    assert after.replace(written, old, 1) == before


@pytest.mark.parametrize("evil", ["}, note={x}", "\\input{/etc/passwd}", "9}\n@article{y,", "", "#", "%"])
@pytest.mark.parametrize("field", ["pages", "publisher", "author"])
def test_a_hostile_record_adds_no_field_and_no_command(tmp_path: Path, field: str, evil: str) -> None:
    path = tmp_path / "refs.bib"
    path.write_text(ENTRY)
    draft = draft_of_bibliography(path)
    (one,) = draft.bibliographies[0].entries
    old = "Grace Hopper" if field == "author" else one.fields[field]
    try:
        text = correct(draft, one, [FieldCorrection(field, old, evil)]).text
    except Unfit:
        return
    (read,) = read_bib(path, text).entries
    assert {n: v for n, v in read.fields.items() if n != field} == {
        n: v for n, v in one.fields.items() if n != field
    }
    assert "\\input" not in text


def test_a_value_of_several_parts_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text('@string{p = "ACM"}\n@article{k, title={A}, publisher = p # " Press"}\n')
    draft = draft_of_bibliography(path)
    (one,) = draft.bibliographies[0].entries
    with pytest.raises(Unfit):
        correct(draft, one, [FieldCorrection("publisher", one.fields["publisher"], "IEEE")])
