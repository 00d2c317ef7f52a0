"""Every answer of a model is checked here, whoever gave it: a citation that was not retrieved, text that
is not prose, and half a section never get past.

A check returns what is wrong in sentences that the model can act on; `WriterInvalid` is for callers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...types import Clause, Paragraph, Section, Selected, Sentence
from .clauses import lead_of, parts_of

LONGEST_SENTENCE = 90  # words
LONGEST_PARAGRAPH = 16  # sentences
_COPIED = 14  # words in a row that are the source's own
_COPIED_WE = 5  # the same, where "we" or "this paper" would then be the draft
_OF_DRAFT = 8  # words in a row that are the draft's own, in a sentence that cites others for them

_COMMAND = re.compile(r"\\[a-zA-Z@]+|\\[^\s\w]|\$[^$]+\$|\{\\|[{}]")
_ADDRESS = re.compile(r"https?://|www\.|\S+@\S+\.\w", re.IGNORECASE)
_MARKUP = re.compile(r"</?[a-z]+[^>]*>|```|^#+ |texgeist:(?:begin|end)|\bpassage id\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\[\s*(?:[A-Z]?\d+)(?:\s*[,;–-]\s*[A-Z]?\d+)*\s*\]|\((?:evidence|passage|paper) ?\w{1,4}\)",
    re.IGNORECASE,
)
_BY_HAND = re.compile(
    r"\(\s*(?:see |e\.g\.,? |cf\. )?[A-Z][\w’'-]+(?: (?:and|&) [A-Z][\w’'-]+| et al\.?)?,? (?:19"
    r"|20)\d\d[a-z]?\b"
    r"|\b[A-Z][\w’'-]+(?: (?:and|&) [A-Z][\w’'-]+| et al\.?) \((?:19|20)\d\d[a-z]?\)|\bet al\b"
)
_AUTHORS_FIRST = re.compile(r"^(?:The authors|They|It)\b")

_OWN_SUBJECT = re.compile(
    r"(?:this (?:paper|work)|our|we|the (?!authors\b)|an?|several|both|these|those|most|many|other|some|all|recent)\b"
    r"|\w+ (?:is|are|was|were|can|could|will|would|may|has been|have been)\b",
    re.IGNORECASE,
)
_AS_DRAFT = (["we"], ["our"], ["this", "paper"], ["this", "work"], ["the", "draft"], ["in", "this", "paper"])
_ONE_PAPER = re.compile(
    r"^(?:The|One) (?:paper|study|article|authors?|survey|benchmark|system|method|approach|framework|tool)\b"
    r"(?! and our)"
)
_THE_DRAFT = re.compile(
    r"^(?:In t|T)he draft(?: paper)?,? (?:itself|also|we|it|is|has|does|uses|introduces|presents|proposes|describes"
    r"|builds|differs|aims|shows|develops|studies|addresses|discusses|explores|provides|offers|focuses)\b"
)


@dataclass(frozen=True, slots=True)
class Material:
    """What a writer was given: evidence ids to papers' ids, the passages' words, and the draft's abstract."""

    owner: Mapping[str, str]
    passages: Mapping[str, str]
    surnames: Mapping[str, tuple[str, ...]]  # evidence id -> surnames of its paper's authors
    draft: str = ""

    @classmethod
    def of(cls, selected: Sequence[Selected], draft: str = "") -> Material:
        pairs = [(e, s.candidate.paper) for s in selected for e in s.evidence]
        return cls(
            {e.id: paper.id for e, paper in pairs},
            {e.id: e.passage.text for e, _ in pairs},
            {e.id: tuple(_surname(a) for a in paper.authors) for e, paper in pairs},
            draft,
        )


def _surname(author: str) -> str:
    return (author.split(",")[0] if "," in author else author.split()[-1] if author.split() else "").strip()


@dataclass(frozen=True, slots=True)
class Checked:
    """A section as far as it can be read, and what is wrong with it; to be used only when nothing is."""

    section: Section
    unused: tuple[tuple[str, str], ...]  # (paper's label, reason)
    problems: tuple[str, ...]
    dropped: tuple[str, ...] = ()  # why sentences were left out, where that was allowed


