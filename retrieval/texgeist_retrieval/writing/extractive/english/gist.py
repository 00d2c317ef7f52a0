"""What one paper does, in one sentence of its own words: for a line beside a title."""

from __future__ import annotations

from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Selected

from .facts import final
from .saying import sources


def gist(paper: Paper) -> str:
    """ "Ash et al. propose a retriever."; "" where nothing of its abstract can be told by itself."""
    evidence = Evidence("1", Passage(paper.id, None, paper.abstract), 0.0)
    [source] = sources([Selected(Candidate(paper, 0.0, 1), (evidence,), 0.0, "")], "abstract")
    for said in source.said:
        if text := final(said.told, said.passage, source.several):
            lead = f"{said.told.lead} " if said.told.lead else ""
            return f"{lead}{_authors(paper)} {text}" if said.told.textual else text
    return ""


def _authors(paper: Paper) -> str:
    names = [author.split(",")[0].split()[-1] for author in paper.authors if author.split(",")[0].split()]
    if not names:
        return "The authors"
    if len(names) == 2:
        return f"{names[0]} and {names[1]}"
    return names[0] if len(names) == 1 else f"{names[0]} et al."
