"""What a title says, as a phrase that can stand in a sentence.

"KERS: A Knowledge-Enhanced Framework for Dialog Systems" -> name KERS, "a knowledge-enhanced framework for dialog
systems". Titles that are sentences, questions or jokes give nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .contribution import KINDS, NAME
from .grammar import KNOWN, article
from .keyphrases import mid_sentence
from .naming import ARTEFACT
from .sentences import clean, is_rubble
from .vocabulary import GOOD_ING, NOUNS_TOO

Form = Literal["thing", "topic", "doing", "survey", ""]
_LONGEST = 16  # words


@dataclass(frozen=True, slots=True)
class Titled:
    """`text` reads mid-sentence. form "thing": what the paper offers, with its article; "topic": what it is
    about, a noun phrase; "doing": an activity, with its gerund first; "survey": the topic of a survey."""

    name: str
    form: Form
    text: str


# Kinds that stand without an article: "low-rank adaptation", "secure matrix factorization".
_MASS = frozenset("training learning search quantization analysis theory classification generalization evaluation "
                  "simulation representation implementation attack defense design".split())  # fmt: skip
_NOTHING = Titled("", "", "")
_SURVEY = re.compile(
    r"^(?:An? )?(?:[\w-]+ ){0,2}(?:Survey|Review|Overview|Tutorial)(?:(?:,| and) [\w ,-]+?)?(?: (?:of|on|for) |$)",
    re.I,
)
_SENTENCE = re.compile(
    r"[?!]|^(?:beyond|against|without|from|is|are|do|does|can|should|when|where|why|what|how|who|if|think|let|know|say|don|you|your|my|all|not)\b"
    r"|\b(?:is|are|was|were|can|do|does|meets?|needs?|matters?|makes?|benefits?|hurts?|helps?|improves?|boosts?|you|my|your|we|me|it|us)\b",
    re.I,
)
_POOR = re.compile(
    r"(?:Best|Lessons|Results|Vision|Challenges|Theory|From|Towards?|How|What|When|Why|Is|Are|Can|Do|An? (?:Case|Study|New|Review|Survey))\b"
)
_STUDIED = re.compile(
    r"^(?:An? |The )?(?:(?:[\w-]+ )?(?:theoretical|empirical|experimental|systematic|large-scale|comprehensive|comparative|case|unified|formal"
    r"|critical|in-depth|closer) )?(?:analysis|investigation|study|examination|understanding|theory|insights?|exploration|look) "
    r"(?:of|on|into|at|for) |^Understanding (?!and\b)(?=[A-Z]?[a-z])",
    re.I,
)
_LEADS = re.compile(
    r"^(?:towards?|on|about|an? note on|re-?thinking|revisiting|re-?visiting|introducing) ", re.I
)
_PREPOSITIONS = frozenset(
    "for of in on with via from by under over to using through and or at as across".split()
)


def read_title(title: str, texts: str, own: str) -> Titled:
    """`texts` shows how words are written in the middle of a sentence: what is never lower there is a name. `own` is the
    paper's abstract: a title whose words it does not use is a play on words."""
    title = re.sub(
        r"\s*\((?:[A-Z][\w-]{0,11}|[Ee]xtended [Aa]bstract|[Ss]hort [Pp]aper)\)",
        "",
        re.sub("[“”]", "", clean(title)),
    ).strip(":. ")
    name, rest = _split(title, own)
    if not rest or _is_foreign(title) or is_rubble(rest) or len(rest.split()) > _LONGEST:
        return _NOTHING
    head, _, tail = rest.partition(": ")
    if tail and _SURVEY.fullmatch(tail.strip()) and not _SENTENCE.search(head):
        return _made("", "survey", head, texts)
    if tail:
        thing = re.match(r"^An? ", tail) and not name
        rest = tail if (thing and _SENTENCE.search(head)) or not _is_plain(head, own) else head
        if (
            not name
            and len(head.split()) <= 4
            and own
            and not _POOR.match(tail)
            and head.lower() not in own.lower().replace("-", " ")
        ):
            rest = tail
        if not name and 1 < len(head.split()) <= 3 and head.lower() not in own and _introduces(own, head):
            name, rest = head, tail  # what they call their system
    elif not name and len(rest.split()) <= 3 and own and rest.lower() not in own.replace("-", " "):
        return _NOTHING
    if not _is_plain(rest, own):
        return _NOTHING
    surveyed = _SURVEY.match(rest)
    if surveyed and len(rest) > surveyed.end() + 5:
        return _made("", "survey", rest[surveyed.end() :], texts)
    if advances := re.match(
        r"^(?:(?:recent )?advances|progress|open problems)[\w ]*? (?:in|on) ", rest, re.I
    ):
        return _made("", "survey", rest[advances.end() :], texts)
    rest, lead = _LEADS.sub("", rest), bool(_LEADS.match(rest))
    rest = re.sub(r"^[A-Z][a-z]+ly (?=[A-Z]?[a-z]+ing\b)", "", rest)
    if studied := _STUDIED.match(rest):
        return _made("", "topic", rest[studied.end() :], texts)
    rest = re.sub(r"^Learning to (?=[A-Z]?[a-z]+ )", "how to ", rest)
    if _SENTENCE.search(re.sub("^how to ", "", rest)) or "," in rest or "–" in rest or " - " in rest:
        return _NOTHING
    if not rest.split():
        return _NOTHING
    if re.match(r"^An? ", rest):
        return _made(name, "thing", rest, texts) if _head(rest) in KINDS else _made("", "topic", rest, texts)
    first = rest.split()[0]
    if first.lower().endswith("ing") and first.lower() not in GOOD_ING and len(rest.split()) > 2:
        return _made(name, "doing", rest, texts)
    if _has_verb(rest):
        return _NOTHING
    head = _head(rest)
    if head in KINDS and rest.split()[0].lower().endswith("ing") and name:
        return _NOTHING
    if head in KINDS and head not in _MASS and not lead and not rest.startswith("The "):
        return _made(name, "thing", rest, texts)
    return _made("" if lead else name, "topic", re.sub(r"^The ", "the ", rest), texts)


