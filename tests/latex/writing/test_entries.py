"""New entries in the manner of their file, and readable again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from texgeist_latex.bib.identity import same_paper
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.entry_checks.contradictions import check_alone
from texgeist_latex.types import BibEntry, Reference
from texgeist_latex.writing.entries import new_entry, new_item
from texgeist_latex.writing.entry_style import BibStyle, learn_style
from texgeist_latex.writing.escape import Charset

PATH = Path("/a.bib")
PREPRINT = Reference(
    "1",
    "BERT: Bayesian pre-training with $O(n^2)$ cost & 5% noise",
    ("Jürgen Müller", "Laurens van der Maaten", "ATLAS Collaboration", "King, Jr., Martin"),
    2019,
    arxiv_id="1810.04805v2",
    primary_class="cs.CL",
)
ARTICLE = Reference(
    "2",
    "A Study of Things",
    ("Ann Lee",),
    2021,
    doi="10.1007/978_3",
    venue="Things & Co.",
    kind="article",
    arxiv_id="2001.00001",
)


def like(example: str, reference: Reference, **more) -> str:
    return new_entry(reference, "key", learn_style(read_bib(PATH, example), example), Charset(), **more)


def read_back(reference: Reference, charset: Charset | None = None, **more: Any) -> BibEntry:
    return read_bib(PATH, new_entry(reference, "k", BibStyle(), charset or Charset(), **more)).entries[0]


def test_arxivs_own_form_for_bibtex():
    assert new_entry(PREPRINT, "key", BibStyle(), Charset()) == snapshot("""\
