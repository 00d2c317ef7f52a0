"""The sentences in which one paper can be told, in several shapes, the best first.

Each is made of the paper's own sentence on its work, cut, turned and put in other words until no run of the
source is left, or else of its title. What does not come out as a whole sentence is not offered."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from .contribution import KINDS, Contribution, contribution
from .grammar import KNOWN, singular
from .loosening import loosened, spelled_out, with_articles
from .quoting import RUN
from .sentence_gate import fault
from .sentences import words
from .standalone import Told

Shape = Literal["offers", "for", "is", "does", "finds", "studies", "topic"]
_SHAPES: dict[str, Shape] = {"study": "studies", "find": "finds"}
_LONGEST, _SHORTEST = 27, 7  # words
# What can be said instead of a verb of offering or studying: the sense is the same, the sentence does not repeat.
SAME = {
    verb: group
    for group in (
        ("propose", "introduce", "present", "put forward", "describe"),
        ("study", "investigate", "examine"),
        ("show", "find"),
    )
    for verb in group
}  # fmt: skip
_ENDS = re.compile(
    r", (?=to [a-z]+ |which |where |while |thereby |thus |hence |using |leveraging |utilizing |exploiting |enabling |allowing "
    r"|making |leading |resulting |achieving |including |such as |without |as well as |with |by |based on |rather than"
    r"|instead of |unlike |inspired by |so that )|;| – |: (?=[a-z])"
    r"|(?<=[a-z]{3}) (?=(?:such that|so that|so as to|in order to|by [a-z]+ing|using|via|through|based on|while"
    r"|without|under|when|because|since|and (?:then|thus|hence|thereby|show|demonstrate|further|also"
    r"|stores|uses|learns|produces|generates|reduces|improves|provides|enables|achieves|allows|makes|selects|updates"
    r"|performs|applies|adds|propose|present|introduce|develop|design|provide|evaluate|test|analyze))\b)"
)
_BAD_END = re.compile(
    r"\b(?:an?|the|of|to|for|with|and|or|by|in|on|that|which|is|are|as|their|its|using|via|from|at|into|not|such"
    r"|where|while|based|called|named|namely|than|both|either|between|only|most|more|paired|related|designed|compared"
    r"|aimed|associated|trained|given|made|used|known|able|due|tailored|dedicated|capable|suited|intended|meant|driven"
    r"|guided|inspired|motivated|all"
    r"|able to|whether|how|what|under|towards?|without|within|across|over|has|have|can|will|be|(?:^| )[a-z]+ly)$"
)


@dataclass(frozen=True, slots=True)
class Telling:
    """`text`, `lead` and `textual` as in `Sentence`; `verb` the base form of its first word, "" for none."""

    text: str
    textual: bool
    shape: Shape
    lead: str = ""
    verb: str = ""
    name: str = ""
    kind: str = ""  # "a framework": what `name` is
    listed: str = ""  # as it stands in a list: "LoRA for low-rank adaptation"
    evidence: str = ""  # whose passage bears it out
    titled: bool = False  # the title alone bears it out

    def words(self) -> int:
        return len(words(f"{self.lead} {self.text}"))


def tellings(told: Told, passage: str, title: str, several: bool) -> list[Telling]:
    """What can be made of one sentence on the paper's work."""
    if re.match(r"(?:evaluate|assess|test|validate|verify|implement)s? ", told.text):
        return []
    if re.search(r"\bboth [a-z]+s\b(?! and)|^find that there |(?<![\w’-])[B-Z](?![\w’+#-])", told.text):
        return []
    if re.search(r"\b(?:our|us)\b", told.source, re.I):
        return []  # what "their" would then mean is not clear
    if re.search(r"\b(?:they|them|theirs|themselves)\b", told.text) or _is_modest(told.text):
        return []
    made = contribution(told, title)
    found = (
        [t for form in _of_parts(made, several) if (t := _free(form, passage, title, several))]
        if made
        else []
    )
    plain = _plainly(told, passage, title, several)
    return [*found, *([plain] if plain else [])]


def _is_modest(text: str) -> bool:
    """What says nothing of its subject: experiments, results, superiority."""
    return bool(
        re.search(
            r"\b(?:extensive|experiments|experimentally|outperforms?|superior|state-of-the-art|effectiveness"
            r"|present results|on (?:\w+ ){0,2}(?:data ?sets|benchmarks)|(?:survey|interview|study)s? (?:of|with) [\w-]+ (?:practitioners|participants|users|people)|their (?:claims|findings|results)"
            r"|significant performance|improves? (?:the )?performance|competitive|first time|a time)\b",
            text,
        )
    )


