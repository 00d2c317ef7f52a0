"""As much English grammar as retelling a contribution needs: number of verbs, articles, persons."""

from __future__ import annotations

import re

# Verbs that authors use of themselves, by what they say of the work. The base form.
OFFERING = frozenset(
    "propose introduce present develop design devise describe release build construct create provide "
    "offer contribute "
    "formulate establish give suggest advocate implement define assemble collect curate compile put "
    "outline derive "
    "propound pioneer unveil craft adopt adapt extend generalize generalise combine integrate unify "
    "revisit formalize "
    "formalise reformulate recast cast frame employ use apply leverage exploit utilize utilise "
    "incorporate augment "
    "train learn model address tackle resolve obtain improve enhance complement synthesize synthesise "
    "automate make annotate".split()
)
STUDYING = frozenset(
    "study investigate examine explore analyze analyse evaluate assess compare consider survey review "
    "characterize "
    "characterise discuss benchmark test probe measure quantify ask focus look scrutinize scrutinise "
    "interrogate "
    "inspect audit reexamine re-examine tackle address trace identify systematize systematise chart map "
    "classify "
    "categorize categorise organize organise summarize summarise collate catalogue highlight cover".split()
)
FINDING = frozenset(
    "show demonstrate find prove argue observe reveal discover establish report uncover note conclude "
    "suggest "
    "illustrate verify confirm point hypothesize hypothesise posit conjecture identify explain recommend "
    "motivate".split()
)
KNOWN = OFFERING | STUDYING | FINDING | frozenset("aim seek attempt achieve obtain perform conduct carry "
                                                  "run take go "
    "set enable allow bring draw treat view rethink replace reduce predict generate select retrieve rank "
    "validate support help encode embed fine-tune finetune pretrain pre-train distill distil decompose match "
    "rerank re-rank arrange represent pair scale score judge mark sample edit feed measure cluster align "
    "anchor detect extract index map jointly include add turn convert transform estimate optimize "
    "optimise simulate encourage learn let release publish share open-source experiment try question "
    "challenge connect link bridge relate aggregate transfer initiate detail quantify extend".split())  # fmt: skip

ADVERBS = frozenset(
    "also further then finally first second additionally moreover hence thus therefore subsequently "
    "furthermore next "
    "here now specifically instead again lastly consequently accordingly".split()
)
MANNER = frozenset(
    "jointly empirically theoretically systematically extensively formally rigorously experimentally "
    "explicitly "
    "directly carefully thoroughly comprehensively automatically simultaneously efficiently critically "
    "closely mainly primarily briefly newly successfully analytically numerically quantitatively "
    "qualitatively manually".split()
)
_IRREGULAR = {"have": "has", "be": "is", "are": "is", "do": "does", "go": "goes"}
_BACK = {v: k for k, v in _IRREGULAR.items()} | {"is": "are"}
_PERSONS = (
    (r"\bour own\b", "their own"), (r"\bour\b", "their"), (r"\bOur\b", "Their"), (r"\bours\b", "theirs"),
    (r"\bourselves\b", "themselves"), (r"\bus\b", "them"), (r"\bwe\b", "they"), (r"\bWe\b", "They"),
)  # fmt: skip


def singular(verb: str) -> str:
    """propose -> proposes, study -> studies, address -> addresses."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|sh|ch|x|z)$", verb) else "s")


_STRESSED = frozenset(
    "get set run cut map plan fit put let tag swap drop stop split forget begin infer refer transfer".split()
)


def gerund(verb: str) -> str:
    """propose -> proposing, map -> mapping, see -> seeing, tie -> tying."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1]}ing" if verb in _STRESSED else f"{verb}ing"


_SINGULARS = {singular(verb): verb for verb in KNOWN}


def base(verb: str) -> str | None:
    """The base form of a verb in the third person singular that is known here, else None."""
    return _BACK.get(verb) or _SINGULARS.get(verb)


