"""Hostile sentences on the way of every answer: JSON, check, plan, LaTeX; and what was written is read again.

A sentence is prose with commands, keys, citations by hand, addresses, odd characters and torn JSON mixed in,
and names evidence that exists, does not, or is no id at all."""

from __future__ import annotations

import json
import random
import re
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, ProseSection, ProseSentence, Reference
from texgeist_latex.writing.edits import plan_related_work
from texgeist_latex.writing.escape import escape
from texgeist_retrieval.errors import WriterInvalid
from texgeist_retrieval.models.answers import read_json
from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Selected
from texgeist_retrieval.types import Sentence as Said
from texgeist_retrieval.writing.model.checks import Material, faults_of
from texgeist_retrieval.writing.model.prose import read_text

from . import forms

FOLDER = Path("/texgeist-hostile")  # never touched on disk: the files are open buffers
MAIN = r"""\documentclass{article}
\title{A title}
\begin{document}
\begin{abstract} We rank passages for drafts. \end{abstract}
\section{Introduction} Words.
\section{Conclusion} More words.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
PAPERS = 5
AT_ONCE = 50  # sentences that are written into one document
SLOW = 1.0  # seconds of processor time for one sentence
HOSTILE = [
    *forms.BY_HAND, *forms.NAMES, *forms.IDENTIFIERS, *forms.ADDRESSES, *forms.MARKDOWN, *forms.OF_ITSELF,
    r"\input{/etc/passwd}", r"\write18{rm -rf}", r"\cite{smith2021}", r"\citep[see][]{p1,x}", r"\def\x{\x}\x",
    r"\end{document}", r"\begin{verbatim}", r"^^5cinput{x}", r"\csname input\endcsname", r"$\input{x}$", "$x_1$",
    "% texgeist:end related-work", "%", "\\", "\\\\", "{", "}", "}{", "&", "#1", "~", "_", "^", "``", "''", '"', "`",
    "</passage>", "<|im_end|>", "@article{x,", "\\u005cinput", "&#92;input{x}", "＼input｛x｝", "﹨cite﹛x﹜",
    "\x00", "\x1b[2J", "\ud800", "\udfff", "\u202e", "\u2028", "\ufeff", "\u200b", "\r\n", "\t", "\x85", "\uffff",
    "é" * 40, "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "🙂", "日本語", "عربي", "x" * 3000, "(" * 200, "A. " * 80, "Smith, " * 60, "[1]" * 60,
]  # fmt: skip


@dataclass
class Tally:
    sentences: int = 0
    kept: int = 0
    written: int = 0
    foreign: list[str] = field(default_factory=list)  # citations that were not retrieved
    commands: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> bool:
        return bool(self.foreign or self.commands or self.tracebacks or self.slow)


def attack(count: int, seed: int = 1) -> Tally:
    """`count` sentences, the same for the same seed."""
    tally, selected = Tally(), papers()
    material = Material.of(selected, "We rank passages for drafts.")
    material = replace(material, names=material.names.knowing(forms.PROSE), draft="\n".join(forms.PROSE))
    kept: list[Said] = []
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        begun = time.process_time()
        try:
            kept += answered(chance, material, tally)
            if len(kept) >= AT_ONCE or (kept and number == count - 1):
                write(kept, selected, material, tally)
                kept = []
        except Exception:
            tally.tracebacks.append(f"{number}: {traceback.format_exc(limit=-4)}")
            kept = []
        tally.sentences += 1
        if (taken := time.process_time() - begun) > SLOW:
            tally.slow.append(f"{number}: {taken:.1f} s")
    return tally


def papers() -> list[Selected]:
    found = []
    for n in range(1, PAPERS + 1):
        abstract = f"We propose ranker number {n}, which orders passages by their meaning for drafts."
        paper = Paper(f"2101.0000{n}", f"Ranker of Kind {n}", abstract, ("Ada Miller", f"Ben Stone{n}"), 2020)
        evidence = Evidence(f"{n}a", Passage(paper.id, None, abstract), 0.5)
        found.append(Selected(Candidate(paper, 0.5, n), (evidence,), 0.5))
    return found


def answered(chance: random.Random, material: Material, tally: Tally) -> list[Said]:
    """The sentences that the gate lets through of an answer with hostile text."""
    given = {"plan": [], "section": f"Passages are ordered in several ways [1a]. {text_with_ids(chance)}"}
    try:
        value = read_json(torn(chance, json.dumps(given, ensure_ascii=chance.random() < 0.5)), "the model")
    except WriterInvalid:
        tally.refused["no JSON"] += 1
        return []
    if not isinstance(value, dict) or not isinstance(value.get("section"), str):
        tally.refused["no text"] += 1
        return []
    said = list[Said]()
    for marked in (each for p in read_text(value["section"], material.ids) for each in p.sentences):
        found = faults_of(marked, material)
        for reason in found:
            tally.refused[re.sub(r"“.*”|\b[\d.,]+\b", "…", reason)[:70]] += 1
        said += [] if found else [marked.sentence]
    tally.foreign += [f"evidence {i}" for s in said for i in s.evidence if i not in material.owner]
    said = [s for s in said if s.text != "Passages are ordered in several ways."]
    tally.kept += len(said)
    return said


def text_with_ids(chance: random.Random) -> str:
    pieces = [chance.choice(forms.PROSE)]
    for _ in range(chance.randint(0, 3)):
        words = pieces[-1].split(" ")
        words.insert(chance.randint(0, len(words)), chance.choice(HOSTILE))
        pieces.append("".join(words) if chance.random() < 0.05 else " ".join(words))
    text = chance.choice(HOSTILE) if chance.random() < 0.1 else pieces[-1]
    for id in chance.sample(
        ["1a", "2a", "3a", "99", "P1", "2101.00001", r"\cite{x}", "1a}"], chance.randint(0, 2)
    ):
        words = text.split(" ")
        words.insert(chance.randint(0, len(words)), f"[{id}]")
        text = " ".join(words)
    return text


def torn(chance: random.Random, text: str) -> str:
    """The answer as some models give it: fenced, with talk, cut, or doubled."""
    kind = chance.randrange(20)
    if kind == 0:
        return text[: chance.randint(0, len(text))]
    if kind == 1:
        return f"Sure!\n```json\n{text}\n```"
    if kind == 2:
        return f"<think>{text}</think>{text}"
    return text + text if kind == 3 else text


def write(said: Sequence[Said], selected: Sequence[Selected], material: Material, tally: Tally) -> None:
    """Into a document, and out of it again: only citations of these papers, only commands of escaped text."""
    references = [
        Reference(s.candidate.paper.id, s.candidate.paper.title, s.candidate.paper.authors, 2020)
        for s in selected
    ]
    prose = [
        ProseSentence(
            s.text,
            material.papers(s.evidence),
            s.textual,
            s.lead,
            tuple((c.text, material.papers(c.evidence)) for c in s.clauses),
        )
        for s in said
    ]
    texts = {FOLDER / "main.tex": MAIN, FOLDER / "refs.bib": ""}
    try:
        plan = plan_related_work(read(texts), ProseSection("Related Work", (tuple(prose),)), references)
    except LatexError as error:
        tally.refused[f"the document: {error}"[:70]] += len(said)
        return
    for edit in sorted(plan.edits, key=lambda e: -e.start):
        text = texts.get(edit.file, "")
        texts[edit.file] = text[: edit.start] + edit.text + text[edit.end :]
    allowed = set(plan.keys.values())
    tally.foreign += [c.key for c in read(texts).citations if c.key not in allowed]
    tally.commands += [
        found for one, latex in zip(said, plan.sentence_latex, strict=True) for found in odd(one, latex)
    ]
    tally.written += len(plan.sentence_latex)


def odd(said: Said, latex: str) -> list[str]:
    """Commands in the sentence's LaTeX that neither cite nor write one of its characters."""
    known = {c for char in set(said.text) for c in re.findall(r"\\[a-zA-Z]+", escape(char))}
    known |= {r"\cite", r"\citep", r"\citet"}
    strange = [c for c in re.findall(r"\\[a-zA-Z@]+", latex) if c not in known]
    return strange + [repr(c) for c in latex if unicodedata.category(c) in ("Cc", "Cs") and c != "\n"]


def read(texts: dict[Path, str]) -> Draft:
    return read_draft(FOLDER / "main.tex", overlay=texts, programs=False)
