"""What a title alone says, for a paper of whose sentences none can be told in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ....text.keyphrases import mid_sentence
from ....text.vocabulary import COUNTED, FUNCTION, GOOD_ING, NOUNS_TOO, WIDE
from .fronting import VERBS
from .sentence_gate import leads_elsewhere
from .sentences import clean, is_rubble, words

_LEAST, _MOST = 3, 12
_SENTENCE = re.compile(
    r"[?!“”\"$\\&]|^(?:better|faster|more|less|stronger|smaller)\b|\b(?:is|are|was|were|be|can|do|does|did|need|needs|matters?|helps?|makes?|wins?|beats?|improves?|meets?|should|must|we|you|your|i|my|our"
    r"|towards?|revisiting|rethinking|how|why|what|when|where|who|not|all|the first|beyond|strikes?|challenge|report|overview|part|best|worlds?|case study|an? (?:survey|study|review|tutorial))\b|\d{4}|^(?:From|Using|In|With|When|Further|More|On the|Against|Under|Through|By|For|To|At|Into)\b",
    re.I,
)


_SYSTEM = re.compile(r"(?=\S*[A-Z0-9]\S*[A-Z0-9])[A-Z][\w.+-]*|[A-Z][a-z]+(?:[A-Z]\w*)?")


@dataclass(frozen=True, slots=True)
class Titled:
    """`name` is the system that the title names first, else ""."""

    name: str
    subject: str

    def is_what(self) -> bool:
        """The title says what the system is."""
        return bool(self.name) and bool(re.match(r"an? ", self.subject))


def titled(title: str, abstract: str, spelled: frozenset[str]) -> Titled | None:
    """ "Document Expansion by Query Prediction" -> "document expansion by query prediction"; None where the title
    is a sentence, or has a word of which is not known whether it is a name. `spelled`: words as abstracts have them."""
    title = clean(title).rstrip(".")
    if is_rubble(title) or leads_elsewhere(title):
        return None
    name, colon, rest = title.partition(": ")
    own = words(clean(abstract))
    if colon and _SYSTEM.fullmatch(name) and name in own:
        said = _lowered(rest, own, spelled)
        return Titled(name, said) if said else None
    if colon and (len(words(name)) < _LEAST or len(words(name)) < len(words(rest))):
        name = rest
    said = _lowered(name, own, spelled)
    return Titled("", said) if said else None


def system(title: str, abstract: str) -> str:
    """The system that the title names before a colon and the abstract introduces; "" where there is none."""
    name, colon, _ = clean(title).partition(": ")
    if not colon or not _SYSTEM.fullmatch(name) or re.fullmatch(r"[A-Z]+s", name):  # LLMs are no system
        return ""
    known = re.escape(name)
    return name if re.search(_INTRODUCED.format(name=known), clean(abstract)) else ""


_INTRODUCED = (
    r"\b(?:introduc|propos|present|develop|describ|call|dub|nam|term|build|design|devis)\w*\b[^.]*(?<![\w-]){name}(?![\w-])"
    r"|(?<![\w-]){name},? (?:(?:is )?(?:an?|our)|which)\b"
)


def _lowered(title: str, own: Sequence[str], spelled: frozenset[str]) -> str:
    if (
        ":" in title
        or " – " in title
        or " - " in title
        or _SENTENCE.search(title)
        or _bare(title)
        or _is_said(title)
        or not _LEAST <= len(words(title)) <= _MOST
    ):
        return ""
    made = []
    for token in title.split():
        bare = token.strip(",")
        low = mid_sentence(bare)
        if low != bare and low not in own and _stands_alone(bare, own):
            low = bare  # its own abstract has it as a name: Swin
        if low != bare and not all(
            part in spelled or part.lower() in _USUAL or _COMMON_END.search(part) or part.lower() in FUNCTION
            for part in words(low)
        ):
            if not _stands_alone(bare, own):
                return ""
            low = bare
        made.append(low + token[len(bare) :])
    return re.sub(r"^on (?=\S)", "", " ".join(made))


def _stands_alone(name: str, own: Sequence[str]) -> bool:
    """Whether the text has the word in capitals between words in small letters: no part of a longer name."""
    return any(
        word == name and before.islower() and after.islower() and not (after == "and" and then[:1].isupper())
        for before, word, after, then in zip(own, own[1:], own[2:], [*own[3:], ""], strict=False)
    )


def _bare(title: str) -> bool:
    """ "Embedded Quantum Gate Autoencoder": what is counted, without an article."""
    head = re.split(
        r" (?:of|for|in|on|with|via|by|from|to|using|through|under|and|over|at|as|based)\b|,", title
    )[0]
    said = words(head)
    return bool(said) and said[-1].lower() in COUNTED | _SINGLE and said[0].lower() not in ("a", "an", "the")


_COMMON_END = re.compile(
    r"(?:ing|tions?|ments?|ness|it(?:y|ies)|[ae]nces?|isms?|sis|ics|ive|[ai]ble|ous|ful|less|ly|ware|ship|ures?)$"
)
_USUAL = COUNTED | GOOD_ING | WIDE
_SINGLE = frozenset(
    "framework method approach dataset architecture tool robot mechanism strategy scheme pipeline loss database study survey protocol".split()
)


def _is_said(title: str) -> bool:
    """ "Language Agents Achieve Synthesis": a verb stands behind what may be its subject."""
    tokens = [token.lower() for token in words(title)]
    plural = (word for before, word in pairwise(tokens) if re.search(r"[^su]s$", before))
    return bool(_SURELY & set(tokens)) or any(word in VERBS - NOUNS_TOO for word in plural)


_SURELY = frozenset(
    "achieves improves enables allows reduces outperforms makes helps provides requires predicts generates learns solves".split()
)
