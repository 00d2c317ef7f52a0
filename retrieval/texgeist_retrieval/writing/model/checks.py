"""Checks every answer of a model: it rejects citations that were not retrieved, text that is not prose, and
incomplete sections.

A check returns its findings as sentences that the model can act on. Callers raise `WriterInvalid`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...types import Clause, Paragraph, Section, Sentence
from . import marks, plain, talk
from .belonging import retells
from .clauses import LONGEST_GIVEN, given_words, lead_of, length_of, parts_of, sentences_in
from .grounds import strange_name
from .material import Material
from .plain import is_foreign
from .support import no_such_figure, stated, unfounded, unknown_own, unsupported

__all__ = ["CheckedSection", "Material", "check_section", "retells", "tidy"]

LONGEST_SENTENCE = 90  # words
TOO_LONG = "The section has"
_FLOOD = 2  # times the most words: beyond it no sentence is looked at, since each costs time
LONGEST_PARAGRAPH = 16  # sentences
_AUTHORS_FIRST = re.compile(r"^(?:The authors|They|It)\b")

_OWN_SUBJECT = re.compile(
    r"(?:this (?:paper|work)|our|we|the (?!authors\b)|an?|several|both|these|those|most|many|other|some|all|recent)\b"
    r"|\w+ (?:is|are|was|were|can|could|will|would|may|has been|have been)\b",
    re.IGNORECASE,
)
_ONE_PAPER = re.compile(
    r"^(?:The|One) (?:paper|study|article|authors?|survey|benchmark|system|method|approach|framework|tool)\b"
    r"(?! and our)"
)
_THE_DRAFT = re.compile(
    r"^(?:In t|T)he draft(?: paper)?,? (?:itself|also|we|it|is|has|does|uses|introduces|presents|proposes|describes"
    r"|builds|differs|aims|shows|develops|studies|addresses|discusses|explores|provides|offers|focuses)\b"
)


@dataclass(frozen=True, slots=True)
class CheckedSection:
    """A section as far as it can be read, and its problems; usable only if there are none."""

    section: Section
    unused: tuple[tuple[str, str], ...]  # (paper's label, reason)
    problems: tuple[str, ...]
    dropped: tuple[str, ...] = ()  # why sentences were left out, if `drop` allowed it


def check_section(
    answer: Any,
    material: Material,
    papers: Collection[str],
    most_words: int,
    drop: bool = False,
    cites: bool = True,
) -> CheckedSection:
    """Reads a section answer. `papers` are the labels that may be named as unused.

    With `cites` off, sentences need not name evidence. With `drop`, sentences with faulty words (copied,
    cited by hand, about the wrong paper) are left out instead of rejecting the section, as long as at least
    as many remain."""
    if not isinstance(answer, dict) or not isinstance(answer.get("paragraphs"), list):
        return CheckedSection(Section("", ()), (), ('The answer is not an object with a list "paragraphs".',))
    problems: list[str] = []
    dropped: list[str] | None = [] if drop else None
    if (given := length_of(answer)) > _FLOOD * most_words:
        return CheckedSection(Section("", ()), (), (too_long(given, most_words),))
    read = [_paragraph(raw, material, problems, dropped) for raw in answer["paragraphs"]]
    section = Section("", tuple(p for p in read if p.sentences))
    out = tuple(dropped or ())
    if len(out) > sum(len(p.sentences) for p in read):
        problems += out
    problems += _whole(section, material, most_words, cites)
    return CheckedSection(section, _unused(answer.get("unused"), papers), tuple(dict.fromkeys(problems)), out)


def sentence_faults(raw: Any, material: Material) -> list[str]:
    """The faults of one sentence of an answer, on its own."""
    problems: list[str] = []
    for one in sentences_in(raw):
        _sentence(one, material, problems, None)
    return problems


def _paragraph(raw: Any, material: Material, problems: list[str], dropped: list[str] | None) -> Paragraph:
    sentences = raw.get("sentences") if isinstance(raw, dict) else None
    if not isinstance(sentences, list):
        problems.append('A paragraph has no list "sentences".')
        return Paragraph(())
    if len(sentences) > LONGEST_PARAGRAPH:
        problems.append(f"A paragraph has {len(sentences)} sentences; {LONGEST_PARAGRAPH} are the most.")
    each = [one for s in sentences for one in sentences_in(s)]
    read = [_sentence(s, material, problems, dropped) for s in each]
    return Paragraph(tuple(s for s in read if s), str(raw.get("theme") or "")[:120])


def _sentence(
    raw: Any, material: Material, problems: list[str], dropped: list[str] | None
) -> Sentence | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("text"), str):
        problems.append('A sentence has no "text".')
        return None
    given = given_words(raw)
    if len(given) > LONGEST_GIVEN:
        problems.append(f"{_shown(tidy(given[:LONGEST_GIVEN]))} is longer than {LONGEST_GIVEN} characters.")
        return None
    parts = parts_of(raw)
    ids = list(dict.fromkeys(i for part in parts for i in part.evidence))
    unknown = [i for i in ids if i not in material.owner]
    if unknown:
        problems.append(
            f"Evidence {', '.join(unknown[:5])} does not exist; use only the ids that were given."
        )
    known = tuple(i for i in ids if i in material.owner)
    clauses = [_known(part, material) for part in parts]
    subject = clauses[0].evidence
    textual = raw.get("textual") is True
    text = tidy(clauses[0].text) if len(clauses) == 1 else clauses[0].text
    if textual and _OWN_SUBJECT.match(text):  # a complete sentence that is marked wrongly
        textual, text = False, text[:1].upper() + text[1:]
    if textual:
        text = _after_authors(text, subject, material)
    lead = lead_of(raw) if textual and subject else ""
    clauses = [replace(clauses[0], text=text), *clauses[1:]]
    whole = tidy(" ".join(clause.text for clause in clauses))
    spoken = f"{lead} {whole}".strip()
    own = tuple(dict.fromkeys(id for clause in clauses for id in clause.own))
    if strange := unknown_own(parts, material.own):
        problems.append(f"{_shown(whole)} {strange}")
    if whole and material.founded and (lacking := unfounded(lead, clauses, material)):
        if dropped is not None:  # for the author instead of the reader
            return Sentence(f"your own words, or a source, for “{whole}”", aside="needs")
        problems.append(f"{_shown(whole)} {lacking}")
    if wrong := word_problems(
        given, spoken, clauses, known, material, bare=textual and bool(subject) and not lead
    ):
        if dropped is not None:
            dropped.append(wrong[0])
            return None
        problems += wrong
    problems += sentence_problems(spoken if lead else whole, subject if textual else known, textual, material)
    several = (*clauses[:-1], replace(clauses[-1], text=tidy(clauses[-1].text))) if len(clauses) > 1 else ()
    return Sentence(whole, known, textual and bool(subject), lead, several, own) if whole else None


def _known(part: Clause, material: Material) -> Clause:
    """The part without ids that were not given."""
    evidence = tuple(id for id in part.evidence if id in material.owner)
    return replace(part, evidence=evidence, own=tuple(id for id in part.own if id in material.own))


def tidy(text: str) -> str:
    """One line of printable characters that ends with a full stop."""
    text = re.sub(r"\s+", " ", plain.printable(text)).strip()
    text = re.sub(r"\s*\((?:[;,\s]*)\)", "", text)
    return text if not text or text[-1] in ".?!" else text.rstrip(",;: ") + "."


def _after_authors(text: str, ids: Sequence[str], material: Material) -> str:
    """Removes authors' names at the start: the citation, put there, would repeat them."""
    for name in (n for i in ids for n in material.surnames.get(i, ()) if n):
        found = re.match(
            rf"^{re.escape(name)}(?:(?:,? (?:and|&) [\w’'-]+)| et al\.?)?(?: \(\d{{4}}\))?,? ", text
        )
        if found:
            return text[found.end() :]
    first = re.match(r"[A-Z][a-z]+\b", text)
    return text[0].lower() + text[1:] if first else text


