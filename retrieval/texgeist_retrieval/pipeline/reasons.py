"""Explains to the user why a paper was chosen, or why it was not.

The explanation quotes the draft and the paper, says for which part of the draft a language model asked for it, and names a similar paper that was left out. Everything comes from the two
texts and from the choice itself. "Closer" always refers to `Candidate.similarity`, so that no two sentences can
contradict each other. The rank and the similarity are in a separate line of numbers, see `figures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..ranking.cited_works import CITED_WITH, LIKE_CITED
from ..ranking.depth import OUTSIDE
from ..ranking.features import ADAPTED, NEIGHBOURS, SHARE, TITLE_WORDS, TOGETHER, WORDS
from ..ranking.phrases import LONG_PHRASES, TITLE_PHRASES
from ..text.words import shortened
from ..types import Candidate, Passage, Reasons, Selected, Strand
from .reading import DraftSentences, relevant_passage, relevant_sentence, with_usual_similarity
from .search import SearchResult
from .selection import NOBODY, far_papers, fit_of

ALIKE = 0.85  # cosine of two abstracts from which the second paper adds little
RIVALS = 10  # papers left out, the best first, that a chosen paper is compared with
COMPARABLE = 0.5  # least cosine of two abstracts on the same subject: to be better than an unrelated paper says nothing
EQUAL = 0.01  # similarities that differ by at most this count as equal
_LONGEST_WHY = 200  # characters of the reason for a strand
CITED, EXCLUDED = "Your draft cites it already.", "You left it out."
TOO_FAR = "Too far from the subject of the draft."
ALONE = "The only paper near enough to the draft; one paper makes no section."
KEPT = "was pinned by you"
LEFT_OPEN = "covers a part of your draft that the papers chosen earlier do not cover"
_BETTER: Mapping[str, str] = {
    WORDS: "shares more words with your draft",
    TITLE_WORDS: "has more words of your draft in its title",
    TITLE_PHRASES: "has more phrases of your draft in its title",
    LONG_PHRASES: "shares more and longer phrases with your draft",
    ADAPTED: "is more similar to papers that drafts like yours cite",
    NEIGHBOURS: "is more similar to papers that rank high",
    CITED_WITH: "is cited more often together with papers that you cite",
    LIKE_CITED: "is more similar to the papers that you cite",
    SHARE: "is cited more often by papers on your subject",
    TOGETHER: "is cited more often together with other papers that the search found",
}


def explain(
    found: SearchResult,
    selected: Sequence[Selected],
    left_out: Sequence[Candidate],
    diversity: float = 0.0,
    pinned: frozenset[str] = NOBODY,
) -> tuple[Selected, ...]:
    """Returns the chosen papers with their reasons (for the other papers, see `explain_left_out`). `pinned`: ids
    of papers that the author pinned."""
    query, strands = found.query, found.strands
    everybody = [*(paper.candidate for paper in selected), *left_out]
    draft = with_usual_similarity(found.draft, everybody)
    rivals = [c for c in left_out if c.rank and c.paper.title and c.left_out not in (CITED, EXCLUDED)]
    of_draft = query.kind not in ("sentence", "question")

    named = set[str]()  # papers of `rivals` that a chosen paper was compared with: a second time says little

    def reasons(paper: Selected) -> Reasons:
        candidate = paper.candidate
        sentence = relevant_sentence(candidate, draft)
        passages = [evidence.passage for evidence in paper.evidence]
        theirs = relevant_passage(passages, sentence or query.title or query.text)
        otherwise = LEFT_OPEN if strands and of_draft else ""
        otherwise = KEPT if candidate.paper.id in pinned else otherwise
        rival = rival_of(candidate, [r for r in rivals if r.paper.id not in named])
        against = preferred(candidate, rival, otherwise) if rival else ""
        named.update([rival.paper.id] if rival and against else [])
        return Reasons(
            sentence,
            theirs=theirs.text if theirs else "",
            page=theirs.page if theirs else None,
            heading=theirs.heading if theirs else "",
            relation=relation_of(candidate, strands) if of_draft else "",
            against=against,
            numbers=figures(paper, found, diversity),
            discovered=candidate.discovered,
        )

    return tuple(replace(paper, reasons=reasons(paper)) for paper in selected)


def explain_left_out(
    left_out: Sequence[Candidate], selected: Sequence[Selected], draft: DraftSentences
) -> tuple[Candidate, ...]:
    """Fills in `added` for the papers that were left out: what each would have added to the papers that the
    writer used."""
    chosen = [paper.candidate for paper in selected]
    draft = with_usual_similarity(draft, [*chosen, *left_out])
    return tuple(replace(candidate, added=_added(candidate, chosen, draft)) for candidate in left_out)


def preferred(one: Candidate, other: Candidate, otherwise: str = "") -> str:
    """A sentence on why `one` was chosen before `other`; "" if no reason is known. `otherwise`: the reason if
    `one` ranked lower and is not closer to the draft; "" if none is known."""
    because = _because(one, other, otherwise)
    return f"Chosen before “{other.paper.title}”: this paper {because}." if because else ""


def rival_of(one: Candidate, rivals: Sequence[Candidate]) -> Candidate | None:
    """The paper to compare `one` with: among the `RIVALS` best of `rivals`, if possible of the same strand,
    the most similar to `one`. None if no rival is on its subject."""
    same = [r for r in rivals if one.strands and r.strands[:1] == one.strands[:1]]
    best = sorted(same or rivals, key=lambda r: r.rank)[:RIVALS]
    mine = one.vector
    if mine is None or not best:
        return best[0] if best else None
    near = [-1.0 if r.vector is None else float(r.vector @ mine) for r in best]
    return best[int(np.argmax(near))] if max(near) >= COMPARABLE else None


def _because(one: Candidate, other: Candidate, otherwise: str) -> str:
    nearer = one.similarity - other.similarity
    reasons = ["was suggested by the language model"] if one.named and not other.named else []
    if one.rank < other.rank:
        more = {name: one.scores.get(name, 0.0) - other.scores.get(name, 0.0) for name in _BETTER}
        reasons += [_BETTER[n] for n in sorted(more, key=lambda n: -more[n]) if more[n] > 0][:2]
    if nearer > EQUAL:
        reasons.append("is closer to your draft overall")
    if one.rank > other.rank and not reasons:
        if not otherwise:
            return ""
        reasons.append(otherwise)
    because = _joined(reasons) if reasons else "ranked higher"
    return because + (", although the other paper is closer to your draft overall" if nearer < -EQUAL else "")


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _added(candidate: Candidate, chosen: Sequence[Candidate], draft: DraftSentences) -> str:
    """A sentence on what the paper would have added to the section; "" for a paper that the draft already
    cites."""
    if candidate.already_cited:
        return ""
    sentence = relevant_sentence(candidate, draft)
    paper = candidate.paper
    abstract = [Passage(paper.id, None, paper.abstract)] if paper.abstract else []
    passage = relevant_passage(abstract, sentence or paper.title)
    theirs = passage.text if passage else ""
    near, nearest = _nearest(candidate, chosen)
    similar = f"The most similar chosen paper is “{nearest.paper.title}”." if nearest else ""
    if not theirs:
        return f"Only its title is known. {similar}" if similar else ""
    if nearest and near >= ALIKE:
        return f"It is very similar to “{nearest.paper.title}”, which was chosen, and would add little. It says: “{theirs}”"
    whose = (
        f"For your sentence “{shortened(sentence, 120)}” it would have added"
        if sentence
        else "It would have added"
    )
    return f"{whose}: “{theirs}” {similar}".strip()


def _nearest(candidate: Candidate, chosen: Sequence[Candidate]) -> tuple[float, Candidate | None]:
    known = [c for c in chosen if c.vector is not None and c.paper.id != candidate.paper.id]
    if candidate.vector is None or not known:
        return 0.0, None
    near = np.stack([v for c in known if (v := c.vector) is not None]) @ candidate.vector
    best = int(np.argmax(near))
    return float(near[best]), known[best]


_YOURS = {
    "abstract": "your abstract",
    "draft": "your draft",
    "sentence": "your sentence",
    "question": "your question",
}


def figures(paper: Selected, found: SearchResult, diversity: float) -> str:
    """One line such as "2nd of 60 by similarity to your abstract, 0.71"."""
    candidate, query = paper.candidate, found.query
    finder = f"closest to {query.parts[candidate.found_by].label}" if len(query.parts) > 1 else ""
    diverse = (
        "chosen also for diversity: it differs even from the most similar of the papers chosen before it, "
        f"“{paper.nearest.paper.title}”"
        if diversity > 0 and paper.nearest
        else ""
    )
    return "; ".join(filter(None, [_place(candidate, found), finder, diverse]))


def _place(candidate: Candidate, found: SearchResult) -> str:
    yours = "your introduction" if found.query.by_introduction else _YOURS[found.query.kind]
    place = f"{ordinal(candidate.rank)} of {len(found.candidates)}"
    if candidate.chance is not None:
        return (
            f"{place} by the chance to fit {yours} ({candidate.fit}); similarity {candidate.similarity:.2f}"
        )
    if not found.ranked:
        return f"{place} by similarity to {yours}, {candidate.similarity:.2f}"
    unsure = " (in your field mostly by similarity and shared words)" if OUTSIDE in candidate.scores else ""
    return f"{place} after reranking{unsure}; similarity to {yours} {candidate.similarity:.2f}"


def ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def relation_of(candidate: Candidate, strands: Sequence[Strand]) -> str:
    """The sentence on the strand for which the paper was found; "" if it was found for none."""
    known = {strand.name: strand for strand in strands}
    one = next((known[name] for name in candidate.strands if name in known), None)
    if one is None:
        return ""
    why = shortened(one.why.rstrip("."), _LONGEST_WHY)
    found = f"It was found by searching for “{one.name}”" + (f" ({why})" if why else "")
    return f"{found}; the language model chose it by its title." if candidate.picked else f"{found}."


def left_out_of(
    found: SearchResult,
    chosen: Sequence[Selected],
    longlist: Sequence[Selected],
    excluded: frozenset[str] = NOBODY,
) -> tuple[Candidate, ...]:
    """All papers that were not chosen, best first, each with the reason; papers that cannot be cited come last."""
    ids = {paper.candidate.paper.id for paper in chosen}
    read = {paper.candidate.paper.id: paper for paper in longlist}
    fit, far = fit_of(found).max(axis=0, initial=0.0), far_papers(found)

    def reason(column: int, candidate: Candidate) -> str:
        if candidate.paper.id in excluded:
            return EXCLUDED
        if candidate.already_cited:
            return CITED
        if candidate.paper.id in far:
            return TOO_FAR
        if not chosen and far:
            return ALONE
        if paper := read.get(candidate.paper.id):
            return _why_not_chosen(paper, chosen)
        if found.strands:
            return _why_not_needed(candidate, float(fit[column]), chosen)
        return f"Number {candidate.rank} in the search results; {len(longlist)} other papers were preferred."

    rest = [(n, c) for n, c in enumerate(found.candidates) if c.paper.id not in ids]
    return (*(replace(c, left_out=reason(n, c)) for n, c in rest), *found.left_out)


def _why_not_chosen(paper: Selected, chosen: Sequence[Selected]) -> str:
    """Contains no score, because the similarity shown next to it is another number."""
    others = sorted(chosen, key=lambda kept: kept.score)[-2:][::-1]
    titles = " and ".join(f"“{kept.candidate.paper.title}”" for kept in others)
    reason = "their pages are more relevant to your draft" if paper.evidence else "they rank higher"
    return f"{titles if len(others) > 1 else 'Other papers'} were preferred because {reason}."


def _why_not_needed(candidate: Candidate, fit: float, chosen: Sequence[Selected]) -> str:
    if fit <= 0:
        return "It fits no part of what your draft stands on."
    others = [paper.candidate for paper in chosen if candidate.strands]
    same = [c for c in others if c.strands[:1] == candidate.strands[:1]][:2]
    if not same:
        return f"Number {candidate.rank} in the search results; the section has no room for it."
    titles = " and ".join(f"“{c.paper.title}”" for c in same)
    return f"For {candidate.strands[0]}, {titles} {'was' if len(same) == 1 else 'were'} preferred."
