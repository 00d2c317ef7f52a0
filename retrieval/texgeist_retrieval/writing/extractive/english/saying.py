"""For each paper, the sentences of its own text that could represent it, and the choice among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....ports import Embedder
from ....types import Evidence, Matrix, QueryKind, Selected, Vector
from .further import Fact, further
from .loosening import copied
from .naming import of_name, of_statement, of_subject
from .quoting import copies, quoted, shortened
from .retelling import retell
from .sentence_gate import fault
from .sentences import clean, split, words
from .standalone import Told
from .tellings import Telling, tellings
from .title_tellings import of_title
from .titles import read_title

_MOST = 6  # sentences weighed for each paper
_KIND = {"offer": 0.10, "study": 0.08, "find": 0.06, "name": 0.07, "act": 0.03, "statement": 0.0}
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
    """A paper with its candidates, the best first once chosen; `several`: more than one author. Without a
    known author (`authored`) a paper cannot be the subject by its authors' names."""

    title: str
    text: str
    year: int | None
    several: bool
    authored: bool
    evidence: tuple[Evidence, ...]
    said: tuple[Said, ...]
    tellings: tuple[Telling, ...] = ()
    facts: tuple[Fact, ...] = ()  # what can be told of it besides the first telling
    close: bool = False  # to the draft: worth a second sentence


def sources(selected: Sequence[Selected], kind: QueryKind) -> list[Source]:
    return [_source(s, kind) for s in selected]


