"""Venues under their many names, and what DOIs say of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.bib.venues import is_preprint, may_be_one, read_venue
from texgeist_latex.entry_checks.contradictions import check_alone, meaning_of
from texgeist_latex.types import BibEntry, Span


@pytest.mark.parametrize(
    ("written", "short"),
    [
        ("Proceedings of the 38th International Conference on Machine Learning", "icml"),
        ("Advances in Neural Information Processing Systems 34 (NeurIPS 2021)", "neurips"),
        ("{NIPS}", "neurips"),
        ("2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", "cvpr"),
        ("European Conference on Computer Vision", "eccv"),
        ("IEEE/CVF International Conference on Computer Vision", "iccv"),
        ("J. Mach. Learn. Res.", "jmlr"),
        ("Proc. Pacific-Asia Conf. Knowledge Discovery and Data Mining", "pakdd"),
        ("Machine Learning", "ml"),
        ("IEEE Transactions on Pattern Analysis and Machine Intelligence", "pami"),
        ("Proc. of the Thirty-Fifth AAAI Conference on Artificial Intelligence", "aaai"),
        ("Nature", "nature"),
        ("Nature Communications", ""),
        ("Symposium on Made-Up Things", ""),
        ("Quantum Machine Learning", ""),
    ],
)
def test_a_venue_is_known_by_any_of_its_names(written: str, short: str) -> None:
    assert read_venue(written).short == short


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ICML", "Proc. Int. Conf. Mach. Learn.", True),
        ("NeurIPS", "Adv. Neural Inf. Process. Syst.", True),
        ("ICML", "ICLR", False),
        ("ICML", "International Conference on Quantum Machine Learning", False),
        ("ICLR", "Conference on Disentangled Representations", False),
        ("ICML", "Proceedings of Machine Learning Research", True),
        ("Phys. Rev. Lett.", "Physical Review Letters", True),
        ("Physical Review Letters", "Journal of Fluid Mechanics", False),
        ("ICPR", "International Conference on Pattern Recognition", True),
    ],
)
def test_two_names_of_one_venue(one: str, other: str, same: bool) -> None:
    assert may_be_one(read_venue(one), read_venue(other)) is same
    assert may_be_one(read_venue(other), read_venue(one)) is same


@pytest.mark.parametrize("venue", ["arXiv preprint arXiv:1706.03762", "CoRR", "ArXiv", "bioRxiv"])
def test_a_preprint_server_is_no_venue(venue: str) -> None:
    assert is_preprint(venue)


@pytest.mark.parametrize(
    ("doi", "short", "year"),
    [
        ("10.1109/CVPR46437.2021.01999", "cvpr", 2021),
        ("10.1609/AAAI.V36I2.99999", "aaai", 2022),
        ("10.18653/v1/2020.acl-main.999", "acl", 2020),
        ("10.18653/v1/N19-1999", "naacl", 2019),
        ("10.1109/TPAMI.2020.2999999", "pami", 2020),
    ],
)
def test_a_doi_says_venue_and_year(doi: str, short: str, year: int) -> None:
    said = meaning_of(doi)
    assert said.venue is not None and (said.venue.short, said.year) == (short, year)


def test_a_doi_that_says_nothing() -> None:
    assert meaning_of("10.1145/3999999.3999999").year is None


@pytest.mark.parametrize(
    ("doi", "venue", "other"),
    [
        ("10.1109/x", "CVPR", False),
        ("10.1145/x", "CVPR", True),
        ("10.48550/arxiv.2101.00001", "CVPR", False),  # a repository's, of any paper
        ("10.9999/x", "Journal of Some Kind", False),
    ],
)
def test_who_registers_for_a_venue(doi: str, venue: str, other: bool) -> None:
    fields = {"title": "A Title", "author": "A. Roe", "year": "2021", "booktitle": venue, "doi": doi}
    entry = BibEntry("k", "inproceedings", fields, Span(Path(), 0, 0), 0)
    assert ("doi-venue" in [finding.code for finding in check_alone(entry, 2026)]) is other
