"""Checks every sentence of a model. The checks find citations of evidence that was not given, text that is
not prose, and names and numbers without a source.

A check returns the faults as sentences that tell the model what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...ports import Embedder
from ...types import Query, Selected, Sentence
from ...types.papers import OTHERS
from . import plain
from .belonging import Belonging, Sources, retells
from .grounds import Names, strange_name
from .plain import DraftLanguage, is_foreign
from .prompts import surname
from .prose import LONGEST_GIVEN, Ids, MarkedParagraph, MarkedSentence, tidy
from .support import no_such_figure, stated, unsupported


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
    """Whether a sentence with a number must cite evidence: in answers, no author vouches for numbers."""

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

    def named_by(self, part: Sentence) -> list[str]:
        """The texts of the evidence and of the author's passages that `part` cites."""
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


__all__ = ["Material", "faults_of", "is_unfounded", "retells", "section_faults", "sentence_faults", "tidy"]

_OWN_WORK = re.compile(
    r"\b(?:we|our|ours|us|this (?:paper|work|study|article|thesis)|the present (?:paper|work|study)|the proposed)\b",
    re.IGNORECASE,
)
LONGEST_SENTENCE = 90  # words
_ONE_PAPER = re.compile(
    r"^(?:The|One) (?:paper|study|article|authors?|survey|benchmark|system|method|approach|framework|tool)\b"
    r"(?! and our)"
)
_THE_DRAFT = re.compile(
    r"^(?:In t|T)he draft(?: paper)?,? (?:itself|also|we|it|is|has|does|uses|introduces|presents|proposes|describes"
    r"|builds|differs|aims|shows|develops|studies|addresses|discusses|explores|provides|offers|focuses)\b"
)


def section_faults(
    paragraphs: Sequence[MarkedParagraph], material: Material, cites: bool = True
) -> list[str]:
    """The faults for which the whole section is rejected. If `cites` is false, the section need not cite
    anything."""
    sentences = [s.sentence for p in paragraphs for s in p.sentences if s.sentence.text]
    if not sentences:
        return ["The section is empty."]
    if cites and material.owner and not any(s.evidence for s in sentences):
        return ["No sentence cites any of the given ids in square brackets."]
    return []


def faults_of(marked: MarkedSentence, material: Material) -> list[str]:
    """The faults of a sentence as the model wrote it."""
    if len(marked.raw) > LONGEST_GIVEN:
        return [f"It is longer than {LONGEST_GIVEN} characters."]
    found = [f"The id {id} was not given." for id in marked.unknown[:5]]
    if plain.is_markup(marked.raw):
        found.append("It holds markup; write plain text.")
    return [*found, *sentence_faults(marked.sentence, material)]


def sentence_faults(sentence: Sentence, material: Material) -> list[str]:
    """The faults of a sentence: first faults of form, then faults of its sources. Whether it cites the wrong
    paper is only checked if there are no other faults."""
    spoken = f"{sentence.lead} {sentence.text}".strip()
    if not sentence.text:
        return ["It is empty."]
    clauses = _clauses(sentence)
    found = _form_faults(spoken, sentence, material) + _source_faults(spoken, clauses, sentence, material)
    if lacking := _lacking(sentence, material):
        found.append(lacking)
    return list(dict.fromkeys(found)) or _misplaced(sentence, material)


def is_unfounded(sentence: Sentence, material: Material) -> bool:
    """Whether the sentence lacks a passage of the author or of a paper that supports it."""
    return bool(_lacking(sentence, material))


def _lacking(sentence: Sentence, material: Material) -> str:
    return unfounded(sentence.lead, _clauses(sentence), material) if material.founded else ""


def unfounded(lead: str, parts: Sequence[Sentence], material: Material) -> str:
    """The fault that a sentence of a section lacks a source, in words for the model; "" if it lacks none. A
    part that cites passages is checked against these alone, another part against all cited passages."""
    named = [part for part in parts if part.evidence or part.own]
    for place, part in enumerate(parts):
        text = f"{lead} {part.text}".strip() if not place else part.text
        if _OWN_WORK.search(text) and not part.own:
            return (
                "It speaks of this paper's own work and cites no own passage in that part: cite the one that says it, "
                "or leave it out and put what the authors have to add into “needs”."
            )
        grounds = (material.named_by(p) for p in ([part] if part in named else named))
        if figure := unsupported(text, (text for texts in grounds for text in texts)):
            return no_such_figure(figure)
    if not named:
        return (
            "It stands on nothing: cite the passages that say it, or leave it out and put what the authors have to "
            "add into “needs”."
        )
    return ""


def _clauses(sentence: Sentence) -> tuple[Sentence, ...]:
    return sentence.clauses or (sentence,)


def _form_faults(text: str, sentence: Sentence, material: Material) -> list[str]:
    found = []
    if len(text.split()) > LONGEST_SENTENCE:
        found.append(f"It has more than {LONGEST_SENTENCE} words.")
    if plain.is_latex(text):
        found.append("It holds LaTeX or braces; write plain text.")
    if plain.is_markup(text):
        found.append("It holds markup; write plain text.")
    if plain.is_of_itself(text):
        found.append("It speaks of your task or of yourself; write only sentences of the section.")
    if plain.has_address(text) or plain.has_identifier(text):
        found.append("It holds an address or a paper's number; leave it out.")
    if plain.is_by_hand(text):
        found.append("It cites by hand; cite only by the given ids in square brackets.")
    elif strange := strange_name(text, material.names):
        found.append(
            f"It names “{strange[:40]}”, which cites by hand or stands in nothing that was given; leave it out."
        )
    if is_foreign(text, material.names.vocabulary, material.names.language):
        found.append("It is in another language or script than the draft and the evidence.")
    if _THE_DRAFT.match(text):
        found.append('It speaks of "the draft"; it will stand in that paper: say "we" or "this paper".')
    if _ONE_PAPER.match(text) and len(material.papers(_clauses(sentence)[0].evidence)) > 1:
        found.append("It speaks of one paper and cites several; cite that one alone.")
    return found


def _source_faults(
    text: str, clauses: Sequence[Sentence], sentence: Sentence, material: Material
) -> list[str]:
    """Copied words, and numbers that no cited paper has. Each clause is compared with its sources, and the
    whole sentence with all its sources, because text copied in two halves is still copied."""
    ids = sentence.evidence
    found = [copied for c in clauses if (copied := material.sources.problem(tidy(c.text), c.evidence))]
    if len(clauses) > 1 and (copied := material.sources.copied(text, ids)):
        found.append(copied)
    if material.cited_figures and not ids and stated(text):
        found.append("It holds a figure and cites nothing; cite what says it, or leave it out.")
    years = [material.years[paper] for paper in material.papers(ids)]
    if not material.founded and (figure := unsupported(text, material.grounds(ids), years)):
        found.append(no_such_figure(figure))
    return found


def _misplaced(sentence: Sentence, material: Material) -> list[str]:
    """The fault that the sentence belongs to a paper that it does not cite, with the id to cite instead;
    empty if there is none. The whole sentence is compared, because clauses are too short: "the original layer
    sits between others" is near to any paper on layers."""
    if material.belonging is None or not sentence.evidence:
        return []
    found = material.belonging.elsewhere(sentence.text, material.papers(sentence.evidence))
    if found is None:
        return []
    titles = material.belonging.title(found.cited), material.belonging.title(found.better)
    instead = next(i for i, paper in material.owner.items() if paper == found.better)
    return [
        f"It cites “{titles[0]}” for what rather stands in “{titles[1]}” ({instead}): cite what the sentence "
        "stands on, or say what the cited paper does."
    ]