@misc{key,
  title = {{BERT}: {Bayesian} pre-training with {$O(n^2)$} cost \\& 5\\% noise},
  author = {J{\\"u}rgen M{\\"u}ller and Laurens van der Maaten and {ATLAS Collaboration} and King, Jr., Martin},
  year = {2019},
  eprint = {1810.04805},
  archivePrefix = {arXiv},
  primaryClass = {cs.CL},
  url = {https://arxiv.org/abs/1810.04805},
}\
""")


def test_online_for_biblatex_with_letters_as_they_are():
    charset = Charset(frozenset({"latin"}), t1=True)
    entry = new_entry(PREPRINT, "key", BibStyle(), charset, biblatex=True)
    assert (
        entry.startswith("@online{key,") and "author = {Jürgen Müller and Laurens van der Maaten and" in entry
    )
    assert "  eprinttype = {arxiv},\n  eprintclass = {cs.CL},\n" in entry and "archivePrefix" not in entry


def test_the_published_version_keeps_its_eprint():
    assert new_entry(ARTICLE, "key", BibStyle(), Charset()) == snapshot("""\
@article{key,
  author = {Ann Lee},
  title = {A Study of Things},
  journal = {Things \\& Co.},
  year = {2021},
  doi = {10.1007/978\\_3},
  eprint = {2001.00001},
  archivePrefix = {arXiv},
}\
""")


def test_aligned_capitalised_without_last_comma():
    example = """@Article{a,
  Author                   = {Smith, J.},
  Title                    = {{A Title}},
  Journal                  = {X},
  Year                     = {2001}
}

@Article{b,
  Title                    = {{B}},
  Author                   = {Lee, A.},
  Year                     = {2001}
}"""
    assert like(example, ARTICLE) == snapshot("""\
@Article{key,
  Title                    = {{A Study of Things}},
  Author                   = {Lee, Ann},
  Journal                  = {Things \\& Co.},
  Year                     = {2021},
  Doi                      = {10.1007/978\\_3},
  Eprint                   = {2001.00001},
  ArchivePrefix            = {arXiv}
}\
""")


def test_tabs_quotes_and_upper_case():
    example = '@ARTICLE{a,\n\tAUTHOR = "S. Lee",\n\tTITLE = "X",\n\tYEAR = "2001"\n}\n'
    assert like(example, ARTICLE) == snapshot("""\
@ARTICLE{key,
	AUTHOR = "Ann Lee",
	TITLE = "A Study of Things",
	JOURNAL = "Things \\& Co.",
	YEAR = "2021",
	DOI = "10.1007/978\\_3",
	EPRINT = "2001.00001",
	ARCHIVEPREFIX = "arXiv"
}\
""")


def test_a_file_of_several_styles_is_given_the_most_frequent_and_no_mixture():
    scholar = (
        "@article{s%d,\n  title={X},\n  author={Lee, S. and Ng, A.},\n  journal={J},\n  year={2001}\n}\n"
    )
    dblp = "@article{d%d,\n  author    = {S. Lee and\n               A. Ng},\n  title     = {X},\n  year      = {2001},\n  timestamp = {Mon},\n}\n"
    example = "".join(each % n for n in range(2) for each in (dblp, scholar))
    head = "  author    = {Ann Lee},\n  title     = {A Study of Things},\n"
    assert head in like(example + dblp % 2, ARTICLE)
    assert "  title={A Study of Things},\n  author={Lee, Ann},\n" in like(example + scholar % 2, ARTICLE)


def test_biblatex_field_names_where_the_file_has_them():
    example = (
        "@article{a,\n  title = {X},\n  author = {Lee, A.},\n  date = {2001},\n  journaltitle = {J},\n}\n"
    )
    assert like(example, ARTICLE, biblatex=True) == snapshot("""\
@article{key,
  title = {A Study of Things},
  author = {Lee, Ann},
  date = {2021},
  journaltitle = {Things \\& Co.},
  doi = {10.1007/978_3},
  eprint = {2001.00001},
  eprinttype = {arxiv},
}\
""")


def test_bibitems():
    assert new_item(PREPRINT, "key", Charset(), label=True) == snapshot("""\
\\bibitem[M{\\"u}ller et~al.(2019)]{key}
J{\\"u}rgen M{\\"u}ller, Laurens van der Maaten, ATLAS Collaboration, and Martin King Jr. BERT: Bayesian pre-training with $O(n^2)$ cost \\& 5\\% noise. arXiv:1810.04805, 2019.\
""")
    assert new_item(ARTICLE, "key", Charset()) == snapshot("""\
\\bibitem{key}
Ann Lee. A Study of Things. Things \\& Co., 2021.\
""")


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("GPT-4 and iPhone: A mRNA study", "{GPT}-4 and {iPhone}: A {mRNA} study"),
        ("Learning in Paris with small models", "Learning in {Paris} with small models"),
        ("Markov Chains for Schrödinger's Cat", "{Markov} Chains for {Schr{\\\"o}dinger's} Cat"),
        ("Hardness of CsI(Tl) crystals (and PbWO)", "Hardness of {CsI(Tl)} crystals (and {PbWO})"),
        ('(BERT) "Why" {x}', "({BERT}) ``Why'' x"),
        ("{LitLLM}: {\\it An} \\emph{open} kit for \\mu", "{LitLLM}: An open kit for {$\\mu$}"),
        (
            "A {weird_name} \\input{x}",
            "A weird\\_name \\textbackslash{}input\\textbraceleft{}x\\textbraceright{}",
        ),
        ("On $k$-means", "On {$k$}-means"),
        ("Ends with a stop.", "Ends with a stop"),
    ],
)
def test_capitals_that_must_stay(title: str, shown: str):
    entry = read_back(Reference("1", title, (), None))
    assert entry.fields["title"] == shown


@pytest.mark.parametrize(
    ("venue", "said", "kind"),
    [
        ("acl 2022", "article", "inproceedings"),
        ("NeurIPS", "preprint", "inproceedings"),
        ("Advances in Neural Information Processing Systems", "article", "inproceedings"),
        ("Findings of ACL: EMNLP 2020", "article", "inproceedings"),
        ("Proceedings of the 37th International Conference on Machine Learning", "preprint", "inproceedings"),
        ("Proceedings of the National Academy of Sciences", "preprint", "article"),
        ("Proc. VLDB Endow.", "preprint", "inproceedings"),
        ("Journal of Machine Learning Research", "inproceedings", "article"),
        ("Phys. Rev. Lett.", "preprint", "article"),
        ("TACL", "preprint", "article"),
        ("arXiv preprint arXiv:2001.00001", "article", "misc"),
        ("Some Venue", "article", "article"),
        ("Some Venue", "preprint", "misc"),
        ("", "article", "misc"),
    ],
)
def test_what_a_venue_is(venue: str, said: Any, kind: str):
    reference = Reference("1", "T", ("A B",), 2020, venue=venue, kind=said)
    entry = read_back(reference)
    assert entry.type == kind
    assert not venue or venue in (entry.fields.get(name) for name in ("journal", "booktitle", "howpublished"))


def test_a_preprints_year_with_the_venue_of_the_published_paper_passes_our_check() -> None:
    venue = "Proceedings of the 2019 Conference of the North American Chapter of the ACL"
    devlin = Reference("1", "BERT", ("Jacob Devlin",), 2018, "1810.04805", "cs.CL", "", venue, "article")
    entry = read_back(devlin)
    assert (entry.type, entry.fields["year"]) == ("inproceedings", "2019") and not check_alone(entry, 2026)
    wrong = replace(entry, fields={**entry.fields, "year": "2018"})
    assert [finding.code for finding in check_alone(wrong, 2026)] == ["venue-year"]


def test_bibtex_never_cuts_a_letter_in_two():
    """Labels and initials are made of a name's first bytes; deeper in a name a raw letter is safe."""
    charset = Charset(frozenset({"latin"}), t1=True, bytewise=True)
    reference = Reference("1", "Éclat", ("Đorđe Łukasz", "Anna Kowalczykówna"), 2020)
    entry = read_back(reference, charset)
    assert entry.fields == {
        "title": "Éclat",
        "author": "{\\DJ}or{\\dj}e {\\L}ukasz and Anna Kowalczykówna",
        "year": "2020",
    }


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("danah boyd", "{boyd}, danah"),
        ("bell hooks", "{hooks}, bell"),
        ("vincent van gogh", "{van gogh}, vincent"),
        ("Vincent van Gogh", "van Gogh, Vincent"),
        ("Danah boyd", "boyd, Danah"),
        ("boyd", "boyd"),
    ],
)
def test_a_name_without_capitals_keeps_its_surname(name: str, shown: str):
    """BibTeX takes all small words before the last for a "von", and of such names biber may compare for ever."""
    entry = new_entry(Reference("1", "T", (name,), 2020), "k", BibStyle(last_first=True), Charset())
    assert f"author = {{{shown}}}" in entry


@pytest.mark.parametrize(
    ("url", "packaged", "plain"),
    [
        ("https://x.org/a_b%20c#d", "https://x.org/a_b\\%20c\\#d", "https://x.org/a\\_b\\%20c\\#d"),
        ("javascript:alert(1)", None, None),
        ("https://x.org/{a}", None, None),
    ],
)
def test_addresses_compile_without_a_package_for_them(url: str, packaged: str | None, plain: str | None):
    reference = Reference("1", "T", ("A B",), 2020, url=url)
    for urls, expected in ((True, packaged), (False, plain)):
        entry = read_back(reference, Charset(urls=urls))
        assert entry.fields.get("url") == expected
    online = read_back(reference, biblatex=True)
    assert online.fields.get("url") == (url if packaged else None)


_NAMES = st.one_of(
    st.text(max_size=25),
    st.sampled_from(["A and B", "Lee, Jr, Ann", "Team X", "de la Cruz", "{x", "}", 'a"b', "A, B, C, D"]),
)


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=60),
    st.lists(_NAMES, max_size=4),
    st.text(max_size=20),
    st.text(max_size=20),
    st.booleans(),
    st.sampled_from(
        [
            BibStyle(),
            BibStyle(quotes=True, trailing_comma=False),
            BibStyle(double_title=True, align=12, before_equals=""),
        ]
    ),
)
def test_whatever_is_in_a_paper_its_entry_reads_back(title, authors, venue, doi, biblatex, style):
    reference = Reference(
        "1", title, tuple(authors), 2020, "2001.00001", "cs.CL", doi, venue, "article", "http://x.org/{"
    )
    text = new_entry(reference, "key2020", style, Charset(), biblatex=biblatex)
    bib = read_bib(PATH, "@misc{a, title={x}}\n" + text + "\n@misc{z, title={x}}\n")
    assert [entry.key for entry in bib.entries] == ["a", "key2020", "z"] and not bib.problems
    assert bib.entries[1].fields["eprint"] == "2001.00001"
    assert same_paper(reference, bib.entries[1])
    item = new_item(reference, "k", Charset(), label=True)
    assert item.count("{") == item.count("}")