def _is_plain(phrase: str, own: str) -> bool:
    """Whether the abstract uses two of three of its words, by their first letters."""
    stems = [w.lower()[:5] for w in re.findall(r"[A-Za-z]{4,}", phrase) if w.lower() not in _PREPOSITIONS]
    known = own.lower()
    return not own or 3 * sum(stem in known for stem in stems) >= 2 * len(stems)


def _made(name: str, form: Form, text: str, texts: str) -> Titled:
    text = _lowered(text.strip(), texts)
    if (
        len(text.split()) < 2
        or not re.search(r"[a-z]{4}", text.split()[-1] + text.split()[0])
        or text.split()[-1].lower() in _PREPOSITIONS
    ):
        return _NOTHING
    if form == "thing":
        bare = re.sub(r"^an? ", "", text, flags=re.I)
        bare = re.sub(
            r"^(?:(?:simple|practical) and effective|novel|new|simple|efficient|effective|powerful) (?!(?:and|yet|but)\b)",
            "",
            bare,
        )
        text = f"{article(bare)} {bare}"
    return Titled(name, form, text)


_FOREIGN = frozenset(
    "ein eine einer eines einem einen der dem zur zum für und über von mit une un le la les des du pour sur dans avec"
    " el los las una para por del uma um dos das il gli della di".split()
)


def _is_foreign(title: str) -> bool:
    """Whether it is in another language, of which nothing can be made in English."""
    starts = [part.split()[0].lower() in _FOREIGN for part in title.split(": ") if part.split()]
    return any(starts) or sum(word in _FOREIGN for word in title.lower().split()) >= 2


_BEHIND = rf"(?=[,.:;]| \(| (?:an?|the|that|which|for|to|with|and|as|{ARTEFACT})\b)"


