"""The material that a writer's answer is checked against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...ports import Embedder
from ...types import Clause, Query, Selected
from ...types.papers import OTHERS
from .belonging import Belonging, Sources
from .grounds import Names
from .plain import DraftLanguage
from .prompts import surname
from .prose import Ids


@dataclass(frozen=True, slots=True)
class Material:
    """The evidence of a section, and the texts that its sentences are checked against. `owner`: the paper id
    of each evidence id; `draft`: the text of the draft; `belonging`: None without an embedder, and then a
    sentence that cites the wrong paper is not reported."""

    owner: Mapping[str, str]
    surnames: Mapping[str, tuple[str, ...]]  # surnames of the paper's authors, by evidence id
    draft: str
    sources: Sources
    names: Names
    belonging: Belonging | None = None
    passages: Mapping[str, str] = field(default_factory=dict)  # by evidence id
    texts: Mapping[str, str] = field(default_factory=dict)  # title, abstract and passages, by paper id
    years: Mapping[str, int | None] = field(default_factory=dict)  # by paper id
    own: Mapping[str, str] = field(default_factory=dict)
    """The author's passages by id; may be empty."""
    founded: bool = False
    """Whether every sentence must cite evidence or a passage in `own`, even if `own` is empty."""
    cited_figures: bool = False
    """Whether a sentence with a number must cite evidence. This is so for answers, because no author vouches
    for their numbers."""

    @classmethod
    def of(
        cls,
        selected: Sequence[Selected],
        draft: str = "",
        embedder: Embedder | None = None,
        written: str = "",
    ) -> Material:
        """The material for these papers. `draft`: the text of the draft; `written`: the author's existing
        text of the section, which must not be repeated."""
        pairs = [(e, s.candidate.paper) for s in selected for e in s.evidence]
        surnames = {e.id: tuple(surname(a) for a in paper.authors if a != OTHERS) for e, paper in pairs}
        passages = {e.id: e.passage.text for e, _ in pairs}
        titles = [s.candidate.paper.title for s in selected]
        abstracts = [s.candidate.paper.abstract for s in selected]
        return cls(
            {e.id: paper.id for e, paper in pairs},
            surnames,
            draft,
            Sources.of(passages, titles, draft, written),
            Names.of(
                (n for some in surnames.values() for n in some),
                [draft, *titles, *abstracts, *passages.values()],
                DraftLanguage.of(draft or " ".join(passages.values())),
            ),
            Belonging(selected, embedder) if embedder else None,
            passages,
            {s.candidate.paper.id: _all_of(s) for s in selected},
            {s.candidate.paper.id: s.candidate.paper.year for s in selected},
        )

    @classmethod
    def for_query(
        cls, query: Query, selected: Sequence[Selected], embedder: Embedder | None = None
    ) -> Material:
        """The material for related work, or for an answer."""
        material = cls.of(selected, query.abstract, embedder, query.written)
        more = [query.title, query.introduction, query.written, query.text]
        draft = "\n".join(filter(None, [query.abstract, *more]))
        names = material.names.knowing(more)
        return replace(material, draft=draft, names=names, cited_figures=query.kind == "question")

    @property
    def ids(self) -> Ids:
        """The ids that a text may cite."""
        return Ids(self.surnames, self.own)

    def papers(self, ids: Sequence[str]) -> tuple[str, ...]:
        """Ids of the papers of these evidence ids, without duplicates."""
        return tuple(dict.fromkeys(self.owner[i] for i in ids))

    def named_by(self, part: Clause) -> list[str]:
        """The texts of the evidence and of the author's passages that a part of a sentence cites."""
        return [
            *(self.passages[id] for id in part.evidence if id in self.passages),
            *(self.own[id] for id in part.own),
        ]

    def grounds(self, ids: Sequence[str]) -> list[str]:
        """The texts from which a sentence that cites these evidence ids may take numbers: the draft and the
        cited papers, or all papers if there are no `ids`."""
        papers = self.papers(ids) or tuple(self.texts)
        return [self.draft, *(self.texts[paper] for paper in papers)]


def _all_of(selected: Selected) -> str:
    paper = selected.candidate.paper
    return "\n".join([paper.title, paper.abstract, *(e.passage.text for e in selected.evidence)])
