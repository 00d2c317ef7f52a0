"""Parses the text that a model wrote: run-in headings, paragraphs, sentences, and citations as `[id]`.

Valid ids are the ids of evidence and of the author's passages; other ids in brackets are reported. A citation
ends a clause. If the first citation is at the beginning of a sentence, or directly after the names of the
paper's authors, it is the subject of the sentence. The names are then removed, because the citation command
prints them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ...text.sentences import split_sentences
from ...types import Sentence
from . import plain

MOST_SENTENCES = 120
LONGEST_GIVEN = 1500  # characters of a sentence that are examined
_ID = r"[A-Za-z]?[1-9]\d{0,3}[a-z]?"
_MARK = re.compile(rf"\s*\[({_ID}(?:\s*[,;]\s*{_ID})*)\]")
_BEHIND_STOP = re.compile(rf"([.!?])((?:\s*\[{_ID}(?:\s*[,;]\s*{_ID})*\])+)(?=\s+[\"“(]?[^\W\d_a-z]|\s*$)")
# A sentence that begins with "vLLM" or "ip-NSW".
_SMALL_NAME = re.compile(r"(?<=\]\.)\s+(?=[a-z][\w-]*[A-Z])")
_INTERVAL = re.compile(r"\b(?:in the (?:interval|range)|(?:lies?|lying|values|scores) in|between) $")
_HEADING = re.compile(r"^(?:#{1,4}[ \t]+([^\n]{2,100})(?:\n|$)|\*\*([^*\n]{2,100})\*\*[.:]?)\s*")
_FAULTS = (
    plain.is_latex, plain.is_markup, plain.has_address, plain.has_identifier, plain.is_by_hand, plain.is_of_itself,
)  # fmt: skip
_CARRIED = re.compile(r"\s*([,;:.!?)”\"]+)")
_NAME_WORD = r"(?!(?:and|et)\b)[^\W\d_][\w'’-]*"
_NAME = rf"{_NAME_WORD}(?: {_NAME_WORD}){{0,2}}"
_SUBJECT = re.compile(
    rf"(?:^|(?<=[\s(]))(?:[Tt]he authors of|(?P<first>{_NAME})(?:(?:,? (?:and|&) {_NAME})|,? et al\.)?)$"
)


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids that a text may cite. `surnames`: the surnames of the paper's authors, by evidence id; `own`:
    the ids of the author's passages."""

    surnames: Mapping[str, tuple[str, ...]]
    own: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A parsed sentence. `raw`: the sentence as the model wrote it; `unknown`: ids in brackets that were not
    given."""

    raw: str
    sentence: Sentence
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedParagraph:
    heading: str
    sentences: tuple[MarkedSentence, ...]


def read_text(text: str, ids: Ids) -> tuple[MarkedParagraph, ...]:
    """The paragraphs of a text. A heading without text belongs to the paragraph after it. A heading that cites, or is
    no plain text, is left out."""
    found, heading = list[MarkedParagraph](), ""
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").strip()):
        block = block.strip()
        if match := _HEADING.match(block):
            heading, block = tidy(match[1] or match[2]).rstrip(".:# "), block[match.end() :]
            heading = "" if any(fault(heading) for fault in _FAULTS) else heading
        if block:
            found.append(MarkedParagraph(heading, read_sentences(block, ids)))
            heading = ""
    return tuple(found)


def read_sentences(text: str, ids: Ids) -> tuple[MarkedSentence, ...]:
    text = _BEHIND_STOP.sub(lambda match: f" {match[2].strip()}{match[1]}", text)
    raws = [raw for piece in _SMALL_NAME.split(text) for raw in split_sentences(piece)]
    return tuple(_sentence(raw, ids) for raw in raws[:MOST_SENTENCES])


def tidy(text: str) -> str:
    """The text as one line of printable characters that ends with a full stop, "?" or "!"; "" for an empty
    text."""
    text = re.sub(r"\s+", " ", plain.printable(text)).strip()
    text = re.sub(r"\s*\((?:[;,\s]*)\)", "", text)
    return text if not text or text[-1] in ".?!" else text.rstrip(",;: ") + "."


def _sentence(raw: str, ids: Ids) -> MarkedSentence:
    parts = _parts(raw[:LONGEST_GIVEN])
    named = list(dict.fromkeys(id for _, marks in parts for id in marks))
    unknown = tuple(id for id in named if id not in ids.surnames and id not in ids.own)
    clauses = [_clause(text, marks, ids) for text, marks in parts]
    lead, clauses = _with_subject(clauses, ids)
    textual = lead is not None
    joined = " ".join(clause.text for clause in clauses if clause.text)
    last = clauses[-1]
    several = (
        (*clauses[:-1], Sentence(tidy(last.text), last.evidence, own=last.own)) if len(clauses) > 1 else ()
    )
    evidence, own = (_united(each) for each in zip(*((c.evidence, c.own) for c in clauses), strict=True))
    return MarkedSentence(raw, Sentence(tidy(joined), evidence, textual, lead or "", several, own), unknown)


def _united(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(id for group in groups for id in group))


def _parts(raw: str) -> list[tuple[str, list[str]]]:
    """The parts of a sentence: the texts between the citation marks, each with the ids of the mark after it.
    There is at least one part."""
    parts, start = list[tuple[str, list[str]]](), 0
    for match in _MARK.finditer(raw):
        text, marks = raw[start : match.start()], re.split(r"\s*[,;]\s*", match[1])
        if len(marks) == 2 and _INTERVAL.search(f"{text} "):
            continue
        parts = _carried(parts, text, marks)
        start = match.end()
    return _carried(parts, raw[start:], []) if raw[start:].strip() or not parts else parts


def _carried(parts: list[tuple[str, list[str]]], text: str, marks: list[str]) -> list[tuple[str, list[str]]]:
    """Adds a part. Punctuation after a mark is moved before the mark; marks without text between them are
    joined."""
    if parts and (match := _CARRIED.match(text)):
        before, given = parts.pop()
        parts, text = [*parts, (before + match[1], given)], text[match.end() :]
    if parts and not text.strip():
        before, given = parts.pop()
        return [*parts, (before, [*given, *marks])]
    return [*parts, (" ".join(text.split()), marks)]


def _clause(text: str, marks: Sequence[str], ids: Ids) -> Sentence:
    marks = tuple(dict.fromkeys(marks))
    evidence = tuple(id for id in marks if id in ids.surnames)
    return Sentence(text, evidence, own=tuple(id for id in marks if id in ids.own))


def _with_subject(clauses: list[Sentence], ids: Ids) -> tuple[str | None, list[Sentence]]:
    """(words before the authors' names, clauses without this beginning) if the first citation is the subject,
    else (None, the unchanged clauses)."""
    first, *rest = clauses
    if len(first.evidence) != 1 or not rest or not _is_text(rest[0].text):
        return None, clauses
    lead = _before_authors(first.text, ids.surnames[first.evidence[0]])
    if lead is None:
        return None, clauses
    said, *rest = rest
    if not said.evidence and not said.own:
        return lead, [Sentence(said.text, first.evidence, own=first.own), *rest]
    words, _, last = said.text.rpartition(" ")  # the second citation must be in another clause
    return lead, [
        Sentence(words, first.evidence, own=first.own),
        Sentence(last, said.evidence, own=said.own),
        *rest,
    ]


def _is_text(text: str) -> bool:
    return bool(re.match(r"['’]?[a-z]", text))


def _before_authors(text: str, surnames: Sequence[str]) -> str | None:
    """The words of `text` before the names of the authors at its end; "" for an empty text. Returns None if
    the text does not end with the names of these authors."""
    if not text:
        return ""
    subject = _SUBJECT.search(text)
    if subject is None:
        return None
    if (name := subject["first"]) is None:  # "the authors of"
        return text[: subject.start()].strip()
    ends = [s for s in surnames if s and (name == s or name.endswith(f" {s}"))]
    longest = max(ends, key=len, default="")
    return text[: subject.end("first") - len(longest)].strip() if longest else None
