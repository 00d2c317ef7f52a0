"""Joins the records of several services: one paper for each work, with all its paths and links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..identity import plain_title, same_paper
from ..types import CitationLink, DiscoveredPaper, DiscoveryPath, Paper
from ..types.papers import is_arxiv
from .asking import ServiceWork
from .service import RANK_SHIFT, ServiceFinds

MOST_PATHS = 8  # of a paper
Place = tuple[str, str]  # the name of a service, and the service's key of a work


@dataclass
class _Joined:
    """Records of one paper from one or more services."""

    paper: Paper
    gone: bool = False  # any service says that it was retracted or withdrawn


class Joined:
    """The papers of all services. Records belong to the same paper if they have the same arXiv id, the same DOI,
    or the same title, first author and year (`identity.same_paper`)."""

    def __init__(self, finds: Mapping[str, ServiceFinds]) -> None:
        self._groups: list[_Joined] = []
        self._of: dict[Place, int] = {}
        self._marked: defaultdict[str, list[int]] = defaultdict(list)
        for name, one in finds.items():
            for key, work in {**one.works, **one.known}.items():
                self._add((name, key), work)
        self._ids = [group.paper.id for group in self._groups]
        self.cited = frozenset(self._of[name, key] for name, one in finds.items() for key in one.known)
        self._paths: defaultdict[int, list[DiscoveryPath]] = defaultdict(list)
        self._scores: defaultdict[int, float] = defaultdict(float)
        for name, one in finds.items():
            self._follow(name, one)
        self.links = tuple(
            dict.fromkeys(link for name, one in finds.items() for link in self._links(name, one))
        )

    def papers(self, keep: Callable[[Paper], bool]) -> tuple[DiscoveredPaper, ...]:
        """The new papers for which `keep` is true, the best first."""
        order = sorted(self._scores, key=lambda at: (-self._scores[at], self._ids[at]))
        new = (at for at in order if at not in self.cited and not self._groups[at].gone)
        chosen = [at for at in new if keep(self._groups[at].paper)]
        return tuple(map(self._made, chosen))

    def cited_papers(self) -> tuple[DiscoveredPaper, ...]:
        return tuple(map(self._made, sorted(self.cited)))

    def _made(self, at: int) -> DiscoveredPaper:
        return DiscoveredPaper(self._groups[at].paper, tuple(dict.fromkeys(self._paths[at]))[:MOST_PATHS])

    def _add(self, place: Place, work: ServiceWork) -> None:
        marks = _marks(work.paper)
        near = (at for mark in marks for at in self._marked[mark])
        at = next((at for at in near if same_paper(self._groups[at].paper, work.paper)), -1)
        if at < 0:
            at = len(self._groups)
            self._groups.append(_Joined(work.paper, work.gone))
        else:
            group = self._groups[at]
            group.paper = merged(group.paper, work.paper)
            group.gone |= work.gone
        self._of[place] = at
        for mark in marks:
            self._marked[mark].append(at)

    def _id(self, name: str, key: str) -> str:
        """The id of the joined paper."""
        return self._ids[self._of[name, key]]

    def _follow(self, name: str, finds: ServiceFinds) -> None:
        for one in finds.reached:
            for place, key in enumerate(one.works):
                at = self._of.get((name, key))
                if at is None:
                    continue
                over = tuple(self._id(name, work) for work in one.over.get(key, ()))
                self._scores[at] += 1 / (RANK_SHIFT + place)
                self._paths[at].append(DiscoveryPath(one.kind, name, one.query, over))

    def _links(self, name: str, finds: ServiceFinds) -> Iterable[CitationLink]:
        """The citations between works that both have a record."""
        for work in (*finds.works.values(), *finds.known.values()):
            citing = self._id(name, work.key)
            for key in work.references:
                if (name, key) in self._of and (cited := self._id(name, key)) != citing:
                    yield CitationLink(citing, cited)


def merged(one: Paper, other: Paper) -> Paper:
    """Merges two records of a paper: takes the fields of the record with a venue, completed by the other record;
    the arXiv id, if either record has one; and the earlier date."""
    base, more = (other, one) if other.venue and not one.venue else (one, other)
    id = next((paper.id for paper in (base, more) if is_arxiv(paper.id)), base.id)
    return replace(
        base,
        id=id,
        abstract=base.abstract or more.abstract,
        authors=base.authors or more.authors,
        year=base.year or more.year,
        doi=base.doi or more.doi,
        venue=base.venue or more.venue,
        url=base.url or more.url,
        published=min(filter(None, (base.published, more.published)), default=""),
        categories=base.categories or more.categories,
        primary=base.primary or more.primary,
    )


def _marks(paper: Paper) -> Sequence[str]:
    title = plain_title(paper.title)
    return [mark for mark in (paper.id.lower(), paper.doi.lower(), title) if mark]
