"""The same paper in different words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.bib.identity import KnownPapers, arxiv_id_of, doi_of, normalise_title, same_paper
from texgeist_latex.types import BibEntry, Reference, Span

NOWHERE = Span(Path("/a.bib"), 0, 0)


def entry(key: str = "k", type: str = "misc", **fields: str) -> BibEntry:
    return BibEntry(key, type, fields, NOWHERE, 1)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"eprint": "1706.03762"}, "1706.03762"),
        ({"eprint": "1706.03762v5", "archiveprefix": "arXiv"}, "1706.03762"),
        ({"eprint": "arXiv:2101.00001"}, "2101.00001"),
        ({"eprint": "1706.03762 [cs.CL]"}, "1706.03762"),
        ({"eprint": "hep-th/9901001", "eprinttype": "arxiv"}, "hep-th/9901001"),
        ({"eprint": "9901001", "archiveprefix": "hep-th"}, "hep-th/9901001"),
        ({"eprint": "math.GT/0309136"}, "math/0309136"),
        ({"url": "https://arxiv.org/abs/1706.03762v2"}, "1706.03762"),
        ({"url": "http://arxiv.org/pdf/hep-th/9901001v1.pdf"}, "hep-th/9901001"),
        ({"howpublished": "\\url{https://www.arxiv.org/abs/2101.00001}"}, "2101.00001"),
        ({"journal": "arXiv preprint arXiv:1706.03762"}, "1706.03762"),
        ({"journal": "ArXiv e-prints 1706.03762"}, "1706.03762"),
        ({"journal": "CoRR", "volume": "abs/1706.03762"}, "1706.03762"),
        ({"note": "arXiv:math.GT/0309136"}, "math/0309136"),
        ({"doi": "10.48550/arXiv.1706.03762"}, "1706.03762"),
        ({"arxivid": "1706.03762"}, "1706.03762"),
        ({"pages": "1706.03762"}, ""),
        ({"abstract": "as in arXiv:1706.03762"}, ""),
        ({"eprint": "1713.03762"}, ""),  # there is no thirteenth month
        ({"doi": "10.1145/1706.03762"}, ""),
        ({"url": "https://example.org/1706.03762"}, ""),
        ({"eprint": "24399", "archiveprefix": "pubmed"}, ""),
    ],
)
def test_arxiv_ids_in_any_field_and_form(fields: dict[str, str], expected: str):
    assert arxiv_id_of(entry(**fields)) == expected


def test_arxiv_id_in_a_dblp_key():
    assert arxiv_id_of(entry("DBLP:journals/corr/abs-1706-03762", title="x")) == "1706.03762"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"doi": "10.1145/3292500.3330701"}, "10.1145/3292500.3330701"),
        ({"doi": "https://doi.org/10.1145/3292500.3330701"}, "10.1145/3292500.3330701"),
        ({"doi": "doi:10.1007/978-3-319-16354-3\\_35"}, "10.1007/978-3-319-16354-3_35"),
        ({"url": "http://dx.doi.org/10.1016/J.ARTINT.2020.1"}, "10.1016/j.artint.2020.1"),
        ({"note": "doi: 10.1000/xyz."}, "10.1000/xyz"),
        (
            {"doi": "10.1002/(SICI)1097(1997)16:4<385::AID>3.0.CO;2-3"},
            "10.1002/(sici)1097(1997)16:4<385::aid>3.0.co;2-3",
        ),
        ({"doi": "10.48550/arXiv.1706.03762"}, ""),
        ({"doi": "see the publisher"}, ""),
    ],
)
def test_dois_in_any_form(fields: dict[str, str], expected: str):
    assert doi_of(entry(**fields)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{BERT}: Pre-training of {D}eep", "Bert: pretraining of deep."),
        ("$\\alpha$-divergence", "α-Divergence"),
        ("Poincar{\\'e} Embeddings", "Poincaré embeddings"),
        ("Schr\\\"odinger's \\emph{cat}", "Schrödinger’s Cat"),
        ("{\\L}ukasz {\\O}re", "Łukasz Øre"),
        ("Об архитектуре", "Об Архитектуре"),
    ],
)
def test_titles_agree(one: str, other: str):
    assert normalise_title(one) == normalise_title(other) != ""


def paper(
    title: str = "A Study of Things", author: str = "Jane Smith", year: str = "2020", **more: str
) -> BibEntry:
    return entry(title=title, author=author, year=year, **more)


ID, OTHER_ID = "2001.00001", "2001.00002"
REFERENCE = Reference("1", "A Study of Things", ("Jane Smith", "Ann Lee"), 2019, arxiv_id="1901.00001v2")
ITEM = entry("k", "bibitem", text="J. Smith and A. Lee. A study of things. Journal 3, 2020.")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (paper(), paper("A study of {T}hings", "Smith, J. and Lee, A.", "2021"), True),
        (paper(author='M{\\"u}ller, Jan'), paper(author="Jan Müller"), True),
        (paper(author="Laurens van der Maaten"), paper(author="van der Maaten, Laurens"), True),
        (paper(), paper(author="Ann Lee"), False),
        (paper(), paper(author=""), False),
        (paper(year="2010"), paper(), False),
        (paper("A Study of Things I"), paper("A Study of Things II"), False),
        (paper(eprint=ID), paper("Quite Another Title", "Other", "2024", eprint=f"{ID}v3"), True),
        (paper(eprint=ID), paper(eprint=OTHER_ID), False),
        (paper(doi="10.1000/A"), paper("Other", doi="https://doi.org/10.1000/a"), True),
        (paper(doi="10.1000/a"), paper(doi="10.1000/b"), False),
        (REFERENCE, paper(), True),
        (REFERENCE, entry(eprint="1901.00001"), True),
        (Reference("2", "x", (), None, doi="10.48550/arXiv.1901.00001"), entry(eprint="1901.00001"), True),
        (ITEM, REFERENCE, True),
        (ITEM, replace(REFERENCE, authors=("Bob Jones",)), False),
        (ITEM, replace(REFERENCE, year=2002), False),
        (entry(type="bibitem", text="Title, arXiv:1901.00001 (2019)"), entry(eprint="1901.00001"), True),
    ],
)
def test_an_id_decides_else_title_author_and_a_close_year(
    one: BibEntry | Reference, other: BibEntry | Reference, same: bool
) -> None:
    assert same_paper(one, other) is same and same_paper(other, one) is same


def test_without_any_author_a_telling_title_of_one_year_decides():
    known = entry(title="Deep {G}aussian Processes with Importance-Weighted Inference", year="2019")
    paper = Reference("x", "Deep Gaussian processes with importance-weighted inference", (), 2019)
    assert same_paper(known, paper)
    assert not same_paper(known, replace(paper, year=2020))
    assert not same_paper(known, replace(paper, authors=("Hugh Salimbeni",)))
    assert not same_paper(entry(title="Introduction", year="2019"), replace(paper, title="Introduction"))


def test_known_papers_finds_all_entries_of_a_paper():
    entries = [
        paper(),
        paper(eprint="1901.00001"),
        entry("i", "bibitem", text="Smith. A Study of Things. 2020."),
        paper("B"),
    ]
    found = KnownPapers(entries).find(
        Reference("1", "A study of things", ("J. Smith",), 2019, arxiv_id="1901.00001")
    )
    assert [entries.index(each) for each in found] == [1, 0, 2]


def test_two_papers_of_the_real_data_are_never_one(shared_data: Path):
    """arXiv's own records, each with its id: no two may agree once their ids are taken away."""
    import gzip
    import json

    with gzip.open(shared_data / "arxiv" / "records.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for _, line in zip(range(6000), lines, strict=False)]
    papers = [
        entry(r["id"], title=r["title"], author=" and ".join(r["authors"]), year=r["created"][:4])
        for r in records
    ]
    known = KnownPapers(papers)
    doubles = [(p.key, [f.key for f in found]) for p in papers if len(found := known.find(p)) != 1]
    # A title that its authors gave to two papers within two years cannot be told apart by these fields.
    assert len(doubles) <= 6, doubles


@pytest.mark.parametrize(
    ("theirs", "found"),
    [
        (Reference("1", "A Study of Many Other Things", (), 2020), True),
        (Reference("1", "A Study of Many Other Things", (), None), True),
        (Reference("1", "A Study of Many Other Things", (), 2015), False),
        (Reference("1", "A Study of Many Other Things", ("Ann Lee",), 2020), False),
        (Reference("1", "A Study of Things", (), 2020), False),  # too short to decide alone
    ],
)
def test_an_entry_of_the_author_is_found_if_the_record_names_no_author(theirs: Reference, found: bool):
    own = [paper("A Study of Many Other Things"), paper()]
    assert (KnownPapers(own).find(theirs) == own[:1]) is found
