"""Checks every sentence of a model. The checks find citations of evidence that was not given, text that is
not prose, and names and numbers without a source.

A check returns the faults as sentences that tell the model what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...types import Clause, Sentence
from . import plain
from .belonging import retells
from .grounds import strange_name
from .material import Material
from .plain import is_foreign
from .prose import LONGEST_GIVEN, MarkedParagraph, MarkedSentence, tidy
from .support import no_such_figure, stated, unfounded, unsupported

__all__ = ["Material", "faults_of", "is_unfounded", "retells", "section_faults", "sentence_faults", "tidy"]

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
    """The faults of a sentence: first those of its form, then those of its sources. Whether it cites the
    wrong paper is only checked if there are no other faults."""
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


def _clauses(sentence: Sentence) -> tuple[Clause, ...]:
    return sentence.clauses or (Clause(sentence.text, sentence.evidence, sentence.own),)


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


def _source_faults(text: str, clauses: Sequence[Clause], sentence: Sentence, material: Material) -> list[str]:
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
    empty if it does not. The whole sentence is compared, because clauses are too short: "the original layer
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