def told(papers: Sequence[Source], answers: bool) -> list[Source]:
    """With the sentences that each can be told in, the best first; without any where nothing whole can be
    said. `answers`: in the paper's own words between quotation marks, as the answer to a question is given, and
    as a paper is told that would be left out else."""
    texts = ". ".join(paper.text for paper in papers)
    if answers:
        return [replace(p, tellings=tuple(_quoted(p))) for p in papers]
    made = [_with_facts(p, _retold(p, texts) or _shortly(_quoted(p, short=True))) for p in papers]
    left = max(1, len(papers) // _RUNS)
    for place, paper in enumerate(made):
        clean_ = [t for t in paper.tellings if not copied(f"{t.lead} {t.text}", paper.text, paper.title)]
        if not paper.tellings or paper.tellings[0] in clean_:
            continue
        left -= 1
        if left < 0 and clean_:
            made[place] = replace(paper, tellings=tuple(clean_))
    return made


_RUNS = 10  # papers of which one may be told with a run of seven of its own words


def _with_facts(paper: Source, found: Sequence[Telling]) -> Source:
    """With what is told besides; where a title is all that was found, what the authors do comes first."""
    first = found[0] if found else None
    facts = further(
        paper.text, paper.title, first.name if first else "", first.text if first else "", paper.several
    )
    named = bool(first and first.titled and first.name and any(first.name in f.text for f in facts))
    weak = not first or first.shape == "topic" or "“" in first.text or named
    own = (
        next((f for f in facts if _stands_first(f)), None)
        if weak and paper.authored and paper.evidence
        else None
    )
    if own:
        told = Telling(own.text, True, "finds" if own.finds else "does", evidence=paper.evidence[0].id)
        found, facts = [told, *found], tuple(f for f in facts if f is not own and f.subject != "it")
    return replace(paper, tellings=tuple(found), facts=facts)


_FIRST = re.compile(
    r"(?:propose|introduce|present|develop|design|devise|describe|construct|build|formulate|derive|study|investigate|analyze|examine"
    r"|explore|compare|show|find|prove|demonstrate|observe|argue|suggest)s? (?:that (?!the\b|it\b|there\b)|how |an? |to |two |several |[a-z-]+ |[A-Z])"
)


def _stands_first(fact: Fact) -> bool:
    """Whether it can be told before anything else of its paper."""
    return (
        fact.subject == "they"
        and bool(_FIRST.match(fact.text))
        and not re.search(r"\bit\b|\bits\b", fact.text)
    )


_EMPTY_VERB = re.compile(
    r"(?:implement|evaluate|assess|test|demonstrate|identify|observe|report|release|conduct|perform|provide|validate|verify)(?:s|ies)? "
)
_QUOTED = 24  # words between quotation marks at most, in a section


def _shortly(found: Sequence[Telling]) -> list[Telling]:
    return [t for t in found if all(len(words(q)) <= _QUOTED for q in re.findall("“[^”]*”", t.text))]


def _quoted(paper: Source, short: bool = False) -> list[Telling]:
    """`short`: for a section, where the quotation is not what was asked for."""
    found = []
    for said in paper.said:
        if text := final(said.told, said.passage, paper.several):
            told = said.told
            if short and (told.secondary or re.search("[A-Z]{2}", told.lead) or _EMPTY_VERB.match(told.text)):
                continue
            found.append(
                Telling(
                    text,
                    told.textual,
                    "does" if told.textual else "is",
                    told.lead,
                    told.verb,
                    evidence=said.evidence,
                )
            )
    return found


_THIN = 10  # words below which a sentence says no more than the title does


def _retold(paper: Source, texts: str) -> list[Telling]:
    own = [t for said in paper.said if _is_gist(said, paper.title) for t in _made(said, paper)]
    means = [t for said in paper.said if _is_means(said, paper.title) for t in _made(said, paper)]
    offered = tuple(said.told for said in paper.said)
    titled = of_title(read_title(paper.title, texts, paper.text), offered, paper.several)
    titled = (
        [replace(t, evidence=paper.evidence[0].id, titled=True) for t in titled] if paper.evidence else []
    )
    rich, thin = [t for t in own if t.words() >= _THIN], [t for t in own if t.words() < _THIN]
    plain = [t for t in titled if t.shape != "topic" and not t.listed]
    rest = [t for t in titled if t not in plain]
    return [*rich, *(t for t in means if t.words() >= _THIN), *plain, *rest, *thin]


def _made(said: Said, paper: Source) -> list[Telling]:
    made = tellings(said.told, said.passage, paper.title, paper.several)
    return [replace(t, evidence=said.evidence) for t in made]


def _is_means(said: Said, title: str) -> bool:
    """Whether the sentence tells how the paper does what its title announces."""
    told = said.told
    how = re.search(r"\b(?:by [a-z]+ing|through|using|via|with|from|without|into)\b", told.text)
    wanted = told.kind in ("offer", "act", "find", "name") and not said.body
    return bool(how) and wanted and _shared(told.text, title) > 0


def _shared(text: str, title: str) -> int:
    """How many words the two have in common, by their first letters."""
    named = {w.lower()[:5] for w in re.findall(r"[A-Za-z]{4,}", title)}
    return len(named & {w.lower()[:5] for w in re.findall(r"[A-Za-z]{4,}", text.split(" ", 1)[-1])})


def _is_gist(said: Said, title: str) -> bool:
    """Whether the sentence is on what the title announces: it offers or studies, and shares two words with it."""
    told = said.told
    if told.secondary or told.kind not in ("offer", "study", "name", "find") or said.body:
        return False
    if told.kind in ("study", "find") and not said.first:
        return False
    return _shared(told.text, title) >= min(2, len(set(re.findall(r"[A-Za-z]{4,}", title))))


def _source(selected: Selected, kind: QueryKind) -> Source:
    paper = selected.candidate.paper
    authored = any(author != "others" for author in paper.authors)
    several = authored and len(paper.authors) > 1
    answers = kind in ("question", "sentence")
    said = [s for s in _said(selected, several, answers) if not answers or final(s.told, s.passage, several)][
        :_MOST
    ]
    title, abstract = clean(paper.title), clean(paper.abstract)
    return Source(title, abstract, paper.year, several, authored, selected.evidence, tuple(said))


def _said(selected: Selected, several: bool, any_statement: bool) -> list[Said]:
    paper = selected.candidate.paper
    texts = [(e.id, e.passage.text, e.passage.page is not None) for e in selected.evidence]
    if paper.abstract and texts and all(body for _, _, body in texts):
        texts.insert(0, (selected.evidence[0].id, paper.abstract, False))
    found = [said for id, text, body in texts for said in _tellable(id, text, body, paper.title, several)]
    if any_statement:
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
    for place, sentence in enumerate(split(passage)):
        told = retell(sentence, several) or (
            None if body else of_name(sentence, title) or of_subject(sentence, title)
        )
        if told and not (body and (told.kind != "offer" or told.verb not in _MAIN_VERBS)):
            found.append(Said(told, id, passage, place, body))
    return found


def _statements(id: str, text: str) -> list[Said]:
    passage = clean(text)
    told = [(place, of_statement(sentence)) for place, sentence in enumerate(split(passage))]
    return [Said(t, id, passage, place, False) for place, t in told if t]


def final(told: Told, passage: str, several: bool) -> str:
    """The text as it is written, cut to a clause and quoted where it is the passage's own; "" where it is
    not fit to be written."""
    text = quoted(shortened(told.text), passage, told.textual or told.kind == "name")
    if not text or copies(told.lead, passage) or fault(text, told.lead, told.textual, several):
        return ""
    return text


def _worth(said: Said) -> float:
    """What can be told of a sentence's worth by its form alone."""
    told = said.told
    length = len(words(told.text))
    worth = _KIND[told.kind] + (0.05 if told.verb in _MAIN_VERBS else 0.0)
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
