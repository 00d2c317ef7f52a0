"""Papers and their texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

# What a part of a paper is, by its heading; "other" where the heading tells nothing.
SectionType = Literal[
    "abstract",
    "introduction",
    "related work",
    "methods",
    "results",
    "discussion",
    "conclusion",
    "other",
]


# Without a version: `2104.12255`, `hep-th/9901001`, `math.GT/0309136`.
ARXIV_FORM = r"(?:\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[A-Z]{2})?/\d{7})"


def is_arxiv(id: str) -> bool:
    """Whether a paper's id has the form of arXiv's: most others say whose they are (`doi:…`, `bib:…`), but records
    of a file may bring any."""
    return re.fullmatch(ARXIV_FORM, id) is not None


@dataclass(frozen=True, slots=True)
class Paper:
    """What is known of a paper. `id` is the arXiv id without version, old-style ids whole
    (`hep-th/9901001`); a paper without one has `doi:…` or `bib:<citation key>`."""

    id: str
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    published: str = ""  # ISO date of the first version, "" when unknown
    updated: str = ""  # ISO date of the version that is described
    version: int | None = None  # arXiv version that is described
    primary: str = ""  # arXiv primary class, such as cs.CL
    categories: tuple[str, ...] = ()
    doi: str = ""
    venue: str = ""  # journal or proceedings of the published version, where known
    url: str = ""
    topic: str = ""
    files: tuple[str, ...] = ()  # the user's own PDFs of it
    origin: str = (
        ""  # the registry, snapshot or library that the record came from; "" for a bibliography, or unknown
    )


@dataclass(frozen=True, slots=True)
class Block:
    """A sentence, or what is never cut: an equation, a table, code (`whole`). `page` from 1, None where no
    pages are known."""

    text: str
    page: int | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextSection:
    """A part of a paper's full text under its heading, as the paper has it."""

    heading: str
    blocks: tuple[Block, ...]
