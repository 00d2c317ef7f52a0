"""Names of systems, methods and data sets in running text: words that are written as names are."""

from __future__ import annotations

import re

_NAME = re.compile(
    r"\b(?:[A-Z]+[a-z]*\d[\w.-]*|[A-Z][a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*|[A-Z]{2,}[\w-]*)(?:-[A-Z0-9][\w.]*)*(?!\w)"
)
_EXPANDED = re.compile(
    r"((?:[A-Z][\w-]+|of|for|and|the|in|to|with)(?: (?:[A-Z][\w-]+|of|for|and|the|in|to|with)){1,6}) \(([A-Z][\w-]{1,11}s?)\)"
)
_OWN = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article))\b[^.]{0,40}?\b(?:propose|introduce|present|develop|release|describe)s? "
    r"(?:(?:a|an|the|our|new|novel) ){0,2}(?P<first>[A-Z][\w-]*[A-Z0-9][\w-]*)"
    r"|\b(?:called|named|dubbed|termed) (?P<second>[A-Z][\w-]*[A-Z0-9][\w-]*)"
)
# Abbreviations that every abstract of a field has and no paper introduces.
_COMMON = frozenset(
    "ai ml nlp llm llms cnn cnns rnn rnns dnn dnns gnn gnns mlp ir nmt asr ocr gpu gpus cpu cpus tpu fpga fpgas api "
    "apis sota http https www github pdf xml html json sql url us usa uk eu 2d 3d 4d iot rl cv hci hpc vr ar xr mri ct "
    "id ids ood iid i.i.d mse rmse auc map bleu rouge f1 ii iii iv arxiv code-url os pc ui ux qa".split()
)


def systems(text: str) -> tuple[str, ...]:
    """In order, each once: "MS MARCO", "SASRec", "GPT-4", "ClueWeb22"."""
    found = (match[0].rstrip(".-") for match in _NAME.finditer(re.sub(r"https?://\S+|\S+@\S+", " ", text)))
    return tuple(dict.fromkeys(name for name in found if name.casefold() not in _COMMON and len(name) > 2))


def expansions(text: str) -> dict[str, str]:
    """Short names with what they stand for, where a text says it: DPO, "Direct Preference Optimization"."""
    found: dict[str, str] = {}
    for long, short in _EXPANDED.findall(text):
        if words := _initials(long.split(), short.rstrip("s")):
            found.setdefault(short, words)
    return found


def _initials(words: list[str], short: str) -> str:
    """The last words whose initials are the short name's letters; "" where there are none."""
    letters = [letter for letter in short.casefold() if letter.isalnum()]
    for start in range(len(words)):
        tail = words[start:]
        first = [part[0].casefold() for word in tail for part in word.split("-") if part]
        if first == letters:
            return " ".join(tail)
    return ""


def own_name(title: str, abstract: str) -> str:
    """What the draft calls its own system: before its title's colon, or where it says that it proposes it."""
    head = re.match(r"^([\w-]{2,20}):\s", title)
    if head:
        return head[1]
    own = _OWN.search(abstract)
    return (own["first"] or own["second"]) if own else ""
