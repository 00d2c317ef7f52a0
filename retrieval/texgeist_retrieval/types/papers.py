"""Papers, their texts and their vectors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

# Array types by shape. At run time they are `Any`, so that the language server need not import numpy.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # shape [dimension]
    Matrix = NDArray[np.float32]  # shape [rows, dimension]
else:
    Vector = Matrix = Any

STAYS = {"travels": False}  # metadata for fields that are not sent to another process, see `codec`

# The kind of a section, from its heading; "other" if the heading is not recognised.
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


OTHERS = "others"  # stands for further authors, as in BibTeX

# An arXiv id without version: `2104.12255`, `hep-th/9901001`, `math.GT/0309136`.
ARXIV_FORM = r"(?:\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[A-Z]{2})?/\d{7})"


def is_arxiv(id: str) -> bool:
    """Returns whether a paper's id has the form of an arXiv id. Most other ids have a prefix (`doi:…`,
    `bib:…`), but records of a file may have any id."""
    return re.fullmatch(ARXIV_FORM, id) is not None


# Types and further fields of bibliography entries that are kept, so that a new entry can have them.
ENTRY_TYPES = frozenset(
    "article inproceedings incollection book inbook proceedings phdthesis mastersthesis techreport manual".split()
)
DETAILS = "volume number pages publisher editor series edition chapter school institution organization address".split()


UNPRINTED = "unpublished"  # the kind of a manuscript, whose title is sent to no literature service
SAMPLE = (
    "sample"  # the origin of the sample library, whose abstracts are our descriptions, not the authors' words
)


@dataclass(frozen=True, slots=True)
class Paper:
    """The metadata of a paper. `id` is the arXiv id without version, old-style ids in full
    (`hep-th/9901001`); a paper without an arXiv id has `doi:…` or `bib:<citation key>`."""

    id: str
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()  # the last is `OTHERS` if the list leaves out authors
    year: int | None = None
    published: str = ""  # ISO date of the first version, "" if unknown
    updated: str = ""  # ISO date of the version described here
    version: int | None = None  # the arXiv version described here
    primary: str = ""  # arXiv primary class, such as cs.CL
    categories: tuple[str, ...] = ()
    doi: str = ""
    venue: str = ""  # journal or proceedings of the published version, if known
    url: str = ""
    topic: str = ""
    files: tuple[str, ...] = ()  # the user's PDFs of the paper
    kind: str = ""  # type of the bibliography entry that describes it, such as book; "" if it came from none
    details: tuple[str, ...] = ()  # further fields of that entry, as plain text: "pages=1–23"
    origin: str = ""  # registry, snapshot or library of the record; "" if from a bibliography or unknown

    @property
    def title_only(self) -> bool:
        """Whether neither an abstract nor a text of it is known."""
        return not (self.abstract or self.files)


@dataclass(frozen=True, slots=True)
class Block:
    """A sentence of a text. With `whole`, an equation, a table or code, which is never split. `page` counts
    from 1; it is None if the text has no page numbers."""

    text: str
    page: int | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextSection:
    """A section of a paper's full text, with the heading as printed."""

    heading: str
    blocks: tuple[Block, ...]
