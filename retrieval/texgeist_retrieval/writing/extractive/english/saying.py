"""For each paper, the sentences of its own text that could represent it, and the choice among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....ports import Embedder
from ....types import Evidence, Matrix, QueryKind, Selected, Vector
from .facts import Fact, final, main, of_told
from .grammar import KNOWN, gerund, singular
from .naming import of_name, of_statement, of_subject
from .retelling import retell
from .roles import of_means, of_problem, of_result
from .sentence_gate import leads_elsewhere
from .sentences import clean, split, words
from .standalone import Told, stems
from .titles import system, titled

_MOST = 9  # sentences weighed for each paper
_LONGEST = 1500  # characters of a sentence that is looked at: three times what the gate lets through
_KIND = {"offer": 0.10, "study": 0.08, "find": 0.06, "name": 0.07, "act": 0.03, "means": 0.03}
_MAIN_VERBS = frozenset("propose introduce present develop".split())


@dataclass(frozen=True, slots=True)
class Said:
    """A retold sentence and the evidence whose passage it stands in."""

    told: Told
    evidence: str
    passage: str  # clean: its words are quoted
    place: int  # of the sentence in its passage
    body: bool  # from the full text rather than the abstract
    first: bool = False  # the first in which the authors speak of their work


@dataclass(frozen=True, slots=True)
class Source:
    """A paper with what can be told of it; `several`: more than one author. Without a known author
    (`authored`) a paper cannot be the subject by its authors' names."""

    title: str
    text: str
    year: int | None
    several: bool
    authored: bool
    evidence: tuple[Evidence, ...]
    said: tuple[Said, ...]
    first: Fact | None = None  # what is told of it before anything else
    facts: tuple[Fact, ...] = ()


def sources(selected: Sequence[Selected], kind: QueryKind) -> list[Source]:
    return [_source(s, kind) for s in selected]


def told(papers: Sequence[Source], answers: bool, draft: str = "") -> list[Source]:
    """With the facts that can be told of each, and without any where nothing whole can be said. `answers`:
    any sentence will do, the nearest to what was asked."""
    made = []
    spelled = frozenset(word for paper in papers for word in words(paper.text)) | frozenset(words(draft))
    for paper in papers:
        if answers:
            facts = tuple(f for said in paper.said if (f := _as_it_stands(said, paper)))
            made.append(replace(paper, first=facts[0] if facts else None, facts=facts))
            continue
        facts = tuple(
            f
            for s in paper.said
            if (
                f := of_told(
                    s.told, s.passage, f"{paper.title} {draft}", s.evidence, paper.several, paper.title
                )
            )
        )
        chief = tuple(f for f in facts if f.kind != "act" and not names_only(f))
        first = (
            main(tuple(f for f in chief if not f.quoted and not f.close), paper.title)
            or main(chief, paper.title)
            or _by_title(paper, spelled)
            or main(facts, paper.title)
        )
        first = first and _by_name(first, paper, spelled)
        made.append(replace(paper, first=first, facts=facts))
    return made


def _by_name(first: Fact, paper: Source, spelled: frozenset[str]) -> Fact:
    """With the system that the title names, where the sentence leaves it out: readers know a work by it. What the
    title says then comes first, and the sentence may follow."""
    name = system(paper.title, paper.text)
    if not name or name in f"{first.lead} {first.text}":
        return first
    by_title = _by_title(paper, spelled)
    if by_title and by_title.text.startswith(name):
        told = stems(by_title.text)
        if len(told & stems(first.text)) < len(told) / 2:
            return by_title
    return replace(first, lead=f"With {name},") if first.textual and not first.lead else first


def names_only(fact: Fact) -> bool:
    """ "describes a segmentation network.": what it is for, or does, stood in words that were cut. A title says more."""
    return fact.kind == "offer" and not _SAYS_MORE.search(fact.text.split(" ", 1)[-1])


_SAYS_MORE = re.compile(
    r"\b(?:against|at|between|by|for|from|how|in|into|of|on|over|that|through|to|under|via|which|whose|where|with|within)\b|\b[a-z]{3,}ing (?:an?|the|[a-z]{2,}s)\b"
)


def _by_title(paper: Source, spelled: frozenset[str]) -> Fact | None:
    """ "deal with document expansion by query prediction"; "Galactica is a language model for science"."""
    said = titled(paper.title, paper.text, spelled)
    if not said or not paper.evidence or leads_elsewhere(said.subject):
        return None
    id = paper.evidence[0].id
    if said.is_what():
        return Fact("name", f"{said.name} is {said.subject}.", False, evidence=id)
    verb = _DOES.get(said.subject.split()[0])
    if said.name and verb:
        return Fact("name", f"{said.name} {verb} {said.subject.split(' ', 1)[1]}.", False, evidence=id)
    if said.name:
        return Fact("title", f"{said.name} addresses {said.subject}.", False, evidence=id)
    if re.match(
        r"an? (?:[\w-]+ )*?(?:framework|method|approach|algorithm|system|technique|strategy|model|dataset|benchmark|architecture|network|toolkit|metric|corpus|protocol|scheme)\b",
        said.subject,
    ):
        return Fact(
            "offer",
            f"present{'' if paper.several else 's'} {said.subject}.",
            True,
            verb="present",
            evidence=id,
        )
    return Fact(
        "title", f"work{'' if paper.several else 's'} on {said.subject}.", True, verb="work", evidence=id
    )