def sentence_problems(text: str, ids: Sequence[str], textual: bool, material: Material) -> list[str]:
    """The faults for which the section is rejected, in words for the model."""
    shown, found = _shown(text), []
    if not text:
        found.append("A sentence is empty.")
    if len(text.split()) > LONGEST_SENTENCE:
        found.append(f"{shown} has more than {LONGEST_SENTENCE} words.")
    if plain.is_latex(text):
        found.append(f"{shown} holds LaTeX or braces; write plain text.")
    if textual and not ids:
        found.append(f'{shown} is "textual" and names no evidence, so that it has no subject.')
    if textual and len(material.papers(ids)) > 1:
        found.append(f'{shown} is "textual" with several papers; one paper can be the subject.')
    if textual and _AUTHORS_FIRST.match(text[:1].upper() + text[1:]):
        found.append(f'{shown} is "textual" but has a subject of its own; begin with the verb.')
    return found


def word_problems(
    raw: str,
    text: str,
    clauses: Sequence[Clause],
    ids: Sequence[str],
    material: Material,
    bare: bool = False,
) -> list[str]:
    """The faults for which the sentence may be left out: words that do not belong in a section, that are
    copied, or that are about the wrong paper. `raw` still has its line breaks. Each clause is checked against
    its evidence, and the whole against all evidence, since text copied in two halves is still copied. `bare`:
    the citation is the subject."""
    found = _form_problems(raw, text, material, bare)
    if material.cited_figures and not ids and stated(text):
        found.append(
            f"{_shown(text)} holds a figure and names no evidence; name what says it, or leave it out."
        )
    found += [p for clause in clauses for p in _claim_problems(tidy(clause.text), clause.evidence, material)]
    years = [material.years[paper] for paper in material.papers(ids)]
    if not material.founded and (figure := unsupported(text, material.grounds(ids), years)):
        found.append(f"{_shown(text)} {no_such_figure(figure)}")
    if len(clauses) > 1 and (taken := material.sources.problem(text, ids)):
        found.append(f"{_shown(text)} {taken}")
    found = list(dict.fromkeys(found))
    return found or [p for c in clauses for p in _misplaced(tidy(c.text), c.evidence, material)]


