"""A sentence in which authors speak of their own work, retold with the authors as its subject.

"In this paper, we propose a retriever." -> text "propose a retriever.", to stand after the citation.
Nothing is added: words are left out (lead-ins, praise), turned (we -> they) or put into the right number.
What cannot be retold safely is given up (None), never guessed.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .grammar import (
    ADVERBS,
    FINDING,
    KNOWN,
    MANNER,
    OFFERING,
    STUDYING,
    agree_joined,
    base,
    in_third_person,
    singular,
    upper_first,
    without_praise,
)
from .sentences import is_rubble, words
from .standalone import (
    DANGLING,
    EMPTY,
    LISTED,
    NUMBERS,
    WORK,
    Kind,
    Told,
    fits,
    is_dangling,
    is_mine,
    trimmed,
)

SUBJECT = re.compile(
    rf"(?P<we>\b[Ww]e\b|\b[Tt]he authors\b)|(?P<it>(?<![Ii]n )(?<![Tt]hrough )(?<![Ww]ith )\b(?:[Tt]his"
    rf"|[Tt]he|[Tt]he present|[Oo]ur) (?P<genre>{WORK})\b(?! (?:of|on|from|by|in|that|we)\b))"
)

_HERE = re.compile(
    rf"^(?:[Ii]n|[Tt]hrough|[Ww]ith) (?:this|the present|our) (?:\w+ )?{WORK},? ?|^Here,? |^(?:To"
    rf"|to) (?:this|that) end,? |^In (?:response to|light of|view of) (?:this|these|those|such) [^,]{{3,40}}, "
)

CONNECTIVE = re.compile(
    r"^(?:For one|For example|For instance|However|Moreover|Furthermore|Additionally|In addition|Specifically"
    r"|In particular|Finally|Lastly"
    r"|First|Second|Firstly|Secondly|Third"
    r"|Then|Thus|Hence|Therefore|Consequently|Accordingly|Concretely|More specifically|Further|Notably"
    r"|Importantly|Also|Next|Meanwhile|Instead"
    r"|As a result|As such|In response|Alternatively|Overall|In summary|In short|To summarize"
    r"|More precisely|Nevertheless|Nonetheless|Subsequently"
    r"|More concretely|Building on this|Motivated by this|Inspired by this|In contrast|On the other hand"
    r"|But|Yet|So|And|Recently|Technically"
    r"|In detail|To be specific|For this purpose|To do so|Towards this end|Toward this end)(?:,| (?=we\b"
    r"|this\b|the (?:paper|authors)\b|$)) ?",
)

_KEPT_LEAD = re.compile(
    r"^(?:Inspired by|Motivated by|Building (?:up)?on|Based on|Drawing on|To [a-z]+|By [a-z]+ing|Using"
    r"|With|Through|Leveraging|Rather than"
    r"|Starting from|Taking|Focusing on|For|In the context of|Under|Given)\b(?!.*\b(?:the|a) (?:problem"
    r"|issue|gap|challenge|limitation|defect|question|difficult(?:y|ie)|need|shortcoming"
    r"|drawback)s?\b(?! of))"
)

_RESTRICTIVE = re.compile(
    r"^(?:If|When|Whenever|Under|Assuming|For|Given|Unless|On|In|At|With|Where|Within|Among|Across|Over"
    r"|Via)\b"
)

GIVING = frozenset(
    "propose introduce present develop design devise describe build release create construct offer".split()
)

_IDLE = frozenset(
    "go carry achieve obtain set bring aim seek attempt run publish share open-source try hope believe "
    "conduct perform".split()
)


def retell(sentence: str, several: bool, own: bool = False) -> Told | None:
    """The sentence as told of its authors; `several`: there is more than one (or it is not known).
    `own`: the authors tell it themselves, so the first person stays."""
    sentence = re.sub(
        r"\s?\((?:[^()]*\b(?:19|20)\d\d[a-z]?|e\.g\.[^()]*|i\.e\.[^()]*|[^()]*%[^()]*)\)", "", sentence
    ).strip("“” ")
    sentence = LISTED.sub(".", sentence)
    if is_rubble(sentence) or NUMBERS.search(sentence) or sentence[-1:] != ".":
        return None
    told = _of_authors(sentence, several) or _subjectless(sentence, several)
    if told and not own:
        told = replace(told, text=in_third_person(told.text))
    return told if told and fits(told.text, own) else None


def _of_authors(sentence: str, several: bool) -> Told | None:
    subject = SUBJECT.search(sentence[:220])
    if not subject:
        return None
    before = sentence[: subject.start()]
    lead = _lead(before, subject["genre"])
    if lead is None:
        return None
    return _told(sentence, sentence[subject.end() :], lead, several, was_singular=bool(subject["it"]))


_OWN_GENRE = re.compile(r"\b[Ii]n this (\w+)")
_GENRES = ("survey", "tutorial", "thesis", "review")


def _lead(before: str, genre: str | None) -> str | None:
    """What stands before the subject, as far as it is to stay; None where leaving it out would lie."""
    if before and not before.endswith((", ", " ")):
        return None
    opening, previous = before, None
    while previous != before:
        previous = before
        before = upper_first(_HERE.sub("", CONNECTIVE.sub("", before)))
    before = re.sub("^In order to ", "To ", before.strip().removesuffix(",").strip())
    if re.match(r"^To \w+ (?:the|both|all) [\w-]+$", before):
        return ""
    if not before:
        said = (genre or "").split()[-1:] or _OWN_GENRE.findall(opening)
        return f"In a {said[0]}," if said and said[0] in _GENRES else ""
    if re.search(r"\b(?:that|which|whether|how|because)$|\b(?:show|find|believe|demonstrate)\b", before):
        return None
    if (
        _KEPT_LEAD.match(before)
        and not DANGLING.search(before)
        and len(words(before)) <= 14
        and not is_mine(before)
    ):
        return f"{without_praise(before)},"
    return None if _RESTRICTIVE.match(before) or not re.search(r",|^To ", previous) else ""


def _subjectless(sentence: str, several: bool) -> Told | None:
    """ "Introduces a retriever, which …": a note's style, the paper being understood."""
    first = re.match(r"([A-Z][a-z-]+) ", sentence)
    verb = first and base(first[1].lower())
    if not first or not verb or verb not in OFFERING | STUDYING | FINDING or verb == "note":
        return None
    if (
        not re.match(r"(?:an?|the|that|how|whether|and|[A-Z][\w-]*,) ", sentence[first.end() :])
        and verb in _NOUNS
    ):
        return None  # "Models have …"
    rest = sentence[0].lower() + sentence[1:]
    return _told(sentence, " " + rest, "", several, was_singular=True)