_DOES = {
    gerund(verb): singular(verb)
    for verb in KNOWN
    | frozenset(
        "improve accelerate enhance boost speed mitigate unify simplify harmonize advance adapt".split()
    )
    if verb
    not in frozenset(
        "learn try seek attempt aim take go run set draw let view treat question challenge experiment detail".split()
    )
}
"""How a title says what its system does: "DistillSpec: Improving Speculative Decoding"."""


def _as_it_stands(said: Said, paper: Source) -> Fact | None:
    told = said.told
    text = final(told, said.passage, paper.several)
    return Fact(told.kind, text, told.textual, told.lead, told.verb, said.evidence) if text else None


def _source(selected: Selected, kind: QueryKind) -> Source:
    paper = selected.candidate.paper
    authored = any(author != "others" for author in paper.authors)
    several = authored and len(paper.authors) > 1
    answers = kind in ("question", "sentence")
    said = [s for s in _said(selected, several, answers) if not answers or final(s.told, s.passage, several)]
    title, abstract = clean(paper.title), clean(paper.abstract)
    return Source(title, abstract, paper.year, several, authored, selected.evidence, tuple(said[:_MOST]))


def _said(selected: Selected, several: bool, any_statement: bool) -> list[Said]:
    paper = selected.candidate.paper
    texts = [(e.id, e.passage.text, e.passage.page is not None) for e in selected.evidence]
    if paper.abstract and texts and all(body for _, _, body in texts):
        texts.insert(0, (selected.evidence[0].id, paper.abstract, False))
    found = [said for id, text, body in texts for said in _tellable(id, text, body, paper.title, several)]
    if any_statement:
        found = [s for s in found if s.told.kind not in ("problem", "means")]
        found += [said for id, text, body in texts if not body for said in _statements(id, text)]
    first = next((s for s in found if s.told.kind in ("offer", "study", "find", "name")), None)
    found = [replace(s, first=s is first) for s in found if any_statement or _is_of_its_own(s.told)]
    return sorted(found, key=lambda s: -_worth(s))


def _is_of_its_own(told: Told) -> bool:
    """Whether the sentence speaks of the paper's own work: a bare statement does if a system is its subject."""
    first = told.text.split()[0]
    return told.kind != "statement" or bool(re.search(r"[a-z][A-Z]|[A-Z]{2}|[A-Z]\w*\d", first))


def _tellable(id: str, text: str, body: bool, title: str, several: bool) -> list[Said]:
    found, passage = [], clean(text)
    for place, sentence in _readable(passage):
        told = retell(sentence, several)
        if not told and not body:
            told = (
                of_result(sentence) or of_means(sentence) or of_problem(sentence)
                or of_name(sentence, title) or of_subject(sentence, title)
            )  # fmt: skip
        if told and not several and told.kind in ("problem", "find") and told.verb == told.text.split()[0]:
            told = replace(told, text=re.sub(r"^(note|find) ", r"\1s ", told.text))
        if told and not (body and (told.kind != "offer" or told.verb not in _MAIN_VERBS)):
            found.append(Said(told, id, passage, place, body))
    return found


def _readable(passage: str) -> Iterator[tuple[int, str]]:
    """Its sentences with their places, but for those whose reading would cost more than they are worth."""
    return ((place, one) for place, one in enumerate(split(passage)) if len(one) <= _LONGEST)


def _statements(id: str, text: str) -> list[Said]:
    passage = clean(text)
    told = [(place, of_statement(sentence)) for place, sentence in _readable(passage)]
    return [Said(t, id, passage, place, False) for place, t in told if t]


def _worth(said: Said) -> float:
    """What can be told of a sentence's worth by its form alone."""
    told = said.told
    length = len(words(told.text))
    worth = _KIND.get(told.kind, 0.0) + (0.05 if told.verb in _MAIN_VERBS else 0.0)
    worth += 0.05 * said.first
    worth -= (
        0.08 * told.secondary + 0.08 * said.body + 0.004 * max(0, length - 30) + 0.02 * max(0, 11 - length)
    )
    return worth - (0.004 * min(said.place, 10) if told.kind != "find" else 0.0)


def choose_sentences(
    papers: Sequence[Source], vectors: Matrix, focus: Vector, embedder: Embedder
) -> list[Source]:
    """Orders each paper's sentences by nearness to the draft, centrality in the paper, and form.

    All sentences are embedded in one batch. `vectors` has a row for each paper, `focus` is the draft."""
    flat = [said.told.source for paper in papers for said in paper.said]
    if not flat:
        return list(papers)
    rows = embedder.embed_documents(flat)
    chosen, start = [], 0
    for paper, centre in zip(papers, vectors, strict=True):
        own = rows[start : start + len(paper.said)]
        start += len(paper.said)
        worth = own @ focus * 0.5 + own @ centre * 0.35 + np.asarray([_worth(s) for s in paper.said])
        order = sorted(range(len(paper.said)), key=lambda i: (-float(worth[i]), i))
        chosen.append(replace(paper, said=tuple(paper.said[i] for i in order)))
    return chosen