def check_section(
    answer: Any, material: Material, papers: Collection[str], most_words: int, drop: bool = False
) -> Checked:
    """Reads a section answer. `papers` are the labels that may be named as unused.

    With `drop`, whole sentences whose words are at fault (copied, or said of the wrong paper) are left out
    instead of rejecting the section, as long as no more fall out than stay."""
    if not isinstance(answer, dict) or not isinstance(answer.get("paragraphs"), list):
        return Checked(Section("", ()), (), ('The answer is not an object with a list "paragraphs".',))
    problems: list[str] = []
    dropped: list[str] | None = [] if drop else None
    read = [_paragraph(raw, material, problems, dropped) for raw in answer["paragraphs"]]
    section = Section("", tuple(p for p in read if p.sentences))
    out = tuple(dropped or ())
    if len(out) > sum(len(p.sentences) for p in read):
        problems += out
    problems += _whole(section, material, most_words)
    return Checked(section, _unused(answer.get("unused"), papers), tuple(dict.fromkeys(problems)), out)


def sentence_faults(raw: Any, material: Material) -> list[str]:
    """What is wrong with one sentence of an answer, by itself."""
    problems: list[str] = []
    _sentence(raw, material, problems, None)
    return problems


def _paragraph(raw: Any, material: Material, problems: list[str], dropped: list[str] | None) -> Paragraph:
    sentences = raw.get("sentences") if isinstance(raw, dict) else None
    if not isinstance(sentences, list):
        problems.append('A paragraph has no list "sentences".')
        return Paragraph(())
    if len(sentences) > LONGEST_PARAGRAPH:
        problems.append(f"A paragraph has {len(sentences)} sentences; {LONGEST_PARAGRAPH} are the most.")
    read = [_sentence(s, material, problems, dropped) for s in sentences]
    return Paragraph(tuple(s for s in read if s), str(raw.get("theme") or "")[:120])


def _sentence(
    raw: Any, material: Material, problems: list[str], dropped: list[str] | None
) -> Sentence | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("text"), str):
        problems.append('A sentence has no "text".')
        return None
    parts = parts_of(raw)
    ids = list(dict.fromkeys(i for part in parts for i in part.evidence))
    unknown = [i for i in ids if i not in material.owner]
    if unknown:
        problems.append(
            f"Evidence {', '.join(unknown[:5])} does not exist; use only the ids that were given."
        )
    known = tuple(i for i in ids if i in material.owner)
    clauses = [Clause(p.text, tuple(i for i in p.evidence if i in material.owner)) for p in parts]
    subject = clauses[0].evidence
    textual = raw.get("textual") is True
    text = tidy(clauses[0].text) if len(clauses) == 1 else clauses[0].text
    if textual and _OWN_SUBJECT.match(text):  # a whole sentence, only marked wrongly
        textual, text = False, text[:1].upper() + text[1:]
    if textual:
        text = _after_authors(text, subject, material)
    lead = lead_of(raw) if textual and subject else ""
    clauses = [Clause(text, subject), *clauses[1:]]
    whole = tidy(" ".join(clause.text for clause in clauses))
    if wrong := _word_problems(clauses, whole, known, material):
        if dropped is not None:
            dropped.append(wrong[0])
            return None
        problems += wrong
    spoken = f"{lead} {whole}".strip()
    problems += sentence_problems(spoken if lead else whole, subject if textual else known, textual, material)
    several = (
        (*clauses[:-1], Clause(tidy(clauses[-1].text), clauses[-1].evidence)) if len(clauses) > 1 else ()
    )
    return Sentence(whole, known, textual and bool(subject), lead, several) if whole else None


def _word_problems(
    clauses: Sequence[Clause], whole: str, known: Sequence[str], material: Material
) -> list[str]:
    """Each clause against its own evidence, and the whole against all that it cites: what is copied stays
    copied in two halves, and what is said of one paper must not lean on the other's words."""
    if len(clauses) == 1:
        return word_problems(whole, known, material)
    found = [p for clause in clauses for p in word_problems(clause.text, clause.evidence, material)]
    if _copied(whole, [material.passages[i] for i in known]):
        found += word_problems(whole, known, material)
    return list(dict.fromkeys(found))


