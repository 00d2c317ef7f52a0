"""The verdict on an entry: what it says of itself, and what records say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.bib.plain_references import PRINTED, read_reference
from texgeist_latex.entry_checks.entries import check_entry
from texgeist_latex.entry_checks.findings import CheckedEntry
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.types import BibEntry, Span

YEAR = 2026
KNOWN = """
@inproceedings{a, title={Steady Tracking of Distant Objects with Learned Memories},
  author={Ada Lovelace and Charles Babbage and Mary Somerville}, booktitle={CVPR}, year={2021},
  doi={10.1109/CVPR46437.2021.09999}}
@misc{b, title={Weighing Words before They are Spoken}, author={Emmy Noether}, year={2023},
  eprint={2303.09999}}
@inproceedings{c, title={Deep Rivers}, author={Rachel Carson}, booktitle={ICLR}, year={2020}}
@inproceedings{d, title={Trees of Knowledge, Part I}, author={Carl Linnaeus and Maria Merian},
  booktitle={ICML}, year={2019}}
"""


def entries(text: str) -> tuple[BibEntry, ...]:
    return read_bib(Path("/x.bib"), text).entries


RECORDS = Records(entries(KNOWN), "the register")


def verdict(text: str, *sources: Records) -> CheckedEntry:
    (entry,) = entries(text)
    return check_entry(entry, sources, YEAR)


def codes(checked: CheckedEntry, contradicts: bool = True) -> list[str]:
    return [finding.code for finding in checked.findings if finding.contradicts is contradicts]


TRACKING = """@inproceedings{k, title={Steady Tracking of Distant Objects with Learned Memories},
  author={Lovelace, A. and Babbage, C. and Somerville, M.},
  booktitle={Conference on Computer Vision and Pattern Recognition}, year={2021}}"""


@pytest.mark.parametrize(
    "change",
    [
        ("", ""),
        ("Tracking of", "{T}racking  of"),
        ("with Learned Memories", "{W}ith learned memories."),
        ("Somerville, M.", "others"),
        ("year={2021}", "year={2021}, doi={10.1109/cvpr46437.2021.09999}"),
        ("booktitle={Conference on Computer Vision and Pattern Recognition}", "journal={CoRR}"),
    ],
)
def test_a_true_entry_is_ok_however_it_is_written(change: tuple[str, str]) -> None:
    checked = verdict(TRACKING.replace(*change), RECORDS)
    assert checked.verdict == "ok", checked


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("with Learned", "through Learned"), "title"),
        (("Babbage, C.", "Weill, K."), "authors"),
        ((" and Somerville, M.", ""), "authors-missing"),
        (("Lovelace, A. and Babbage, C.", "Babbage, C. and Lovelace, A."), "author-order"),
        (("year={2021}", "year={2019}"), "year"),
        (("Conference on Computer Vision and Pattern Recognition", "ICML"), "venue"),
        (("Conference on Computer Vision and Pattern Recognition", "Symposium on Made-Up Things"), "venue"),
        (("year={2021}", "year={2021}, doi={10.1109/CVPR46437.2021.01111}"), "doi"),
    ],
)
def test_what_a_record_contradicts_is_suspect(change: tuple[str, str], code: str) -> None:
    checked = verdict(TRACKING.replace(*change), RECORDS)
    assert checked.verdict == "suspect" and code in codes(checked), checked


WEIGHING = "@inproceedings{k, title={Weighing Words Before They Are Spoken}, booktitle={ACL}, "
FAR = "@inproceedings{k, title={Steady Tracking of Far Objects with Learned Memories}, booktitle={KDD}, "
SONGS = "author={Kurt Weill}, year=2021"
# An entry, its verdict, the codes of the contradictions and those of the remarks.
VERDICTS = {
    "a DOI of another paper": (
        f"@article{{k, title={{On Something Else}}, {SONGS}, doi={{10.1109/CVPR46437.2021.09999}}}}",
        ("suspect", ["other-paper"], ["incomplete"]),
    ),
    "an arXiv id of another paper": (
        f"@misc{{k, title={{Songs of the Sea}}, {SONGS}, eprint={{2303.09999}}}}",
        ("suspect", ["arxiv-date", "other-paper"], []),
    ),
    "a known title does not cover it": (
        TRACKING.replace("year={2021}", "year={2021}, eprint={2303.09999}"),
        ("suspect", ["arxiv-date", "other-paper"], ["unconfirmed"]),
    ),
    "a preprint may have been published since": (
        WEIGHING + "author={E. Noether}, year=2024}",
        ("unknown", [], ["unconfirmed"]),
    ),
    "but not before": (WEIGHING + "author={E. Noether}, year=2019}", ("suspect", ["year"], [])),
    "the published version may have more authors": (
        WEIGHING + "author={E. Noether and A. Lovelace}, year=2023}",
        ("unknown", [], ["authors-added", "unconfirmed"]),
    ),
    "but not others": (WEIGHING + "author={K. Weill}, year=2023}", ("suspect", ["authors"], [])),
    "a preprint that has been published": (
        "@misc{k, title={Steady Tracking of Distant Objects with Learned Memories}, year=2021,"
        "author={Lovelace, Ada and others}, howpublished={arXiv}}",
        ("ok", [], ["published"]),
    ),
    "nor its DOI": (
        "@misc{k, title={Weighing Words before They are Spoken}, author={Emmy Noether}, year={2023},"
        "eprint={2303.09999}, doi={10.1000/1}}",
        ("unknown", [], ["unconfirmed"]),
    ),
    "no kind of the records": (f"@book{{k, title={{A Complete Handbook}}, {SONGS}}}", ("unknown", [], [])),
    "nor software": (f"@software{{k, title={{A Complete Tool}}, {SONGS}}}", ("unknown", [], [])),
    "a short title is the title of many": (
        f"@inproceedings{{k, title={{Deep Rivers}}, booktitle={{KDD}}, {SONGS}}}",
        ("not-found", [], ["not-found"]),
    ),
    "the same people on the same subject, years apart": (
        FAR + "author={A. Lovelace and C. Babbage and M. Somerville}, year=2014}",
        ("not-found", [], ["not-found"]),
    ),
    "or with others": (
        FAR + "author={A. Lovelace and C. Babbage and K. Weill}, year=2021}",
        ("not-found", [], ["not-found"]),
    ),
    "the next part": (
        "@misc{k, title={Trees of Knowledge, Part II}, author={C. Linnaeus and M. Merian}, year=2020, doi={10.1000/1}}",
        ("not-found", [], ["not-found"]),
    ),
    "editors are not authors": (
        TRACKING.replace("author={Lovelace, A. and Babbage, C. and Somerville, M.}", "editor={K. Weill}"),
        ("unknown", [], ["authors"]),
    ),
    "an entry without a title": ("@misc{k, title={}}", ("unknown", [], [])),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_verdicts(case: str) -> None:
    text, expected = VERDICTS[case]
    checked = verdict(text, RECORDS)
    assert (checked.verdict, codes(checked), codes(checked, contradicts=False)) == expected


def test_what_is_not_there_is_never_called_invented() -> None:
    text = "@article{k, title={A Study that Nobody has Heard of}, author={Kurt Weill}, journal={Songs}, year=1999}"
    checked = verdict(text, RECORDS)
    assert checked.verdict == "not-found" and codes(checked) == []
    said = " ".join(finding.message for finding in checked.findings)
    assert "may exist" in said and "the register (4 papers)" in said
    assert verdict(text).verdict == "unknown"
    assert verdict(text, Records((), "nothing")).verdict == "unknown"
    assert verdict(text, Records((), "Crossref", asked=())).unchecked == "no answer from Crossref"
    some = Records((), "Crossref", asked=("k",)), Records((), "arXiv", asked=())
    assert verdict(text, *some).unchecked == "no answer from arXiv"
    silent = (Records((), name, asked=()) for name in ("Crossref", "arXiv", "OpenAlex"))
    assert verdict(text, *silent).unchecked == "no answer from Crossref, arXiv or OpenAlex"
    mine = Records(RECORDS.records, "mine", complete=False)
    assert verdict(text, mine).unchecked == "no record in mine, which lists only some papers"


FAMOUS = """@misc{f, title={Attention Is All You Need}, author={Ashish Vaswani and Noam Shazeer and Niki Parmar and
  Jakob Uszkoreit and Llion Jones and Aidan N. Gomez and Lukasz Kaiser and Illia Polosukhin}, year={2017},
  eprint={1706.03762}}"""


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("author={Vaswani, Ashish and Hinton, Geoffrey}, journal={Nature}, year={2019}", "suspect"),
        ("author={Vaswani, Ashish and others}, journal={Nature}, year={2019}", "unknown"),
        ("author={Vaswani, Ashish and others}, year={2019}", "unknown"),
        ("author={Vaswani, Ashish and others}, year={2018}, eprint={1706.03762}", "unknown"),
        ("author={Vaswani, Ashish and others}, year={2017}, eprint={1706.03762}", "ok"),
        ("author={Vaswani, Ashish and others}, year={2017}", "unknown"),
        ("author={Vaswani, Ashish and others}, year={2017}, journal={CoRR}", "ok"),
        ("author={Vaswani, Ashish and others}, year={in press}", "unknown"),
        ("year={2017}", "unknown"),
    ],
)
def test_what_the_record_does_not_confirm_is_never_ok(fields: str, expected: str) -> None:
    text = f"@article{{k, title={{Attention Is All You Need}}, {fields}}}"
    assert verdict(text, Records(entries(FAMOUS), "x")).verdict == expected


SILENT = "The record does not confirm the "


@pytest.mark.parametrize(
    ("entry", "record", "said"),  # what is changed in the entry and in the record, and what is said then
    [
        (("", ""), ("", ""), ""),
        (("", ""), ("year={2021},", "year={2022},"), "The record says 2022"),  # journals print a year late
        (("", ""), ("year={2021},", ""), SILENT + "year."),
        (("", ""), ("author={Ada Lovelace and Charles Babbage},", ""), SILENT + "authors."),
        (("", ""), ("Charles Babbage}", "others}"), "Not among the authors that the record names"),
        (("", ""), ("journal={Songs},", ""), SILENT + "venue."),
        (("", ""), ("doi={10.1000/1}", ""), SILENT + "DOI."),
        (("doi=", "eprint={2103.00001}, doi="), ("", ""), SILENT + "arXiv id."),
        (
            ("", ""),
            ("journal={Songs}", "eprint={2103.00001}"),
            "The record, which is of a preprint, does not",
        ),
        (("journal={Songs},", ""), ("", ""), "Missing: journal."),
        (("journal={Songs},", ""), ("", ""), "The record says that it appeared in Songs"),
        (("journal={Songs},", ""), ("journal={Songs},", ""), "Missing: journal."),
        (("author={Ada Lovelace and Charles Babbage},", ""), ("", ""), "Missing: author."),
        (("year={2021},", ""), ("", ""), "Missing: year."),
        (("title={Steady Tracking of Distant Objects},", ""), ("", ""), "Missing: title."),
    ],
)
def test_ok_means_that_every_field_was_compared(
    entry: tuple[str, str], record: tuple[str, str], said: str
) -> None:
    known = """@article{a, title={Steady Tracking of Distant Objects}, author={Ada Lovelace and Charles Babbage},
      journal={Songs}, year={2021}, doi={10.1000/1}}"""
    checked = verdict(known.replace(*entry), Records(entries(known.replace(*record)), "x"))
    assert checked.verdict == ("unknown" if said else "ok")
    assert said in " ".join(finding.message for finding in checked.findings)


def test_a_paper_of_before_2015_may_be_posted_years_later() -> None:
    fields = "title={Video In Sentences Out}, author={Ada Lovelace}"
    known = Records(entries(f"@misc{{r, {fields}, year=2014, eprint={{1408.6418}}}}"), "x")
    old = verdict(f"@inproceedings{{k, {fields}, booktitle={{UAI}}, year=2012}}", known)
    assert old.verdict == "unknown" and codes(old, contradicts=False) == ["year", "unconfirmed"]
    late = verdict(f"@inproceedings{{k, {fields}, booktitle={{UAI}}, year=2018}}", known)
    assert [finding.message.partition("confirm ")[2] for finding in late.findings] == [
        "the venue and the year."
    ]


def test_two_records_confirm_together_what_neither_says_alone() -> None:
    text = FAMOUS.replace("@misc", "@inproceedings").replace("eprint", "booktitle={NeurIPS}, eprint")
    published = text.replace(", eprint={1706.03762}", "")
    assert verdict(text, Records(entries(published), "x")).verdict == "unknown"
    assert verdict(text, Records(entries(published + FAMOUS), "x")).verdict == "ok"
    later = text.replace("year={2017}", "year={2021}")
    wrong = verdict(later, Records(entries(published + FAMOUS), "x"))
    assert (wrong.verdict, codes(wrong)) == ("suspect", ["year"])
    corr = FAMOUS.replace("{2017},", "{2018}, journal={CoRR},")
    assert verdict(corr, Records(entries(FAMOUS + corr), "x")).verdict == "ok"  # two years of a preprint


@pytest.mark.parametrize(("venue", "expected"), [("CVPR", []), ("EMNLP", ["doi-venue"])])
def test_a_record_with_the_doi_and_the_venue_refutes_the_table_of_publishers(
    venue: str, expected: list[str]
) -> None:
    fields = "author={Ada Lovelace}, year={2021}, doi={10.5555/abc}"
    known = Records(
        entries(f"@inproceedings{{r, title={{On Far Stars and Seas}}, booktitle={{{venue}}}, {fields}}}"), "r"
    )
    checked = verdict(
        f"@inproceedings{{k, title={{On Far Stars and Seas}}, booktitle={{CVPR}}, {fields}}}", known
    )
    assert [code for code in codes(checked, False) if code == "doi-venue"] == expected


def test_a_subtitle_left_out_is_a_remark_and_the_record_that_agrees_counts() -> None:
    checked = verdict(TRACKING, Records(entries(KNOWN.replace("Memories}", "Memories: A View}")), "x"))
    assert checked.verdict == "ok" and codes(checked, contradicts=False) == ["title"]
    added = verdict(TRACKING.replace("Memories}", "Memories (Invited Talk)}"), RECORDS)
    assert added.verdict == "ok" and codes(added, contradicts=False) == ["title"]
    both = Records(entries(KNOWN + TRACKING.replace("{k,", "{e,").replace("2021", "2022")), "x")
    assert verdict(TRACKING, both).verdict == "ok"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ("author={A B}, title={T}, year={2031}", "year-ahead"),
        ("author={A B}, title={T}, year={2020}, doi={ten.1000/182}", "doi-malformed"),
        (
            "author={A B}, title={T}, year={2021}, booktitle={ICML}, doi={10.1109/CVPR46437.2021.00001}",
            "doi-venue",
        ),
        ("author={A B}, title={T}, year={2021}, booktitle={NeurIPS}, doi={10.4321/9}", "doi-venue"),
        (
            "author={A B}, title={T}, year={2019}, booktitle={CVPR}, doi={10.1109/CVPR46437.2021.00001}",
            "doi-year",
        ),
        ("author={A B}, title={T}, year={2021}, eprint={2310.01362}", "arxiv-date"),
        (
            "author={A B}, title={T}, year={2020}, doi={10.1000/182}, url={https://doi.org/10.1000/183}",
            "ids-differ",
        ),
        (
            "author={A B}, title={T}, year={2020}, eprint={2003.00001}, url={https://arxiv.org/abs/2003.00002}",
            "ids-differ",
        ),
        ("author={A B}, title={T}, year={2015}, booktitle={Proceedings of KDD 2019}", "venue-year"),
        ("author={John Doe and Jane Doe}, title={T}, year={2015}", "placeholder"),
        ("author={Lastname, Firstname and Author, First}, title={T}, year={2015}", "placeholder"),
    ],
)
def test_an_entry_that_contradicts_itself_is_suspect(fields: str, code: str) -> None:
    checked = verdict(f"@inproceedings{{k, {fields}}}")
    assert checked.verdict == "suspect" and codes(checked) == [code]


@pytest.mark.parametrize(
    "fields",
    [
        "author={A B}, title={T}, year={2027}",  # next year's volume
        "author={A B}, title={T}, year={to appear}",
        "author={A B}, title={T}, year={1687}",
        "author={A B}, title={T}, year={2022}, eprint={2301.01362}",  # posted in January
        "author={A B}, title={T}, year={2020}, booktitle={Proceedings of SAC 2019}",
        "author={A B}, title={T}, year={2012}, booktitle={Recent Trends in Something 2010}",
        "author={A B}, title={T}, year={2001}, booktitle={Office of Things (visited 2005)}",
        "author={A B}, title={T}, year={1998}, booktitle={UAI}, eprint={1301.07363}",  # posted as a whole
        "author={A B}, title={T}, year={1997}, doi={http://doi.acm.org/10.1145/253260.253325}",
        "author={A B}, title={T}, year={2023}, journal={Machine Learning}, doi={10.1007/s10994-022-06999-9}",
        "author={A B}, title={T}, year={2020}, booktitle={ICML Workshop on Trees}, doi={10.4321/9}",
        "author={A B}, title={T}, year={2020}, doi={https://doi.org/10.1000/182}, url={https://doi.org/10.48550/arXiv.2003.00001}",
        "author={A B}, title={T}, year={2018}, booktitle={Proceedings of the AAAI/ACM Conference on AI, Ethics, and Society}, doi={10.1145/3278721.3278725}",
        "author={A B}, title={T}, year={2018}, booktitle={AAAI}, doi={10.1145/3278721.3278725}",
        "author={{Doe Corporation}}, title={T}, year={2015}",
        "title={T}",
    ],
)
def test_what_is_only_unusual_is_not_accused(fields: str) -> None:
    checked = verdict(f"@inproceedings{{k, {fields}}}")
    assert checked.verdict == "unknown" and codes(checked) == []


@pytest.mark.parametrize(
    ("title", "author", "venue", "expected"),
    [
        ("Sums in L∞ and s±-wave Spaces", "Ada Lovelace und Charles Babbage", "Optics", "authors"),
        ("Sums in L∞ and s±-wave Spaces", "Lovelace, Ada; Babbage, Charles", "Optics", "authors"),
        (
            "Sums in L∞ and s±-wave Spaces",
            "Ada Lovelace and Charles Babbage",
            "Tagung der Gesellschaft",
            "venue",
        ),
        (r"Sums in $L^{\infty}$ and $s^\pm$-wave Spaces", "Ada Lovelace and Charles Babbage", "Optics", ""),
    ],
)
def test_other_languages_and_formulas_are_not_accused(
    title: str, author: str, venue: str, expected: str
) -> None:
    fields = "@article{r, title={Sums in L∞ and s±-wave Spaces}, author={Ada Lovelace and Charles Babbage}, "
    known = Records(entries(fields + "journal={Optics}, year={2020}}"), "the register")
    text = f"@article{{k, title={{{title}}}, author={{{author}}}, journal={{{venue}}}, year={{2020}}}}"
    checked = verdict(text, known)
    found = ["unknown", expected] if expected else ["ok"]
    assert [checked.verdict, *codes(checked, False), *codes(checked)] == found


def test_a_printed_reference_that_was_misread_is_not_accused() -> None:
    text = "Roe, A. and the Doe, B. A title, of 2020, with commas. Songs of Joy 7, 2001. arXiv:0103.00001"
    fields = {
        "author": "Roe, A. and Other, C.",
        "title": "A title",
        "year": "2020",
        "journal": "Joy",
        "eprint": "0103.00001",
    }
    record = read_bib(
        Path("r.bib"),
        "@article{r, author={A. Roe and B. Doe}, title={A title, of 2020, with commas}, journal={Songs of Joy},"
        " year={2001}, eprint={0103.00001}}",
    ).entries
    entry = BibEntry("k", "article", fields, Span(Path(), 0, 0), 0)
    printed = replace(entry, fields={**fields, PRINTED: text})
    assert check_entry(entry, [Records(record, "r")], 2026).verdict == "suspect"
    assert check_entry(printed, [Records(record, "r")], 2026).verdict == "ok"
    swapped = replace(entry, fields={**fields, PRINTED: text.replace("Doe", "Poe")})
    assert check_entry(swapped, [Records(record, "r")], 2026).verdict == "suspect"


@pytest.mark.parametrize(("pages", "verdict"), [("1123–11 34", "ok"), ("1223–1234", "suspect")])
def test_pages_that_a_line_end_breaks_are_not_accused(pages: str, verdict: str) -> None:
    title = "Steady Tracking of Distant Objects with Learned Memories"
    read = read_reference("a", f"A. Lovelace. {title}. Journal of Songs, 8:{pages}, 2021.")
    text = f"@article{{a, title={{{title}}}, author={{Ada Lovelace}}, journal={{Journal of Songs}}, year=2021, volume=8, pages={{1123--1134}}}}"
    records = Records(read_bib(Path("refs.bib"), text).entries, "r")
    assert check_entry(read, [records], 2026).verdict == verdict
