"""Ids of papers in what authors paste: where they stand, and which they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.bib.identity import dois_in, find_doi
from texgeist_latex.bib.pasted import paper_id
from texgeist_latex.reading.completion import argument_at, citation_context

from ...processor_time import seconds

WILEY = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"
LANCET = "10.1016/s0140-6736(20)30183-5"


@pytest.mark.parametrize(
    ("address", "doi"),
    [
        ("https://onlinelibrary.wiley.com/doi/10.1002/asi.24000/abstract", "10.1002/asi.24000"),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/asi.24000", "10.1002/asi.24000"),
        ("https://link.springer.com/content/pdf/10.1007/978-3-030-1_1.pdf", "10.1007/978-3-030-1_1"),
        ("https://link.springer.com/content/pdf/10.1007%2F978-3-030-1_1.pdf", "10.1007/978-3-030-1_1"),
        (
            "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0123456&type=printable",
            "10.1371/journal.pone.0123456",
        ),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.30.927871v2.full.pdf",
            "10.1101/2020.01.30.927871",
        ),
        ("https://www.biorxiv.org/content/10.1101/2020.01.30.927871v1", "10.1101/2020.01.30.927871"),
        ("https://dl.acm.org/doi/pdf/10.1145/3292500.3330701?download=true", "10.1145/3292500.3330701"),
        ("https://doi.org/10.21203/rs.3.rs-1234/v1", "10.21203/rs.3.rs-1234/v1"),
        ("https://doi.org/10.5555/the.pdf", "10.5555/the.pdf"),
        ("https://doi.org/10.6084/m9.figshare.123.v1", "10.6084/m9.figshare.123.v1"),
    ],
)
def test_publishers_addresses_hold_the_id_and_more(address: str, doi: str) -> None:
    found = paper_id(address)
    assert found is not None and (found.kind, found.id) == ("doi", doi)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (f"See {WILEY}.", WILEY.lower()),
        (f"(see {LANCET})", LANCET),
        (f"[{LANCET}], and", LANCET),
        ("``10.1145/3292500.3330701''", "10.1145/3292500.3330701"),
        (r"10.1007/978-3\_7, p. 3", "10.1007/978-3_7"),
        (r"10.1007/978-3{\_}7", "10.1007/978-3_7"),
        ("10.1000.10/123, then", "10.1000.10/123"),
        ("10.1036/0-07-141867-x,1", "10.1036/0-07-141867-x,1"),
    ],
)
def test_a_doi_in_a_text(text: str, doi: str) -> None:
    [(start, end, found)] = dois_in(text)
    assert found == doi and text[start:end].replace("{\\_}", "_").replace("\\_", "_").lower() == doi
    assert find_doi(text[start:end]) == doi, "entries are read by the same rule"


@pytest.mark.parametrize("piece", [")", "]", ".", ").", "](", "10.1010.", " @misc{k, doi = {10.1145/7}}"])
def test_a_strangers_row_of_signs_costs_no_square(piece: str) -> None:
    texts = ["10.1145/a" + piece * (count // len(piece)) for count in (20_000, 160_000)]
    times = [seconds(lambda text: list(dois_in(text)), text) for text in texts]
    assert times[1] < 24 * max(times[0], 0.005)  # eight times as long; the square of it: sixty-four times


def test_the_argument_that_a_place_stands_in() -> None:
    text = "\\cite{smith,\n  here} \\url{\nhere} \\footnote{a \\emph{b} here}\n\n here"
    places = [at for at in range(len(text)) if text.startswith("here", at)]
    found = [argument_at(text, at) for at in places]
    assert [one and one[0] for one in found] == ["cite", "url", "footnote", None]
    assert citation_context(Path("a.tex"), text, places[0]) and not citation_context(
        Path("a.tex"), text, places[1]
    )