def agree(verb: str, several: bool) -> str:
    """`verb` (base form or third person) in the number of its subject."""
    plain = base(verb) or verb
    if several:
        return plain
    return verb if base(verb) else singular(plain)


_JOINED = re.compile(
    r"((?:, and|, then|, and then|;| and|,) )((?:also |further |then |finally |[a-z]+ly )?)([a-z-]+)(?= )"
)


def agree_joined(rest: str, several: bool) -> str:
    """Further verbs of the same subject: "a method and shows that …" -> "a method and show that …".

    For a subject whose number changed. A verb after a relative clause has another subject, unless a
    comma or semicolon sets it off."""
    relative = re.search(
        r"\b(?:which|that|who)(?= [a-z-]+s\b)" if several else r"\b(?:which|that|who|where)\b", rest
    )

    def turn(match: re.Match[str]) -> str:
        verb, plain = match[3], base(match[3])
        inside = relative is not None and relative.start() < match.start() and match[1] == " and "
        if inside or (several and (plain is None or plain not in _OWN)):
            return match[0]
        if not several and not _singular_too(verb, rest[match.end() :]):
            return match[0]
        return match[1] + match[2] + (plain or verb if several else singular(verb))

    return _JOINED.sub(turn, rest)


def _singular_too(verb: str, after: str) -> bool:
    """Whether a word behind "and" is surely a verb of the subject: by what follows it."""
    return bool(
        (verb in _OWN and _OBJECT.match(after))
        or (verb in _AIMING and re.match(r" (?:at [a-z]+ing|to)\b", after))
    )


_AIMING = frozenset({"aim", "seek", "attempt", "try"})
_OWN = OFFERING | STUDYING | FINDING
_OBJECT = re.compile(r" (?:that|how|a|an|the|its|their|whether|several|new|two|three)\b")


def in_third_person(text: str) -> str:
    """we/our/us -> they/their/them."""
    for pattern, word in _PERSONS:
        text = re.sub(pattern, word, text)
    return text


_VOWEL = re.compile(r"(?!uni(?!n|dent|mp|ma)|us[aeu]|uti|ubi|eu|one(?![a-z])|once)[aeiou]|hour|honest|heir")
_SPELLED = re.compile(r"[A-Z](?:[A-Z0-9]|\b|-)")


def article(noun: str) -> str:
    """a or an, by the sound that the next word begins with."""
    if _SPELLED.match(noun) and not re.match(r"(?=.*[AEIOU])[A-Z]{4,}", noun):  # BERT is said as a word
        return "an" if noun[0] in "AEFHILMNORSX" else "a"
    return "an" if _VOWEL.match(noun.lower()) else "a"


_PRAISE = re.compile(
    r"\b(an?) (?:novel|new and effective|simple yet (?:\w+ly )?(?:effective|powerful)"
    r"|simple but (?:\w+ly )?effective|effective yet simple"
    r"|simple and effective|innovative|groundbreaking|cutting-edge|powerful|pioneering|powerful new"
    r"|elegant)(?:,| and| yet)? (?=(\S+))"
)
_BARE_PRAISE = re.compile(
    r"\b(?:novel|innovative|groundbreaking|cutting-edge|pioneering)(?:,| and| yet)? (?=[a-zA-Z])"
)
_ADVERB_PRAISE = re.compile(
    r"\b(?:significantly|substantially|greatly|remarkably|dramatically|drastically) (?=[a-z])"
)


def without_praise(text: str) -> str:
    """ "a novel, simple yet effective method" -> "a method": the authors' praise is not ours to repeat."""
    before = ""
    while before != text:
        before = text
        text = _PRAISE.sub(lambda m: f"{article(m[2])} ", text)
    return _ADVERB_PRAISE.sub("", _BARE_PRAISE.sub("", text))


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(items: list[str] | tuple[str, ...]) -> str:
    """a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