_NOUNS = frozenset(
    "model survey benchmark design support measure review test train probe map focus address report release use study find show".split()
)


def _stem(verb: str) -> str:
    """The base form of a third person singular that is not known here."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return re.sub(r"(?<=ss|sh|ch)es$|(?<=x)es$|(?<=[^s])s$", "", verb)


def _told(source: str, clause: str, lead: str, several: bool, was_singular: bool) -> Told | None:
    match = _predicate(clause)
    if not match:
        return None
    verb, rest = match
    plain = _present(verb) or ((base(verb) or _stem(verb)) if was_singular else verb)
    plain, rest = _by_doing(plain, trimmed(rest))
    kind = _kind(plain, rest)
    if kind == "offer":
        rest = _POINTING_END.sub(".", rest)
    if is_dangling(rest):
        plain, rest = _second_verb(rest)
        kind = _kind(plain, rest) if plain else None
    if (
        not kind
        or EMPTY.search(rest.strip())
        or (kind == "study" and re.search(r"extensive experiments|the effectiveness of", rest))
    ):
        return None
    if several == was_singular:
        rest = agree_joined(rest, several)
    text = _modest(f"{plain if several else singular(plain)}{rest}")
    return Told(text, True, kind, source, lead, plain, _is_secondary(source))


def _modest(text: str) -> str:
    """Without praise near its start; farther on the source is quoted, with every word."""
    head = re.match(r"(?:\S+ ){0,8}\S+", text)
    cut = head.end() if head else 0
    return f"{without_praise(text[:cut])}{text[cut:]}"


_POINTING_END = re.compile(
    r"(?<=\w\w)(?: (?:for|in|to|on|under|of|from|by|with|into)| that \w+| to \w+| of \w+)+ (?:this|these"
    r"|those|such) .*$"
)

_BY_DOING = re.compile(
    r"^ (?:this|these|the|both|such) [\w -]{0,40}? by (proposing|introducing|presenting|developing"
    r"|designing|building)( .+)$"
)


def _by_doing(verb: str, rest: str) -> tuple[str, str]:
    """ "address this problem by proposing a method" -> "propose a method"."""
    match = _BY_DOING.match(rest)
    if not match:
        return verb, rest
    stem = match[1].removesuffix("ing")
    return stem if stem in KNOWN else stem + "e", match[2]


def _second_verb(rest: str) -> tuple[str, str]:
    """What is left of "consider these as one, and propose a network" once its first verb cannot stand."""
    match = re.search(
        r"(?:,| and|, and)(?: then)? (propose|introduce|present|develop|design|devise)s?( (?:an?|the|new"
        r"|novel|two|three) .+)$",
        rest,
    )
    return (match[1], match[2]) if match and not is_dangling(match[2]) else ("", rest)


def _is_secondary(source: str) -> bool:
    start = " ".join(source.split()[:12])
    return bool(
        re.search(
            r"\b(?:also|further|finally|additionally|moreover|furthermore|then|lastly|addition|example"
            r"|part|validate)\b",
            start,
            re.I,
        )
    )


def _predicate(clause: str) -> tuple[str, str] | None:
    """The first verb that is known, past adverbs that mean nothing outside their paragraph, and the rest."""
    found = re.match(r"^ ((?:[a-z]+(?:ly)?,? )*?)([a-z][a-z-]+)([ ,:;].*)$", clause)
    bare = True  # right after the subject stands a verb, known here or not
    while found:
        verb = found[2]
        if verb in _NO_VERB - ADVERBS or verb.endswith("-"):
            return None
        if (
            verb in KNOWN or base(verb) or _present(verb) or (bare and _any_verb(verb))
        ) and verb not in ADVERBS | MANNER:
            return verb, found[3]
        if verb not in ADVERBS | MANNER and not verb.endswith("ly"):
            return None
        bare = False
        found = re.match(
            r"^ ()([a-z][a-z-]+)([ ,:;].*)$",
            found[3].replace(", ", " ", 1) if found[3].startswith(",") else found[3],
        )
    return None


def _any_verb(word: str) -> bool:
    return (
        word not in _NO_VERB
        and "-" not in word
        and not word.endswith(("ly", "ed", "ing"))
        and (len(word) > 2)
    )


_NO_VERB = frozenset(
    "are is was were have has had can could may might must will would should shall do does did not also "
    "then now here first hope believe know and or but who which that whose themselves need want plan wish "
    "like think feel appear seem only".split()
)


def _present(verb: str) -> str:
    """proposed -> proposes, where that is a verb known here."""
    stems = (verb.removesuffix("d"), verb.removesuffix("ed"), re.sub("ied$", "y", verb))
    return next((stem for stem in stems if verb.endswith("ed") and stem in KNOWN), "")


_A_STUDY = re.compile(
    r"^ (?:out )?an? (?:[\w-]+ ){0,4}(?:study|analysis|evaluation|survey|comparison|investigation|review)\b"
)


def _kind(verb: str, rest: str) -> Kind | None:
    if verb in ("conduct", "perform", "carry") and _A_STUDY.match(rest):
        return "study"
    if verb in GIVING or verb in OFFERING - STUDYING - FINDING:
        return "offer"
    if verb in STUDYING:
        return "study"
    if verb in FINDING:
        return "find"
    return "act" if verb not in _IDLE else None
