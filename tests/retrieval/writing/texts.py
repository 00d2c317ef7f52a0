"""Texts as a model writes them, and what the checks find in them."""

from __future__ import annotations

from typing import Any

from texgeist_retrieval.types import Sentence
from texgeist_retrieval.writing.model.checks import Material, faults_of, section_faults, tidy
from texgeist_retrieval.writing.model.prose import MarkedSentence, read_text


def answer(section: Any, **lists: list[str]) -> dict[str, Any]:
    """A model's answer with this text."""
    return {"plan": [], "section": section, **lists}


def corrections(*given: tuple[int, str], kind: str = "truth") -> dict[str, Any]:
    """A model's answer with new texts of numbered sentences."""
    return {"corrections": [{"number": n, "kind": kind, "why": "", "text": text} for n, text in given]}


def verdicts(*failed: tuple[int, str]) -> dict[str, Any]:
    """A verifier's answer on seven sentences, of which these do not hold, with their new texts."""
    new = dict(failed)
    return {
        "sentences": [
            {"number": n, "beyond": "", "holds": n not in new, "text": new.get(n, "")} for n in range(1, 8)
        ]
    }


def faults(text: str, material: Material, *evidence: str, textual: bool = False) -> str:
    """What is found in one sentence with this evidence."""
    sentence = Sentence(tidy(text), evidence, textual)
    return " ".join(faults_of(MarkedSentence(text, sentence), material))


def found_in(text: str, material: Material) -> str:
    """What is found in a text with its citations in brackets."""
    paragraphs = read_text(text, material.ids)
    each = [fault for p in paragraphs for s in p.sentences for fault in faults_of(s, material)]
    return " ".join([*section_faults(paragraphs, material), *each])


def texts(written: Any) -> list[str]:
    return [s.text for s in written.section.sentences if not s.aside]