def _of_parts(made: Contribution, several: bool) -> list[Telling]:
    """The shapes of "propose NAME, a kind that …"."""
    found = []
    for count in range(len(made.said), -1, -1):
        said = "".join(part if part.startswith(",") else f" {part}" for part in made.said[:count])
        said = said.strip()
        for cut in _prefixes(said):
            found += _shapes(made, cut, several)
        if not made.said:
            break
    return found


def _shapes(made: Contribution, said: str, several: bool) -> list[Telling]:
    verb = made.verb if several else singular(made.verb)
    behind = f" {said}" if said else ""
    name, kind = made.name, made.kind
    thing = f"{name}, {kind}{behind}" if name else f"{kind}{behind}"
    found = [Telling(f"{verb} {thing}.", True, "offers", "", made.verb, name, kind)]
    purpose = re.match(
        r"for ((?!each\b|all\b|any\b|which\b)[a-z][\w -]{5,60}?)(?=$| that | which | using | based on )(.*)$",
        said,
    )
    if purpose and 1 < len(purpose[1].split()) <= 6 and (purpose[2] or name):
        rest = purpose[2].strip()
        thing = f"{name}, {kind}" if name else kind
        thing = f"{thing} {rest}" if rest else thing
        found.append(Telling(f"{verb} {thing}.", True, "for", f"For {purpose[1]},", made.verb, name, kind))
    does = re.match(r"(?:that|which) ((?!is\b|has\b|can\b|are\b)[a-z]+s) (.+)$", said)
    if name and does:
        found.append(Telling(f"{name} {does[1]} {does[2]}.", False, "is", "", "", name))
    if name and not re.search(r"[a-z]s$", name) and (behind or len(kind.split()) > 4):
        found.append(Telling(f"{name} is {kind}{behind}.", False, "is", "", "", name, kind))
    return found


def _prefixes(text: str) -> list[str]:
    """The text, and the text up to ends of clauses in it, the longest first."""
    ends = [m.start() for m in _ENDS.finditer(text) if m.start() > 12]
    pieces = [text, *(text[:end].rstrip(" ,") for end in reversed(ends))]
    return [piece for piece in pieces if not _BAD_END.search(piece) and len(words(piece)) <= 22]


def _plainly(told: Told, passage: str, title: str, several: bool) -> Telling | None:
    shape: Shape = _SHAPES.get(told.kind, "does") if told.textual else "is"
    text = told.text.rstrip(".")
    lead = (
        told.lead
        if not _POINTS.search(told.lead)
        and len(words(told.lead)) < RUN
        and re.match(r"For |To |In a ", told.lead)
        else ""
    )
    for piece in _prefixes_of(text):
        for front, rest in _turned(piece, lead) if piece == text else [(lead, piece)]:
            telling = Telling(f"{rest}.", told.textual, shape, front, told.verb)
            if free := _free(telling, passage, title, several):
                return free
    return None


_POINTS_BACK = re.compile(r"\b(?:it|its|them|they|their|this|these|those|such)\b")
_POINTS = re.compile(
    r"\b(?:questions?|problems?|challenges?|issues?|gap|first|second|limitations?|effectiveness|this|findings?|observations?|insights?|the two"
    r"|the (?:method|model|approach|framework|algorithm|data|system|task|goal|end|analysis|results?))\b"
)
_END_PHRASE = re.compile(
    r"^(?P<main>[a-z]+ .{12,}?),? (?P<end>(?:by [a-z]+ing|to (?!the\b|a\b|an\b|be\b|both\b|each\b|other\b|all\b)[a-z]+"
    r"(?= (?:the|a|an|[a-z-]+s|[a-z-]+ [a-z-]+s?)\b)|for (?:[a-z-]+ ){1,4}[a-z-]+$|through [a-z-]+|under)\b[^,;]*)$"
)