def tidy(text: str) -> str:
    """One line, one full stop at its end."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s*\((?:[;,\s]*)\)", "", text)
    return text if not text or text[-1] in ".?!" else text.rstrip(",;: ") + "."


def _after_authors(text: str, ids: Sequence[str], material: Material) -> str:
    """Without authors' names at its start: the citation stands there, and would say them twice."""
    for name in (n for i in ids for n in material.surnames.get(i, ()) if n):
        found = re.match(
            rf"^{re.escape(name)}(?:(?:,? (?:and|&) [\w’'-]+)| et al\.?)?(?: \(\d{{4}}\))?,? ", text
        )
        if found:
            return text[found.end() :]
    first = re.match(r"[A-Z][a-z]+\b", text)
    return text[0].lower() + text[1:] if first else text


def sentence_problems(text: str, ids: Sequence[str], textual: bool, material: Material) -> list[str]:
    """What is wrong with one sentence, in words for the model."""
    shown = f'"{text[:60]}…"' if len(text) > 60 else f'"{text}"'
    found = []
    if not text:
        found.append("A sentence is empty.")
    if len(text.split()) > LONGEST_SENTENCE:
        found.append(f"{shown} has more than {LONGEST_SENTENCE} words.")
    if _COMMAND.search(text) or _MARKUP.search(text):
        found.append(f"{shown} holds LaTeX, markup or braces; write plain text.")
    if _ADDRESS.search(text):
        found.append(f"{shown} holds an address.")
    if _NUMBERED.search(text) or _BY_HAND.search(text):
        found.append(f'{shown} cites by hand; name evidence only in "evidence", and no authors in the text.')
    if textual and not ids:
        found.append(f'{shown} is "textual" and names no evidence, so that it has no subject.')
    if textual and len({material.owner[i] for i in ids}) > 1:
        found.append(f'{shown} is "textual" with several papers; one paper can be the subject.')
    if textual and _AUTHORS_FIRST.match(text[:1].upper() + text[1:]):
        found.append(f'{shown} is "textual" but has a subject of its own; begin with the verb.')
    return found


def word_problems(text: str, ids: Sequence[str], material: Material) -> list[str]:
    """Words that are another's, or said of the wrong paper: the sentence may be left out for them."""
    shown = f'"{text[:60]}…"' if len(text) > 60 else f'"{text}"'
    found = []
    if _copied(text, [material.passages[i] for i in ids]):
        found.append(f"{shown} copies its source word for word; say it in your own words.")
    if ids and _claims_for_others(text, material.draft, [material.passages[i] for i in ids]):
        found.append(
            f"{shown} cites papers for what the draft says of itself; name no evidence, or leave it out."
        )
    if _ONE_PAPER.match(text) and len({material.owner[i] for i in ids}) > 1:
        found.append(f"{shown} speaks of one paper and cites several; name the evidence of that one alone.")
    if _THE_DRAFT.match(text):
        found.append(f'{shown} speaks of "the draft"; it will stand in that paper: say "this paper".')
    return found


def _copied(text: str, passages: Sequence[str]) -> bool:
    """True for long runs of the source's words; for short ones too where the source's "we" came along,
    which would claim its work for the draft's authors."""
    words = _words(text)
    run = _COPIED_WE if any(words[: len(start)] == start for start in _AS_DRAFT) else _COPIED
    sources = [" ".join(_words(p)) for p in passages]
    return any(r in source for r in _runs(words, run) for source in sources)


def _claims_for_others(text: str, draft: str, passages: Sequence[str]) -> bool:
    """True for a run of the draft's own words that the cited passages do not hold: they are cited for it."""
    sources, own = [" ".join(_words(p)) for p in passages], " ".join(_words(draft))
    return any(r in own and not any(r in s for s in sources) for r in _runs(_words(text), _OF_DRAFT))


def retells(text: str, draft: str) -> bool:
    """True where a text that should speak of another paper says what the draft does, in its words."""
    own = " ".join(_words(draft))
    return any(r in own for r in _runs(_words(text), _OF_DRAFT + 2))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    return (" ".join(words[i : i + length]) for i in range(len(words) - length + 1))


def _whole(section: Section, material: Material, most_words: int) -> list[str]:
    sentences = [s for p in section.paragraphs for s in p.sentences]
    found = []
    if not sentences:
        found.append("The section is empty.")
    elif material.owner and not any(s.evidence for s in sentences):
        found.append("No sentence names any evidence.")
    words = sum(len(s.text.split()) for s in sentences)
    if words > most_words:
        found.append(f"The section has {words} words; {most_words} are the most.")
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
