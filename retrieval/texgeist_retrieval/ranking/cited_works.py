"""Parts of the score from the works that the draft cites: similarity to them, and co-citation with them.

Co-citation is computed from *lists*: the works that one citing work cites. The lists come from the citation
table, and from the links that literature services returned. A list from links also contains the citing work,
so a candidate that cites a work of the draft, or is cited by it, counts as co-cited. K is the set of works
that the draft cites and that any list contains. Each candidate has two values, which are standardised:

    lists   log(1 + s / 0.03), with s the sum over the candidate's lists l of |l ∩ K|^2 / (|l| |K|), the squared
            cosine of l and K
    pairs   max over k in K of n_k / (sqrt(n n') + 2): n_k lists contain the candidate and k, n the candidate, n' k

Both are multiplied by a trust in the lists (`_trust`), because the citation table covers one community and
would move papers of this community up for drafts of other fields. The weights were learned by logistic
regression on 762 training queries, for which 20 to 80 % of the citations were known. The inputs were the
ranker's score and the two values, computed from a citation table that lacked a fifth of the queries, among
them the query itself. Other values did not improve the recall for unseen queries, and were left out: the
number of lists, the share of a candidate's lists that contain a work of K, lists with two works of K, random
walks over the lists, lists weighted by the similarity of the citing paper to the draft, citations per year,
and year. The figures are in docs/measurements.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..types import Candidate, CitationGraph, Matrix, Query, Vector
from .citation_table import Memory, title_key
from .fusion import standardise

CITED_WITH, LIKE_CITED = "cited with your citations", "like what you cite"
LISTS, PAIRS = 0.45, 0.2  # log odds for one standard deviation
LIKE = 0.5  # log odds for one standard deviation of similarity
_NEAREST = 3  # the nearest cited papers that a candidate is compared with
_SAME = 0.998  # two vectors with a cosine above this are of the same paper, perhaps with 8-bit weights
_FLOOR, _SHRINK = 0.03, 2.0
_MOST = 3.0  # standard deviations; without this limit, a single common list could decide alone


def like_cited(vectors: Matrix, cited: Matrix) -> Vector:
    """The part of the score for similarity to cited papers: the mean cosine of each candidate to the three
    nearest cited papers (other than the candidate), standardised, times `LIKE`. `vectors`: [candidates,
    dimension]; `cited`: [cited papers, dimension], at least one row."""
    cosines = vectors @ cited.T
    others = cosines <= _SAME
    nearest = np.sort(np.where(others, cosines, -np.inf), axis=1)[:, -_NEAREST:]
    counts = np.isfinite(nearest).sum(axis=1)
    sums = np.where(np.isfinite(nearest), nearest, 0.0).sum(axis=1)
    means = sums / np.maximum(counts, 1)
    usual = means[counts > 0].mean() if counts.any() else 0.0
    return np.asarray(LIKE * standardise(np.where(counts > 0, means, usual)), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class CoCitation:
    """The two values for each candidate, standardised and multiplied by the trust; 0 for a candidate that the draft cites, and for all
    candidates if no list contains a work of the draft."""

    lists: Vector
    pairs: Vector

    @property
    def score(self) -> Vector:
        """The part of the score, in log odds."""
        return np.asarray(LISTS * self.lists + PAIRS * self.pairs, dtype=np.float32)


def co_citation(
    memory: Memory, query: Query, candidates: Sequence[Candidate], graph: CitationGraph
) -> CoCitation:
    """The co-citation of each candidate with the works that the draft cites: `query.cited_works`, `graph.cited`, and
    the candidates that the draft cites. For a question or a sentence, all values are 0, because its subject is
    narrower than the draft's."""
    if query.kind in ("question", "sentence"):
        return CoCitation(*np.zeros((2, len(candidates)), dtype=np.float32))
    lists = _Lists.of(memory, graph)
    cited = _cited(query, candidates, graph)
    found_in = list(lists.containing(cited))
    works = [found for found in found_in if found]
    works_in: defaultdict[_ListId, list[int]] = defaultdict(list)
    for number, found in enumerate(works):
        for one in found:
            works_in[one].append(number)
    weights = {one: len(k) ** 2 / (lists.size(one) * len(works)) for one, k in works_in.items()}
    sums, pairs = np.zeros((2, len(candidates)), dtype=np.float32)
    fresh = np.array([not candidate.already_cited for candidate in candidates], dtype=bool)
    named = [(candidate.paper.title, (candidate.paper.id,)) for candidate in candidates]
    for row, own in enumerate(lists.containing(named)):
        shared = [one for one in own if one in weights]
        sums[row] = sum(weights[one] for one in shared)
        common = Counter(number for one in shared for number in works_in[one])
        pairs[row] = max(
            (n / ((len(own) * len(works[k])) ** 0.5 + _SHRINK) for k, n in common.items()), default=0.0
        )
    trust = _trust(cited, found_in)
    return CoCitation(trust * _among(np.log1p(sums / _FLOOR), fresh), trust * _among(pairs, fresh))


