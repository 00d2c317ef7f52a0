"""Rewritings that keep what a sentence says: pairs of a pattern and what stands in its place."""

from __future__ import annotations

import re
from collections.abc import Callable

from .grammar import KNOWN, MANNER, base
from .thesaurus import ing_form, substitutions
from .turns import CLAUSE_VERB

Rewriting = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_PHRASES = (
    (r"\bthat, ((?:on|in|for|under|with) [^,.]{4,50}), ([^,.]+)\.$", r"that \2 \1."),
    (r"\blarge language models?(?: \(LLMs?\))", "LLMs"), (r"\b[Ll]arge language models\b", "LLMs"),
    (r"\blarge language model\b", "LLM"), (r"\bnatural language processing(?: \(NLP\))?", "NLP"),
    (r"\bdeep neural network", "deep network"), (r"\bconvolutional neural network(s?)(?: \(CNNs?\))?", r"CNN\1"),
    (r"\bgraph neural network(s?)(?: \(GNNs?\))?", r"GNN\1"), (r"\bartificial intelligence(?: \(AI\))?", "AI"),
    (r" \([A-Z][A-Za-z-]{1,7}\)", ""), (r"\breinforcement learning(?: \(RL\))?", "RL"),
    (r"\bgenerative adversarial network(s?)(?: \(GANs?\))?", r"GAN\1"),
    (r"\bin order to\b", "to"), (r"\bas well as\b", "and"), (r"\bsuch as\b", "like"),
    (r"(?<!ed )(?<!ly )\bbased on\b", "on the basis of"), (r"\bvia\b", "through"), (r"(?<!by )(?<!that )(?<!and )(?<!of )(?<!when )(?<!for )(?<!, )\busing\b", "by means of"),
    (r"\bacross\b", "over"), (r"\bwith respect to\b", "with regard to"), (r"\bin terms of\b", "in"),
    (r"\bconsisting of\b", "made up of"), (r"\bcomprising\b", "made up of"), (r"\bcontaining\b", "with"),
    (r"\bconsists of\b", "is made up of"), (r"\bcomprises\b", "contains"), (r"\brather than\b", "instead of"),
    (r"\binstead of\b", "rather than"), (r"\bdesigned (to|for)\b", r"meant \1"), (r"\baims to\b", "is meant to"),
    (r"\bthat (?:enables|allows) ([\w -]{3,40}?) to\b", r"that lets \1"), (r"\bin which\b", "where"),
    (r"\ba (?:wide |broad )?(?:range|variety) of\b", "many"), (r"\b(?:various|diverse|numerous)\b", "many"),
    (r"\bboth (?=[\w -]+ and\b)", ""), (r"\ba single\b", "one"), (r"\ba set of\b", "a group of"), (r"\bduring\b", "in the course of"),
    (r"(?<=[a-z]{3}) to (?=(?:improve|reduce|enhance|increase|lower|better|ensure|achieve|obtain|avoid|learn|build)\b)", " so as to "),
    (r"\ba (?:large )?number of\b", "many"), (r"\bthe entire\b", "the whole"),
    (r"\b(?:existing|previous|prior) (?=(?:[\w-]+ )?(?:method|approach|work|model|system|technique|algorithm|benchmark|stud|solution)[a-z]*\b)", "earlier "), (r"\bin the context of\b", "in"),
    (r"\bin the presence of\b", "under"), (r"\bthe (?:problem|task|challenge|issue) of (?=[a-z]+ing\b)", ""),
    (r"\bthe (?:challenge|issue) of\b", "the problem of"),
    (r"\bwithin\b", "inside"), (r"\bability to\b", "capacity to"),
    (r"\bconditioned on\b", "given"), (r"\bin an? ([\w-]+) manner\b", r"in a \1 way"),
    (r"\b(an? (?:[\w-]+ ){1,2})approach (?=(?:for|that|which)\b)", r"\1method "),
    (r"\bcharacteristics\b", "properties"), (r"\bprocedure\b", "process"),

    (r"\bfocuses on\b", "concentrates on"), (r"(?:(?<=^)|(?<= to )|(?<= that )|(?<= which )|(?<=[Tt]hey ))focus on\b", "concentrate on"), (r"\bsubject to\b", "under"),

    (r"\bon the fly\b", "at run time"),
    (r"\bpre-trained\b", "pretrained"),
    (r"\bcorresponding\b", "matching"), (r"\bso as to\b", "to"),
    (r"\bas opposed to\b", "instead of"),
    (r"\bby (?=[a-z]+ing\b)", "through "), (r"\bthrough (?=[a-z]+ing\b)", "by "),
    (r"\btechnique(s?)\b", r"method\1"), (r"\bmethodolog(?:y)\b", "method"),
    (r"\bdatasets\b", "data sets"), (r"\btowards\b", "toward"),
)  # fmt: skip
# Praise and padding, which may go without anything being lost.
_SPARE = (
    r"(?<!and )(?<!not )\b(?:effectively|significantly|easily|successfully|seamlessly|carefully|greatly|simply|empirically) (?!and\b)",
    r"(?<!more )(?<!most )(?<!and )(?<!yet )(?<!, )(?<![-’])\b(?:accurate and efficient|efficient and (?:effective|accurate|scalable)"
    r"|effective and efficient|novel|powerful|comprehensive|extensive|innovative|well-known) (?!and\b|yet\b|but\b)(?=[a-z])",
    # what is a term elsewhere ("key exchange", "efficient market") is praise before what is offered
    r"(?<=\ba )(?:new|simple|efficient|effective|robust|scalable|practical|unique|systematic|highly efficient) (?=(?:[a-z-]+ )?(?:framework|method"
    r"|approach|algorithm|model|system|technique|pipeline|architecture|solution|strategy|tool)\b)",
    r"(?<=\ban )(?:efficient|effective) (?=(?:[a-z-]+ )?(?:framework|method|approach|algorithm|model|system|technique|pipeline|architecture"
    r"|solution|strategy|tool)\b)",
)
_ADJECTIVE = r"[a-z-]+(?:al|ive|ic|ed|ar|ous|able|ent|ant|ary)"
_BEHIND = r"(?=[,.;]| (?:that|for|in|with|to|of|by|on|from)\b)"