def _introduces(own: str, name: str) -> bool:
    """Whether the abstract gives what it makes this name: "COVID-19" has the form of one and is none."""
    called, verb = (
        re.escape(name),
        r"(?:propos|introduc|present|develop|design|releas|describ)(?:e|es|ed|ing|s)?",
    )
    return bool(
        re.search(rf"\b{verb} (?:an? |the |our )?(?:new |novel )?{called}{_BEHIND}", own)
        or re.search(
            rf"\b{verb} [^.]{{3,120}}?(?: \({called}\)|,? (?:called|named|dubbed|termed|namely) {called}\b)",
            own,
        )
        or re.search(rf"\b{verb} [^.]{{0,60}}?\b{ARTEFACT}s?, {called}\b", own)
        or re.search(rf"\b(?:call|name|dub|term) [\w ]{{0,40}}?{called}\b", own)
        or re.search(
            rf"(?<![\w-]){called}(?: \([^)]*\))?(?:,[^,.]*,)? (?:is|was) an? (?:[\w-]+ ){{0,5}}{ARTEFACT}\b",
            own,
        )
        or re.search(
            rf"(?<![\w-]){called} (?:proposes|introduces|offers|provides|puts forward|contributes)\b", own
        )
    )


def _split(title: str, own: str) -> tuple[str, str]:
    """The name before the colon, where it is one that the abstract introduces, and the rest."""
    head, _, rest = title.partition(": ")
    named = re.fullmatch(NAME, head) or (
        len(head.split()) <= 3
        and re.search(r"[a-z][A-Z]|[A-Z]{2}|\d[A-Z]", head)
        and not re.search(r"[a-z]{5}", head)
    )
    if rest and named and _introduces(own, head):
        return head, rest[:1].upper() + rest[1:]
    return "", title


def _head(phrase: str) -> str:
    """The noun that a phrase turns on: the last one before a preposition."""
    stops = "|".join(_PREPOSITIONS - {"and", "or"})
    before = re.split(rf" (?:{stops}|that|based|towards?|against) ", phrase, maxsplit=1, flags=re.I)[0]
    return before.split()[-1].lower()


def _has_verb(text: str) -> bool:
    """A finite verb among the words: "Attention Sinks Hurt Quantization"."""
    tokens = text.split()
    for before, word, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        stem = word.lower().removesuffix("s")
        verb = word.endswith("s") and stem in KNOWN and stem not in NOUNS_TOO | KINDS
        if verb and not {before.lower(), after.lower()} & _PREPOSITIONS:
            return True
    return False


def _lowered(text: str, texts: str) -> str:
    """In mid-sentence spelling: each word as the texts write it there."""
    seen = spelled(texts)
    out = []
    for token in text.split():
        bare = token.strip(",:;()")
        if "(" in bare or not bare:
            out.append(token)
            continue
        if bare.lower() in _PREPOSITIONS | {"the", "a", "an"}:
            out.append(token.lower())
            continue
        if re.search(r"[a-z][A-Z]", bare):
            out.append(token)
            continue
        known = seen.get(bare.lower())
        low = mid_sentence(bare)
        if known and re.search(r"[a-z][A-Z]|^[A-Z]{2}[a-z]", known) and bare[1:] == bare[1:].lower():
            known = None  # "THoracic" explains an acronym
        if known and not (bare.isupper() and len(bare) > 1):
            low = known if known != bare.lower() and not re.search(r"[a-z][A-Z]", bare) else low
        out.append(token.replace(bare, low))
    return " ".join(out)


@lru_cache(maxsize=4)  # every paper of a section asks for the same texts
def spelled(texts: str) -> Mapping[str, str]:
    """How words are written inside sentences, the commonest way; words at the start of one do not count."""
    counts: dict[str, Counter[str]] = {}
    pattern = r"(?<=[a-z,)] )(?<![A-Z][a-z] )[A-Za-z][\w’-]*(?! \(?[A-Z])"  # not one of a row of capitals
    for match in re.finditer(pattern, texts):
        counts.setdefault(match[0].lower(), Counter())[match[0]] += 1
    return {
        low: low
        if low in found or (found.total() < 2 and "-" not in low)
        else max(found, key=lambda w: (found[w], w))
        for low, found in counts.items()
    }
