"""A repair mends the sentences that are at fault and leaves the others as they were.

The model is shown its answer with numbered sentences, and what is wrong with which; it gives these anew. An
answer that is wrong as a whole (no section, too long) is asked for anew as a whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...models.schemas import Schema, repair_schema
from ...models.structured_call import Prompt
from .checks import TOO_LONG, Material, sentence_faults
from .endings import ending_faults
from .prompts import quoted

_LONGEST = 1200  # characters of one sentence that are shown again
_MOST_FAULTS = 3  # told of one sentence
Plain = dict[str, Any]

_TASK = """

You have answered already; your sentences are numbered below. What was asked for above is done: neither an outline \
nor the whole section is wanted now. Most sentences are kept as they are. These were rejected, or something is \
missing; give these sentences anew, by number, under the same rules. To add a sentence behind one, give that one's \
number with "added" true. Give no sentence that is not asked for; one with an empty text is left out. "unused" takes \
only papers that are left out from now on: those that you named before stay so."""


def repair(
    prompt: Prompt,
    answer: Any,
    problems: Sequence[str],
    material: Material,
    papers: Collection[str],
    endings: bool = False,
) -> tuple[Prompt, Schema] | None:
    """What to ask for, or None where the whole must be asked for anew. `endings`: too many paragraphs that end
    on the draft are mended too."""
    if any(p.startswith(TOO_LONG) for p in problems):
        return None
    sentences, faults = sentences_of(answer), faults_of(answer, material, endings)
    told = {problem for found in faults.values() for problem in found}
    missing = [p for p in problems if p not in told]
    if not sentences or any(not p.startswith(_FORGOTTEN) for p in missing):
        return None
    wrong = [f"- Sentence {n}: {' '.join(found[:_MOST_FAULTS])}" for n, found in faults.items()]
    asked = "\n".join([*wrong, *(f"- {p} Add a sentence for each, or name it as unused." for p in missing)])
    user = f"{prompt.user}{_TASK}\n\n<answer>\n{numbered(answer)}\n</answer>\n\nThe reasons:\n{asked}"
    return replace(prompt, user=user), repair_schema(list(material.owner), list(papers), list(material.own))


_FORGOTTEN = "These papers are neither cited"


def faults_of(answer: Any, material: Material, endings: bool = False) -> dict[int, list[str]]:
    """What is wrong with which sentence, by its number; those that are right are not named."""
    ends = ending_faults(paragraphs_of(answer)) if endings else {}
    return {
        n: found
        for n, raw in enumerate(sentences_of(answer), 1)
        if (found := [*sentence_faults(raw, material), *([ends[n]] if n in ends else [])])
    }


def mended(first: Any, second: Any, faulty: Collection[int] | None = None) -> Any:
    """The first answer with the second's sentences in their places; the second where it is a whole one. Where
    `faulty` is given, no other sentences are left out."""
    given = second.get("sentences") if isinstance(second, dict) else None
    if not isinstance(given, list) or "paragraphs" in second:
        return second
    new, added = _by_number(given, False), _by_number(given, True)
    number, paragraphs = 0, []
    for paragraph in _paragraphs(first):
        sentences: list[Any] = []
        for raw in _sentences(paragraph):
            number += 1
            put = new.get(number, [raw])
            spared = faulty is not None and number not in faulty and not any(map(has_text, put))
            sentences += [raw] if spared else put
            sentences += added.get(number, [])
        told = [s for s in sentences if not isinstance(s, dict) or has_text(s)]
        paragraphs.append({**paragraph, "sentences": told})
    unused = [*listed(first, "unused"), *listed(second, "unused")]
    return {**first, "paragraphs": paragraphs, "unused": unused}


def numbered(answer: Any) -> str:
    """An answer's sentences, a line each, with their evidence and paragraphs."""
    number, lines = 0, list[str]()
    for place, sentences in enumerate(paragraphs_of(answer), 1):
        lines.append(f"(paragraph {place})")
        for raw in sentences:
            number += 1
            lines.append(_line(number, raw))
    return "\n".join(lines)


def sentences_of(answer: Any) -> list[Any]:
    """All sentences of an answer in order, as they were given."""
    return [raw for sentences in paragraphs_of(answer) for raw in sentences]


def paragraphs_of(answer: Any) -> list[list[Any]]:
    """The same, by paragraph."""
    return [_sentences(paragraph) for paragraph in _paragraphs(answer)]


def _paragraphs(answer: Any) -> list[Plain]:
    return [p for p in listed(answer, "paragraphs") if isinstance(p, dict)]


def _sentences(paragraph: Plain) -> list[Any]:
    return listed(paragraph, "sentences")


def listed(value: Any, name: str) -> list[Any]:
    """What stands under `name`, where that is a list."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def has_text(raw: Mapping[str, Any]) -> bool:
    return bool(str(raw.get("text") or "").strip())


def _by_number(given: Sequence[Any], added: bool) -> Mapping[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for raw in given:
        if isinstance(raw, dict) and type(raw.get("number")) is int and (raw.get("added") is True) == added:
            found.setdefault(raw["number"], []).append(raw)
    return found


def _line(number: int, raw: Any) -> str:
    """One sentence as it was given, with its evidence."""
    if not isinstance(raw, dict):
        return f"{number}. (no sentence)"
    parts = [raw, *(part for part in listed(raw, "more") if isinstance(part, dict))]
    words = " ".join(
        f"{part.get('text') or ''} [{', '.join(map(str, listed(part, 'evidence')))}]" for part in parts
    )
    shown = quoted(" ".join([str(raw.get("lead") or ""), words]), _LONGEST)
    return f"{number}. {shown}"