def _swapped_items(match: re.Match[str]) -> str:
    """The last two of a list in the other order, where both are plain nouns."""
    one, other = match[1], match[2]
    return (
        match[0]
        if _NO_ITEM.search(f"{one} {other}") or len(one.split()) != len(other.split())
        else f", {other}, and {one}"
    )


_NO_ITEM = re.compile(
    r"\b(?:to|for|of|in|on|by|with|that|which|is|are|can|from|the|a|an|its|their|then|thus|[a-z]+ing|[a-z]+ed)\b"
)


_NO_OWNED = frozenset(
    "set number kind basis course case context presence absence use help aim sense light form type role lack part end".split()
)


def _genitive(match: re.Match[str]) -> str:
    """ "the task of the challenge" -> "the challenge’s task"."""
    owner = match[2]
    if _NO_ITEM.search(owner) or " and " in owner or owner.endswith("s") or match[1].split()[-1] in _NO_OWNED:
        return match[0]
    return f"the {owner}’s {match[1]}"


_WORDS = substitutions()
# Adverbs without which the same is said; any other may tell: "weakly supervised", "differentially private".
_EMPTY = frozenset("actually basically carefully clearly considerably crucially dramatically drastically easily "
                   "effectively efficiently essentially greatly importantly notably really remarkably seamlessly "
                   "significantly simply substantially successfully".split())  # fmt: skip


def _without_adverb(match: re.Match[str]) -> str:
    before = match.string[: match.start()].split()[-1:]
    bound = before in (["and"], ["or"], ["more"], ["most"], ["as"], ["not"])
    return "" if match[1] in _EMPTY and not bound else match[0]


def _relative(match: re.Match[str]) -> str:
    """ "that clusters vertices" -> "clustering vertices"."""
    if CLAUSE_VERB.search(match.string[: match.start()]):
        return match[0]
    plain = base(match[1]) or (match[1] if match[1] in _MOVING else None)
    if re.search(r"\band (?:[a-z]+ly )?[a-z]+s\b|, [a-z]+s\b", match.string[match.end() :]):
        return match[0]  # a second verb may depend on it
    return f" {gerund(plain)} " if plain and plain in _MOVING else match[0]


def _purpose(match: re.Match[str]) -> str:
    """ "a method to detect faces" -> "a method for detecting faces"."""
    return f"{match[1]} for {gerund(match[2])} " if match[2] in _MOVING else match[0]


def _purpose_back(match: re.Match[str]) -> str:
    plain = _GERUNDS.get(match[2])
    return f"{match[1]} to {plain} " if plain else match[0]


def gerund(verb: str) -> str:
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]|control|transfer", verb):
        return f"{verb}{verb[-1]}ing"
    return ing_form(verb)


_MOVING = KNOWN - MANNER - frozenset("be have do go see".split())
_GERUNDS = {gerund(verb): verb for verb in _MOVING}
GERUNDS = _GERUNDS
_TOOL = (
    r"\b(framework|method|way|model|approach|algorithm|system|strategy|tool|mechanism|pipeline|scheme|network|agent"
    r"|technique|architecture|paradigm|process)"
)


def _all() -> tuple[Rewriting, ...]:
    pairs: list[tuple[str, str]] = [(spare, "") for spare in _SPARE]
    pairs += _PHRASES
    pairs.append((rf"\b({_ADJECTIVE}) and ({_ADJECTIVE})(?= [a-z]+)", r"\2 and \1"))
    pairs.append(
        (rf"\b(of|for|in|on|between|with|from) ([a-z-]{{4,}}) and ([a-z-]{{4,}}){_BEHIND}", r"\1 \3 and \2")
    )
    turned: list[Rewriting] = [
        (
            re.compile(rf"(?<![-\w])({'|'.join(sorted(_WORDS))})\b(?!-)(?! (?:of|\d|[a-z]+ing\b))"),
            lambda m: _WORDS[m[1]],
        ),
        (re.compile(r" ([a-z]{4,}ly)(?= [a-z])(?! and\b)"), _without_adverb),
        (re.compile(r" that ([a-z]+) (?=[a-z])"), _relative),
        (re.compile(r", ([a-z-]+(?: [a-z-]+){0,2}),? and ([a-z-]+(?: [a-z-]+){0,2})(?=\.$)"), _swapped_items),
        (
            re.compile(
                r"\bthe ([a-z-]+(?: [a-z-]+)?) of the ([A-Za-z0-9-]+(?: [A-Za-z0-9-]+){0,2})"
                r"(?=[.,]| (?:for|in|by|with|to|that|from|using)\b)"
            ),
            _genitive,
        ),
        (re.compile(_TOOL + r" to ([a-z]+) "), _purpose),
        (re.compile(_TOOL + r" for ([a-z]+ing) "), _purpose_back),
    ]
    return (*turned, *((re.compile(pattern), by) for pattern, by in pairs))


REWRITINGS = _all()