def _trust(cited: Sequence[_Named], found_in: Sequence[set[_ListId]]) -> np.float32:
    """min(1, 2 c^2), with c the share of the draft's works that occur in a list. It is squared because a
    co-citation needs a list with both works. Works without an id, which only the bibliography describes,
    count only if no work has an id."""
    covered = [bool(found) for (_, ids), found in zip(cited, found_in, strict=True) if ids]
    covered = covered or [bool(found) for found in found_in]
    return np.float32(min(1.0, 2 * (sum(covered) / max(len(covered), 1)) ** 2))


_ListId = int | str  # the number of a citing paper in the table, or the id of a citing work in the links
_Named = tuple[str, tuple[str, ...]]  # title and ids of a work


@dataclass(frozen=True, slots=True)
class _Lists:
    memory: Memory
    linked: Mapping[str, set[_ListId]]  # for each work, the citing works whose lists contain it
    sizes: Counter[_ListId]  # the sizes of the lists that come from links

    @classmethod
    def of(cls, memory: Memory, graph: CitationGraph) -> _Lists:
        linked: defaultdict[str, set[_ListId]] = defaultdict(set)
        for link in graph.links:
            linked[link.cited].add(link.citing)
            linked[link.citing].add(link.citing)
        return cls(memory, linked, Counter(one for found in linked.values() for one in found))

    def size(self, one: _ListId) -> int:
        return self.sizes[one] if isinstance(one, str) else int(self.memory.list_sizes[one])

    def containing(self, works: Sequence[_Named]) -> Iterator[set[_ListId]]:
        """For each work, the lists that contain it."""
        for (_, ids), number in zip(works, self.memory.find([title for title, _ in works]), strict=True):
            found = set().union(*(self.linked.get(id, ()) for id in ids))
            yield found | set(self.memory.citing(int(number)).tolist()) if number >= 0 else found


def _cited(query: Query, candidates: Iterable[Candidate], graph: CitationGraph) -> list[_Named]:
    """The works that the draft cites, each once."""
    papers = [*graph.cited, *(c.paper for c in candidates if c.already_cited)]
    named = [*((work.title, "") for work in query.cited_works), *((p.title, p.id) for p in papers)]
    ids: defaultdict[int, set[str]] = defaultdict(set)
    titles: dict[int, str] = {}
    for title, id in named:
        ids[title_key(title)].add(id)
        titles.setdefault(title_key(title), title)
    return [(title, tuple(sorted(ids[key] - {""}))) for key, title in titles.items()]


def _among(values: Vector, fresh: np.ndarray) -> Vector:
    """Standardises over the candidates that the draft does not cite; 0 for the others."""
    result = np.zeros(values.size, dtype=np.float32)
    result[fresh] = np.minimum(standardise(values[fresh]), _MOST)
    return result
