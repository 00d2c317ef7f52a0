"""Names of nobody and nothing that was given, standing in a sentence as people do.

What no passage, title or draft names cannot be told of anyway: whether "Halloran" is a person or a system,
the sentence has no ground. Let pass are names that describe ("Sinkhorn iterations"), that stand in a list of
examples, that something is done with ("using Orion"), and those formed as systems are ("Matformer")."""

from __future__ import annotations

import re

from .names import NAME, NO_NAME, UPPER, Names, words_of
from .surnames import FREQUENT
from .things import EPONYMS, WELL_KNOWN
from .tongue import has_cased_nouns, is_in

_QUOTES = tuple("'’‘“\"")
_WORD = re.compile(NAME)
_DOES = (
    r"makes?|made|calls?|remains?|was|is|were|are|has|had|have|did|does|do|can|could|would|will|may|might|must|should"
    r"|gave|gives?|took|takes?|keeps?|kept|began|begins?|buil(?:t|ds?)|goes|went|says?|said|writes?|wrote|sees?|saw|holds?"
    r"|held|thinks?|thought|finds?|found|shows?|agrees?|prunes?|sorts?|ranks?|trains?|drops?|applies|apply|adopts?|improves?"
    r"|extends?|computes?|predicts?|solves?|considers?|explores?|relies|rely|requires?|follows?|leads?|led|proves?|derives?"
    r"|explains?|learns?|reads?|teaches|taught|draws?|drew|puts?|tells?|told|asks?|objects|differs?|departs?|warns?|notes"
    r"|(?:[a-z]+ly )?(?:handles|provides|produces|proposes|introduces|generates|optimi[sz]es|minimi[sz]es|reduces|increases|combines|constructs"
    r"|develops|describes|evaluates|examines|formulates|identifies|illustrates|implements|integrates|investigates|maintains"
    r"|obtains|performs|presents|prevents|recovers|removes|replaces|represents|retrieves|rewrites|selects|separates"
    r"|simplifies|stores|suggests|tackles|translates|validates|verifies|deletes|inserts|chooses|compares|concludes"
    r"|contributes|creates|deals|defines|demonstrates|detects|determines|discusses|distinguishes|divides|embeds|enforces"
    r"|establishes|exploits|fits|focuses|generali[sz]es|infers|inspects|joins|leaves|merges|modifies|observes|operates"
    r"|outlines|parses|picks|prefers|prepares|quantifies|reali[sz]es|rejects|relaxes|restricts|reveals|reviews|runs"
    r"|shares|specifies|studies|summari[sz]es|tries|unifies|visuali[sz]es|weighs|quotes|starts|stops|turns|revisits|revives)"
    r"|counts|cuts|uses|lets|treats|turns|works|looks|moves|splits|spends?|spent|wants?|does|owes?|won|lost|sought|seeks?"
    r"|[a-z]{3,}(?<!eed)(?<!based)(?<!distributed)(?<!type)ed(?= (?:the|an?|that|this|these|it|its|to|how|why|in|by|two|weights)\b)"
    r"|[a-z]{3,}s(?= (?:the|an?|this|these|it|its|them|how|why|whether|no|all|each|both|two|three)\b)"
)
_ALONE = re.compile(  # what stands behind a name that is the matter itself
    r"(?:\s?[’']s?(?=\s*(?:$|[.,;:)])))?\s?(?:$|[.,;:)!?—–\]](?!\d)|- )"
    r"| \((?:see |[A-Z][a-z]+\))| \d\d[a-z]?(?=[;,)\]])| & Co\b"
    r"|\s?[’']s (?!(?:theorem|lemma|law|test|algorithm|inequality|rule|kappa|distance|method|equation)\b)"
    r"|,? (?:and|&|or|but|nor|et|und|y|e|och|og|with|together|in|at|on|for|to|from|of|who|whose|that|as|also|first|then|later"
    r"|once|never|not|already|still|before|after|since|because|while|therefore|however|thus|if|when|where|so|style|among|himself|herself|Jr|Sr"
    rf"|I{{2,3}}|IV|{_DOES})\b"
)
_INITIALS_BEHIND = re.compile(r" [A-Z]{1,2}(?:,|\. ?(?=[\w&,]))")
_PEOPLE = re.compile(
    r"\b(?:critics|authors|researchers|scholars|scientists|groups|teams|people|pioneers|economists|linguists|physicists|mathematicians"
    r"|statisticians|engineers|writers|theorists|philosophers|colleagues|labs|laboratories|others|some|few|many),? (?:such as|like|including|namely)\b"
)
_IS_A = re.compile(  # said of things
    rf"(?:(?:, {NAME})*,? (?:and|&|or) {NAME})? (?:is|are|was|were) (?:(?:the|an?|both|two|one of) |[a-z]+s\b)(?!(?:first|standard|authors?|originators?|rivals|pioneers)\b)"
)
_AS_EXAMPLE = re.compile(
    r"\b(?:such as|like|including|e\.\s?g\.,?|i\.\s?e\.,?|namely|using|us(?:es?|ed in|e of)|extend(?:s|ing|ed)?|support(?:s|ing)?"
    r"|employ(?:s|ing)?|outperform(?:s|ing)?|run(?:s|ning)?|via|except|accelerat\w+|named|dubbed|termed|called|built upon|the design of"
    r"|trained on|evaluated on|tested on|implemented in|datasets?|benchmarks?|models?|systems?|frameworks?|tools?|librar(?:y|ies)"
    r"|algorithms?|baselines?|solvers?|games?|corpora|corpus|language|platforms?)"
    r"(?:,? (?:and |or |both |the )?[\w()+.-]+){0,6},? (?:and |or |the )?$|\b(?:[Tt]he|[Aa]n?) $",
)
_SYSTEM = re.compile(
    r"(?:former|framer|solver|net|bert|gpt|gen|bench|cost|trees?|diff|llm|eval|rank|seg|flow|graph|mark|gram|script|base"
    r"|board|book|byte|chain|cloud|code|core|craft|data|dog|drive|fish|lab|lens|link|lite|lock|loop|map|media|mind|nano|node"
    r"|pack|path|play|plex|point|port|search|shot|space|stack|store|stream|sync|tech|text|tune|verse|view|vision|ware|wave"
    r"|wiki|wise|word|works?|zip|oid|ix|ium|tron)$",
    re.IGNORECASE,
)
_ENDING = re.compile(  # how words end that begin a sentence
    r"(?:ing|ings|ly|ed|tions?|sions?|ments?|ity|ities|ness|isms?|ists?|able|ible|ive|ives|ical|ous|ized|ised|ors|ers|ences?"
    r"|ances?|ward|wise|less|ful|gies|phies|cies|ics|sets|dated|grams|words|works|forms|types|scale|level|shot|time|end|wide"
    r"|ish|ese|ian|ians|ean)$"
)