def _turned(piece: str, lead: str) -> list[tuple[str, str]]:
    """(lead, sentence): as it is; with its last phrase in front; with its lead behind."""
    found = [(lead, piece)]
    if lead:
        if lead.startswith(("To ", "By ", "For ")) and "," not in piece:
            found.append(("", f"{piece} {lead[0].lower()}{lead[1:].rstrip(',')}"))
        return found
    match = _END_PHRASE.match(piece)
    if (
        match
        and not _BAD_END.search(match["main"])
        and not re.search(r"\b(?:that|which|how|whether)\b", match["main"])
    ):
        end = match["end"]
        if end.startswith("to ") and (end.split()[1] not in KNOWN or len(match["main"].split()) < 5):
            return found
        if "that" in end.split():
            return found
        if len(words(end)) >= 3 and not re.search(r"\b(?:and|that|which)\b.*\b(?:that|which)\b", end):
            found.append((f"{end[0].upper()}{end[1:]},", match["main"]))
    return found


def _prefixes_of(text: str) -> list[str]:
    ends = [m.start() for m in _ENDS.finditer(text)]
    if re.search(r"\b(?:whether|how|why|that)\b", text):  # a clause loses its sense with its end
        ends = [end for end in ends if text[end] in ",;:"]
    pieces = [text, *(text[:end].rstrip(" ,") for end in reversed(ends))]
    return [p for p in pieces if not _BAD_END.search(p) and _SHORTEST <= len(words(p)) <= _LONGEST]


def _free(telling: Telling, passage: str, title: str, several: bool) -> Telling | None:
    """In words of its own, and past the gate; None where it cannot be."""
    text = loosened(spelled_out(telling.text, passage, f"{title} {telling.name}"), passage, title)
    lead = loosened(spelled_out(telling.lead, passage, title), passage, title) if telling.lead else ""
    if (
        not text
        or (telling.lead and not lead)
        or not _SHORTEST <= len(words(f"{lead} {text}")) <= _LONGEST + 3
    ):
        return None
    if (
        fault(text, lead, telling.textual, several)
        or _leans(text)
        or _POINTS_BACK.search(lead)
        or _POINTS.search(lead)
    ):
        return None
    return replace(telling, text=text, lead=lead)


_PLURALS = "|".join(
    sorted(KNOWN - {"set", "model", "test", "map", "index", "measure", "frame", "design", "support"})
)


def _leans(text: str) -> bool:
    """A pronoun or a definite noun that the sentence itself has not explained."""
    if re.search(r", (?:achieving|outperforming|yielding|surpassing|demonstrating)\b", text):
        return True
    if re.search(r"\b(?:new|a|an|the),? (?:[\w-]+, )?more (?:" + "|".join(sorted(KINDS)) + r")\b", text):
        return True
    if re.search(
        r"\b(?:" + "|".join(sorted(KINDS)) + r") (?:that|which) (?:[a-z]+ly )?(?:" + _PLURALS + r")\b", text
    ):
        return True
    if re.match(
        r"(?:propose|introduce|present|develop|describe|design|build)s? [A-Z][\w-]+ (?!for\b|to\b|which\b|and\b|that\b)[a-z]",
        text,
    ):
        return True  # "develop A3C algorithm": an article is missing
    if re.search(
        r" with an? [\w-]+\.$|\bto what extent\b|\bbased [\w-]+\.$|\b(?:components|stages|steps|modules|parts)\.$|\bsimpler\b|\bmore effective\b|\bbold idea\b|\ba domain\b",
        text,
    ):
        return True
    if re.search(
        r", (?!and |or |which |where |while |by |using |with |[a-z]+ing )[a-z]+s (?!and )[^,]*\.$", text
    ) and not re.search(r", (?:and|or) [^,]*\.$", text):
        return True  # a list that lost its end
    return bool(
        re.search(
            r"\b(?:these|those|this|such|it|its|they|them|former|latter|above|here|both (?:types|kinds|cases))\b",
            text,
        )
        and not re.search(r"\b(?:that|which|whose|while|and|such as)\b.*\b(?:it|its|those)\b", text)
    ) or bool(re.search(r"\b(?:our|we|us|this|these)\b", text))


def in_number(verb: str, several: bool) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first if several else singular(first)}{' ' + rest if rest else ''}"


def with_verb(telling: Telling, verb: str, several: bool) -> Telling:
    """With another verb of the same sense."""
    old = in_number(telling.verb, several)
    if not telling.textual or not telling.text.startswith(f"{old} "):
        return telling
    return replace(
        telling, text=with_articles(in_number(verb, several) + telling.text[len(old) :]), verb=verb
    )
