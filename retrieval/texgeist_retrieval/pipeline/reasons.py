"""Explains to the user why a paper was chosen, or why it was not.

The explanation quotes the draft and the paper, says how the paper relates to the draft, and names a similar
paper that was left out. Everything comes from the two texts and from the choice itself. "Closer" always
refers to `Candidate.similarity`, so that no two sentences can contradict each other. The rank and the
similarity are in a separate line of numbers, see `figures`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ports import Embedder, Monitor
from ..ranking.cited_works import CITED_WITH, LIKE_CITED
from ..ranking.depth import OUTSIDE
from ..ranking.features import ADAPTED, NEIGHBOURS, SHARE, TITLE_WORDS, TOGETHER, WORDS
from ..ranking.phrases import LONG_PHRASES, TITLE_PHRASES
from ..text.sentences import clean, split_sentences
from ..text.words import shortened
from ..types import Candidate, LeftOut, Matrix, Passage, Query, Reasons, Selected, Strand, Vector
from .reading import embed_all, likeliest, windows
from .relation import relation_of

LEAST = 0.25  # cosine below which a sentence of the draft is not quoted for a paper
ALIKE = 0.85  # cosine of two abstracts above which the second paper adds little to the first
NEAR = (
    0.12  # greatest distance to the highest cosine for a sentence to be quoted; the most specific is chosen
)
RIVALS = 10  # number of best papers left out from which the paper to compare with is taken
EQUAL = 0.01  # greatest difference between two similarities that are regarded as equal
_MOST_SENTENCES = 30  # of the draft: embedding them takes about a second
_LONGEST_INTRODUCTION = 8_000  # characters
_LONGEST = 300  # characters of half a quotation from a paper
_LONGEST_SENTENCE = 420  # characters of a quoted sentence of the draft: as many as the hover shows
_EMPTY = re.compile(
    r"\s*\([^()\w]*(?:Sections?|Tables?|Figures?|Equations?|Appendix|and|,|\s)+[^()\w]*\)"
)  # parentheses from which the references were removed
KEPT = "was pinned by you"
LEFT_OPEN = "covers a part of your draft that the papers chosen earlier do not cover"
_OF_ONE = "has a passage that is similar to your text"
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


@dataclass(frozen=True, slots=True)
class DraftSentences:
    """The draft's sentences that the reasons may quote. `rows`: their vectors, one row each; `usual`: the
    mean cosine of each sentence to the papers found. Both are None if they are not known."""

    sentences: tuple[str, ...] = ()
    rows: Matrix | None = None
    usual: Vector | None = None


def read_draft_sentences(query: Query, embedder: Embedder, monitor: Monitor) -> DraftSentences:
    """The sentences of the draft's abstract and introduction. For a question or a selected sentence, its text
    is the only sentence, and no vector is computed."""
    if query.kind not in ("abstract", "draft"):
        return DraftSentences((query.text,) if query.text else ())
    text = clean(query.abstract or query.parts[0].text[:4000])
    more = clean(query.introduction[:_LONGEST_INTRODUCTION])
    found = [
        _EMPTY.sub("", s) for s in (*split_sentences(text), *split_sentences(more)) if len(s.split()) > 4
    ]
    damaged = " ".join(map(_letters, query.unquotable))
    sentences = tuple(s for s in dict.fromkeys(found) if _letters(s) not in damaged)[:_MOST_SENTENCES]
    return DraftSentences(sentences, embed_all(sentences, embedder, monitor) if sentences else None)


def _letters(text: str) -> str:
    """The lower-case letters and digits of the text, for comparing plain text with cleaned text, which has
    other spaces and punctuation."""
    return re.sub(r"\W+", "", text).lower()


def explain(
    selected: Sequence[Selected],
    left_out: Sequence[LeftOut],
    draft: DraftSentences,
    query: Query,
    strands: Sequence[Strand] = (),
    barred: frozenset[str] = frozenset(),
    pinned: frozenset[str] = frozenset(),
) -> tuple[Selected, ...]:
    """Returns the chosen papers with their reasons (for the other papers, see `explain_left_out`). `barred`:
    ids of papers that could not be chosen, for example because the author excluded them; `pinned`: ids of
    papers that the author pinned."""
    everybody = [*(paper.candidate for paper in selected), *(item.candidate for item in left_out)]
    draft = with_usual_similarity(draft, everybody)
    rivals = [o.candidate for o in left_out if not o.candidate.already_cited]
    rivals = [c for c in rivals if c.paper.id not in barred and c.paper.title]
    texts = [f"{c.paper.title} {c.paper.abstract}".lower() for c in everybody]
    of_draft = query.kind not in ("sentence", "question")

    def reasons(paper: Selected) -> Reasons:
        candidate = paper.candidate
        sentence = relevant_sentence(candidate, draft)
        passages = [evidence.passage for evidence in paper.evidence]
        theirs = relevant_passage(passages, sentence or query.title or query.text)
        relation = relation_of(candidate, draft.sentences, query.title, strands, texts) if of_draft else ""
        otherwise = (LEFT_OPEN if strands else "") if of_draft else _OF_ONE
        otherwise = KEPT if candidate.paper.id in pinned else otherwise
        against = preferred(candidate, rivals, otherwise)
        made = Reasons(
            sentence,
            relation=relation,
            against=against,
            numbers=paper.reasons.numbers,
            discovered=candidate.discovered,
        )
        if theirs is None:
            return made
        return replace(made, theirs=theirs.text, page=theirs.page, heading=theirs.heading)

    return tuple(replace(paper, reasons=reasons(paper)) for paper in selected)


def explain_left_out(
    left_out: Sequence[LeftOut], selected: Sequence[Selected], draft: DraftSentences
) -> tuple[LeftOut, ...]:
    """Fills in `added` for the papers that were left out: what each would have added to the papers that the
    writer used."""
    chosen = [paper.candidate for paper in selected]
    draft = with_usual_similarity(draft, [*chosen, *(item.candidate for item in left_out)])
    return tuple(replace(item, added=_added(item.candidate, chosen, draft)) for item in left_out)


def with_usual_similarity(draft: DraftSentences, found: Sequence[Candidate]) -> DraftSentences:
    """The draft with `usual` filled in; unchanged if vectors are missing or come from another model."""
    known = [c.vector for c in found if c.vector is not None]
    if draft.rows is None or not known or draft.rows.shape[1] != known[0].size:
        return draft
    return replace(draft, usual=(draft.rows @ np.stack(known).T).mean(axis=1))


def relevant_sentence(candidate: Candidate, draft: DraftSentences) -> str:
    """The sentence of the draft to quote for this paper: of the sentences most similar to it, the sentence
    whose similarity to the other papers is lowest in comparison. Returns "" if no sentence is similar. The
    highest similarity alone would select the draft's topic sentence for all papers."""
    if len(draft.sentences) == 1 and draft.rows is None:
        return shortened(draft.sentences[0], _LONGEST_SENTENCE)
    if draft.rows is None or candidate.vector is None or draft.rows.shape[1] != candidate.vector.size:
        return ""
    near = draft.rows @ candidate.vector
    if near.max() < LEAST:
        return ""
    above = near - (draft.usual if draft.usual is not None else 0.0)
    best = int(np.argmax(np.where(near >= max(LEAST, near.max() - NEAR), above, -np.inf)))
    return shortened(draft.sentences[best], _LONGEST_SENTENCE)


