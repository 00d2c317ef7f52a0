"""Quotation marks around what is a source's own: no longer run of its words stands outside them.

The head of a clause stays plain and short, the rest is quoted exactly as the passage has it, so that a
reader sees which words are not the writer's."""

from __future__ import annotations

import re

RUN = 8  # words of a source in a row that need quotation marks: more than seven
_LONG, _LEAST = 22, 9  # words from which a sentence is cut to its first clause, and that are then left
_HEAD = RUN - 2  # words of a run that may stand before the mark
_TAIL = 4  # words that are worth a quotation behind a plain head

_CLAUSE_END = re.compile(
    r"(?:, (?:which|while|where|whereas|thereby|thus|hence|so that|such that|enabling|allowing|leading to"
    r"|resulting in|making|achieving|including|as well as|containing|comparing|devoid|rather than|without|before|even|especially)\b|;| – )"
)
_THAT_END = re.compile(
    r"(?:, (?:thereby|thus|hence|so that|enabling|allowing|leading to|resulting in|making|achieving|while|whereas)\b|;)"
)
_BREAK = frozenset(
    "that which who to for by with on from using where via through based when without designed named called"
    " leveraging consisting capable".split()
)
_NO_BREAK = frozenset(
    "due best how able related used compared according as so more aim aims seek seeks".split()
)
_BEFORE_WHICH = frozenset("in on for of by with from to at".split())
_WHAT = frozenset("that how whether why".split())  # a clause of its own follows: the mark stands behind it
_WEAK_END = frozenset("a an the and or of in to with for by on from that which as is are their its".split())


def shortened(text: str) -> str:
    """A long sentence up to the end of its first clause that can stand; else as it is."""
    clause = re.match(r"\w+ (?:that|how|whether|why)\b", text)  # a comma may stand before its verb
    while len(text.split()) > _LONG:
        ends = [m.start() for m in (_THAT_END if clause else _CLAUSE_END).finditer(text)]
        ends = [end for end in ends if len(text[:end].split()) >= _LEAST]
        if not ends:
            break
        text = f"{text[: ends[-1]]}."
    return text


def quoted(text: str, passage: str, plain: int) -> str:
    """`text` with every run of the passage's words in marks; "" where that cannot be done exactly.

    `plain`: words at the start, a verb or a name, that are never quoted."""
    if re.search(r"[“”\"]", text):
        return ""
    spans = [m.span() for m in re.finditer(r"\w+", text)]
    marks: list[tuple[int, int]] = []
    place = 0
    while place < len(spans):
        end = _exact_end(text, spans, place, passage)
        if end - place < RUN:
            place += 1
            continue
        first, last = _bounds(text, spans, place, end, max(plain - place, 0))
        marks.append((spans[first][0], _closed(text, spans[first][0], spans[last - 1][1])))
        place = end
    for start, stop in reversed(marks):
        text = f"{text[:start]}“{text[start:stop]}”{text[stop:]}"
    return "" if copies(text, passage) else text


def copies(text: str, passage: str) -> bool:
    """Whether a run of the passage's words stands outside quotation marks."""
    source = f" {' '.join(_words(passage))} "
    for piece in re.split(r"“[^”]*”", text):
        words = _words(piece)
        runs = (f" {' '.join(words[i : i + RUN])} " for i in range(len(words) - RUN + 1))
        if any(run in source for run in runs):
            return True
    return False


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _exact_end(text: str, spans: list[tuple[int, int]], place: int, passage: str) -> int:
    """The end of the longest run from word `place` on that the passage has letter for letter."""
    end = place
    while end < len(spans) and _stands(text[spans[place][0] : spans[end][1]], passage):
        end += 1
    return end


def _stands(piece: str, passage: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", passage) is not None


def _is_in_name(text: str, place: int) -> bool:
    """ "Representations from Transformers": a small word between capitals is part of a name."""
    before, after = text[:place].split()[-1:], text[place:].split()[1:2]
    return bool(before and after) and before[0][:1].isupper() and after[0][:1].isupper()


def _closed(text: str, start: int, stop: int) -> int:
    """The end of a quotation, behind the bracket that closes one inside it."""
    is_open = text.count("(", start, stop) > text.count(")", start, stop)
    return stop + 1 if is_open and text[stop : stop + 1] == ")" else stop


def _bounds(text: str, spans: list[tuple[int, int]], place: int, end: int, plain: int) -> tuple[int, int]:
    """The words that are quoted of the run [place, end): from a break near its start, to a full word."""
    words = [text[a:b].lower() for a, b in spans]
    while words[end - 1] in _WEAK_END and end - place > RUN:
        end -= 1
    first = place + plain
    for at in range(first, min(first + 3, end - _TAIL)):
        if words[at] in _WHAT:
            return at + 1, end
    if plain and words[first] in ("on", "at", "with", "into", "for", "to", "from"):
        first += 1
    for at in range(first + 2, min(place + _HEAD, end - _TAIL) + 1):
        if (
            words[at] in _BREAK
            and (words[at] != "based" or words[at + 1] in ("on", "upon"))
            and words[at - 1] not in _NO_BREAK
            and text[spans[at][0] - 1] == " "
            and not _is_in_name(text, spans[at][0])
        ):
            return at - (words[at] == "which" and words[at - 1] in _BEFORE_WHICH), end
    while first > place and text[spans[first][0] - 1] != " ":  # never inside a compound
        first -= 1
    return first, end