def _form_problems(raw: str, text: str, material: Material, bare: bool) -> list[str]:
    shown, found = _shown(text), []
    if talk.is_of_itself(text, of_authors=bare):
        found.append(f"{shown} speaks of your task or of yourself; write only sentences of the section.")
    if plain.is_markup(raw):
        found.append(f"{shown} holds markup; write plain text.")
    if plain.has_address(text) or plain.has_identifier(text):
        found.append(f"{shown} holds an address or a paper's number; leave it out.")
    if any(map(marks.is_marked, plain.forms_of(text))):
        found.append(
            f'{shown} cites by hand; name evidence only in "evidence", and no authors or years in the text.'
        )
    elif strange := strange_name(text, material.names):
        found.append(
            f"{shown} names “{strange[:40]}”, which cites by hand or stands in nothing that was given; leave it out."
        )
    if is_foreign(text, material.names.vocabulary, material.names.language):
        found.append(f"{shown} is in another language or script than the draft and the evidence.")
    if _THE_DRAFT.match(text):
        found.append(f'{shown} speaks of "the draft"; it will stand in that paper: say "this paper".')
    return found


def _claim_problems(text: str, ids: Sequence[str], material: Material) -> list[str]:
    shown, found = _shown(text), []
    if taken := material.sources.problem(text, ids):
        found.append(f"{shown} {taken}")
    if _ONE_PAPER.match(text) and len(material.papers(ids)) > 1:
        found.append(f"{shown} speaks of one paper and cites several; name the evidence of that one alone.")
    return found


def _misplaced(text: str, ids: Sequence[str], material: Material) -> list[str]:
    """Reports that the sentence belongs to another paper, with the evidence to name instead."""
    if not text or not ids or material.belonging is None:
        return []
    found = material.belonging.elsewhere(text, material.papers(ids))
    if found is None:
        return []
    titles = material.belonging.title(found.cited), material.belonging.title(found.better)
    instead = next(i for i, paper in material.owner.items() if paper == found.better)
    return [
        f"{_shown(text)} cites “{titles[0]}” for what rather stands in “{titles[1]}” (passage {instead}); name "
        "the evidence that the sentence stands on, or say what the cited paper does."
    ]


def _shown(text: str) -> str:
    return f'"{text[:60]}…"' if len(text) > 60 else f'"{text}"'


def too_long(words: int, most: int) -> str:
    return f"{TOO_LONG} {words} words; {most} are the most."


def _whole(section: Section, material: Material, most_words: int, cites: bool) -> list[str]:
    sentences = [s for p in section.paragraphs for s in p.sentences if not s.aside]
    found = []
    if not sentences:
        found.append("The section is empty.")
    elif cites and material.owner and not any(s.evidence for s in sentences):
        found.append("No sentence names any evidence.")
    words = sum(len(s.text.split()) for s in sentences)
    if words > most_words:
        found.append(too_long(words, most_words))
    texts = [s.text.lower() for s in sentences]
    if len(set(texts)) < len(texts):
        found.append("A sentence is repeated.")
    return found


def _unused(raw: Any, papers: Collection[str]) -> tuple[tuple[str, str], ...]:
    if not isinstance(raw, list):
        return ()
    pairs = [
        (str(u.get("paper")), tidy(str(u.get("reason") or ""))[:300]) for u in raw if isinstance(u, dict)
    ]
    return tuple((paper, reason) for paper, reason in pairs if paper in papers)