def relevant_passage(passages: Sequence[Passage], text: str) -> Passage | None:
    """The two neighbouring sentences of the passages that share most words with the text. Returns None if the
    passages contain no sentence."""
    runs = [replace(p, text=run) for p in passages for run in windows(p.text, longest=_LONGEST * 2)]
    if not runs:
        return None
    [best] = likeliest([run.text for run in runs], text, 1)
    return next(replace(run, text=shortened(run.text, _LONGEST * 2)) for run in runs if run.text == best)


def preferred(one: Candidate, rivals: Sequence[Candidate], otherwise: str = "") -> str:
    """A sentence that names a paper of `rivals`, if possible of the same strand, and says why the paper `one`
    was chosen before it; "" without rivals or without a reason. `otherwise`: the reason to give if `one`
    ranked lower and is not closer to the draft; "" if no such reason is known."""
    if not rivals:
        return ""
    same = [r for r in rivals if one.strands and r.strands[:1] == one.strands[:1]]
    other = _rival(one, same or rivals)
    because = _because(one, other, otherwise)
    return f"Chosen before “{other.paper.title}”: this paper {because}." if because else ""


def _rival(one: Candidate, rivals: Sequence[Candidate]) -> Candidate:
    """The paper to compare `one` with: among the `RIVALS` best of `rivals`, the most similar to `one`. The
    best rival would be the same for every paper of a section."""
    best = sorted(rivals, key=lambda r: r.rank)[:RIVALS]
    mine = one.vector
    if mine is None:
        return best[0]
    return max(best, key=lambda r: -1.0 if r.vector is None else float(r.vector @ mine))


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


def figures(
    paper: Selected, query: Query, found: int, diversity: float, ranked: bool, others_read: bool
) -> str:
    """One line such as "2nd of 60 by similarity to your abstract, 0.71; pages 3 and 7 are the most similar".

    The only similarity in this line is that of the paper, because readers would compare the similarity of a
    page with it. `paper`: a paper of the longlist, with its kept pages as evidence; `found`: the number of
    search results; `others_read`: whether some papers of the run were read in full. If so, the line says that
    this paper was not."""
    candidate = paper.candidate
    finder = f"closest to {query.parts[candidate.found_by].label}" if len(query.parts) > 1 else ""
    diverse = (
        "chosen also for diversity: it differs from the papers chosen before it, even from the most similar, "
        f"“{paper.nearest.paper.title}”"
        if diversity > 0 and paper.nearest
        else ""
    )
    parts = (_place(candidate, query, found, ranked), finder, _pages(paper, others_read), diverse)
    return "; ".join(filter(None, parts))


def _place(candidate: Candidate, query: Query, found: int, ranked: bool) -> str:
    yours = "your introduction" if query.by_introduction else _YOURS[query.kind]
    place = f"{ordinal(candidate.rank)} of {found}"
    if not ranked:
        return f"{place} by similarity to {yours}, {candidate.similarity:.2f}"
    unsure = (
        " (the ranker knows few papers of your field, so it relies mostly on similarity and shared words)"
        if OUTSIDE in candidate.scores
        else ""
    )
    return f"{place} after reranking{unsure}; similarity to {yours} {candidate.similarity:.2f}"


def _pages(paper: Selected, others_read: bool) -> str:
    pages = dict.fromkeys(one.passage.page for one in paper.evidence)
    numbers = [str(page) for page in pages if page is not None]
    if len(numbers) > 1:
        return f"pages {', '.join(numbers[:-1])} and {numbers[-1]} are the most similar"
    if numbers:
        return f"page {numbers[0]} is the most similar"
    return "only its abstract was read" if others_read and not paper.evidence else ""


def ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