def names_strangers(text: str, names: Names) -> bool:
    """In a draft's German every noun is capitalised, and no language but English has its openers known here: there names
    stand out less, and only beside years, brackets and the like (`handwritten`)."""
    other = bool(names.tongue) and is_in(text, names.tongue)
    if other and has_cased_nouns(names.tongue):
        return False
    found = (match for match in _WORD.finditer(text) if match.start() or not other or _is_frequent(match[0]))
    return any(_is_stranger(match, text, names) for match in found)


def _is_frequent(name: str) -> bool:
    return not FREQUENT.isdisjoint(words_of(re.sub(r"[’']s?$", "", name))[-1:])


def _is_stranger(match: re.Match[str], text: str, names: Names) -> bool:
    name, after = match[0], text[match.end() :]
    last = (words_of(re.sub(r"[’']s?$", "", name)) or [""])[-1]
    if not names.is_person(re.sub(r"[’']s?$", "", name)):
        return False
    before = text[: match.start()]
    if before[-1:] in _QUOTES or _of_more_words(before, names) or _among_things(before, after, name):
        return False
    if re.search(r"(?:^|-)\w(?:-|$)", name) or (_SYSTEM.search(last) and last not in FREQUENT):
        return False
    owner = re.search(r"[’']s?$", name)
    if last in EPONYMS | WELL_KNOWN:
        return False
    if _INITIALS_BEHIND.match(after) or (_PEOPLE.search(before) and re.match(r"[,.;)]| and| or|$", after)):
        return True
    if last in FREQUENT and re.match(r" \(|\s?[’']s?\b", after):
        return True
    if not _ALONE.match(("’s" if owner else "") + after):
        return False
    if last not in FREQUENT and _IS_A.match(after):
        return False
    if match.start() == 0:
        return last in FREQUENT or not _ENDING.search(last)
    if last not in FREQUENT and _describes(name, text):
        return False
    return not _AS_EXAMPLE.search(before)


def _among_things(before: str, after: str, name: str) -> bool:
    """Inside parentheses beside what no person is called, or as the owner of something: "(LeCun's digits)"."""
    opened = before.rfind("(")
    if opened < 0 or ")" in before[opened:]:
        return False
    inside = before[opened:] + name + after.partition(")")[0]
    return bool(re.search(r"[’']s$", name) or re.search(r"\b[a-z]+[A-Z]|\b[A-Z]{2,}|[A-Za-z]\d", inside))


def _of_more_words(before: str, names: Names) -> bool:
    """The end of a name of words that abstracts use: "Optimal Brain Damage"."""
    found = re.search(rf"(?:^|\s|\()([{UPPER}][^\W\d_]{{2,}}) $", before)
    if not found or found[1].casefold() in NO_NAME:
        return False
    word = found[1].casefold()
    return names.is_common(word) and word not in FREQUENT


def _describes(name: str, text: str) -> bool:
    """Elsewhere in the sentence it stands before what it names: "the Spartan protocol"."""
    return bool(
        re.search(
            rf"\b{re.escape(name)} (?:protocol|model|dataset|benchmark|system|framework|proofs|data)\b", text
        )
    )
