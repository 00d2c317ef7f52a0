"""A sentence in which authors speak of their own work, retold with the authors as its subject.

"In this paper, we propose a retriever." -> text "propose a retriever.", to stand after the citation.
Nothing is added: words are left out (lead-ins, praise), turned (we -> they) or put into the right number.
What cannot be retold safely is given up (None), never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

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

Kind = Literal["offer", "study", "find", "act", "name", "statement"]
_LONGEST = 46  # words of a retold sentence
_SHORTEST = 5


@dataclass(frozen=True, slots=True)
class Told:
    """`text` as in `Sentence`; `kind` says what the sentence does; `source` is what it was made from."""

    text: str
    textual: bool
    kind: Kind
    source: str
    lead: str = ""
    verb: str = ""  # base form
    secondary: bool = False  # "we also …": not what the paper is chiefly about


_WORK = r"(?:(?:position |literature |systematic |technical |demonstration |task |empirical |short |large-scale )?(?:paper|audit|work|article|study|research|analysis|description|survey|review|report|thesis|letter|note|tutorial|chapter|manuscript|dissertation|monograph))"
_SUBJECT = re.compile(
    rf"(?P<we>\b[Ww]e\b|\b[Tt]he authors\b)|(?P<it>(?<![Ii]n )(?<![Tt]hrough )(?<![Ww]ith )\b(?:[Tt]his|[Tt]he|[Tt]he present|[Oo]ur) (?P<genre>{_WORK})\b(?! (?:of|on|from|by|in|that|we)\b))"
)
_HERE = re.compile(rf"^(?:[Ii]n|[Tt]hrough|[Ww]ith) (?:this|the present|our) (?:\w+ )?{_WORK},? ?|^Here,? |^(?:To|to) (?:this|that) end,? ")
_CONNECTIVE = re.compile(
    r"^(?:However|Moreover|Furthermore|Additionally|In addition|Specifically|In particular|Finally|Lastly|First|Second|Firstly|Secondly|Third"
    r"|Then|Thus|Hence|Therefore|Consequently|Accordingly|Concretely|More specifically|Further|Notably|Importantly|Also|Next|Meanwhile|Instead"
    r"|As a result|As such|In response|Alternatively|Overall|In summary|In short|To summarize|More precisely|Nevertheless|Nonetheless|Subsequently"
    r"|More concretely|Building on this|Motivated by this|Inspired by this|In contrast|On the other hand|But|Yet|So|And|Recently|Technically"
    r"|In detail|To be specific|For this purpose|To do so|Towards this end|Toward this end)(?:,| (?=we\b|this\b|the (?:paper|authors)\b|$)) ?",
)
_DANGLING = re.compile(
    r"\b(?:this|these|those|such|above|former|latter|aforementioned|following|previously described|said|here|herein|so far|it)\b"
    r"|\b(?:the )?(?:proposed|resulting|mentioned) (?:method|approach|model|framework|algorithm|technique)", re.IGNORECASE
)
_KEPT_LEAD = re.compile(
    r"^(?:Inspired by|Motivated by|Building (?:up)?on|Based on|Drawing on|To [a-z]+|By [a-z]+ing|Using|With|Through|Leveraging|Rather than"
    r"|Starting from|Taking|Focusing on|For|In the context of|Under|Given)\b(?!.*\b(?:the|a) (?:problem|issue|gap|challenge|limitation|defect|question|difficult(?:y|ie)|need|shortcoming|drawback)s?\b(?! of))"
)
_RESTRICTIVE = re.compile(r"^(?:If|When|Whenever|Under|Assuming|For|Given|Unless|On|In|At|With|Where|Within|Among|Across|Over|Via)\b")
_SELF_PRAISE = re.compile(
    r"(?:,(?: and)?(?: thus| thereby| hence| while| also)? (?:achieving|attaining|outperforming|surpassing|setting|yielding|obtaining|reaching|delivering"
    r"|establishing|demonstrating|showing|advancing|improving|leading to|resulting in)|,? and (?:thus |thereby |hence )?(?:achieves?|attains?|outperforms?|surpass(?:es)?|sets?|yields?|obtains?|reach(?:es)?"
    r"|delivers?|advances?)) [^,;]*?(?:state[- ]of[- ]the[- ]art|superior|best|significant"
    r"|competitive|new record|strong|impressive|remarkable|improvements?|effectiveness|performance|gains|baselines?)[^;]*$"
)
_TO_SOLVE_IT = re.compile(
    r",? (?:in order )?to (?:\w+ly )?(?:bridge|address|solve|tackle|fill|close|overcome|alleviate|mitigate|resolve|remedy) (?:the|these|this|such|both) "
    r"(?:\w+ )?(?:gaps?|problems?|issues?|challenges?|limitations?|shortcomings?|difficult(?:y|ies)|drawbacks?)\.$"
)
_NUMBERS = re.compile(r"\d+(?:\.\d+)?\s?%|\d+\.\d|\b\d+(?:\.\d+)?\s?[x×](?= |\.|,)|\b(?:p|k|n)\s?[<=]")
_NAMED = re.compile(
    r"^(?P<name>(?:(?:[A-Z][\w-]*[A-Z0-9][\w-]*|[A-Z][a-z]+(?:-[A-Z]\w+)*|[a-z]+[A-Z]\w*|\d\w*[A-Z]\w*)(?: |(?=,)|(?= \()))+(?:\([A-Z][\w-]{0,11}\))?)\s?(?:,|:|–|—)\s?"
    r"(?P<what>(?:an?|the first) .+)$"
)
_GIVING = frozenset("propose introduce present develop design devise describe build release create construct offer".split())
_IDLE = frozenset("go carry achieve obtain set bring aim seek attempt run publish share open-source try hope believe conduct perform".split())
_EMPTY = re.compile(
    r"^(?:[\w-]+ ){0,4}(?:experiments?|evaluations|results|ablations?|evidence|case studies)\b|^(?:the |our )?code\b"
    r"|^(?:that )?(?:our|their|the) (?:method|approach|model|framework|algorithm|system|proposed)[\w -]{0,30} (?:outperform|achiev|improv|surpass|is (?:effective|superior|competitive)|performs?|can|provides?|yields?|obtain)"
    r"|\b(?:the effectiveness|the superiority|the efficacy|the utility|the usefulness|the benefits?) of (?:our|the|this|their|[A-Z])|\bour (?:theory|results|findings|claims|analysis|hypothesis|model|method|approach)\b",
    re.IGNORECASE,
)


def retell(sentence: str, several: bool, own: bool = False) -> Told | None:
    """The sentence as told of its authors; `several`: there is more than one (or it is not known).
    `own`: the authors tell it themselves, so the first person stays."""
    sentence = re.sub(r"\s?\((?:[^()]*\b(?:19|20)\d\d[a-z]?|e\.g\.[^()]*|i\.e\.[^()]*|[^()]*%[^()]*)\)", "", sentence).strip("“” ")
    sentence = _LISTED.sub(".", sentence)
    if is_rubble(sentence) or _NUMBERS.search(sentence) or sentence[-1:] != ".":
        return None
    told = _of_authors(sentence, several) or _subjectless(sentence, several)
    if told and not own:
        told = replace(told, text=in_third_person(told.text))
    return told if told and _fit(told.text, own) else None


def _fit(text: str, own: bool = False) -> bool:
    count = len(words(text))
    return _SHORTEST <= count <= _LONGEST and (own or not re.search(r"\b(?:we|our|us|I|my)\b", text))


def _of_authors(sentence: str, several: bool) -> Told | None:
    subject = _SUBJECT.search(sentence[:220])
    if not subject:
        return None
    before = sentence[: subject.start()]
    lead = _lead(before, subject["genre"])
    if lead is None:
        return None
    return _told(sentence, sentence[subject.end() :], lead, several, was_singular=bool(subject["it"]))


def _lead(before: str, genre: str | None) -> str | None:
    """What stands before the subject, as far as it is to stay; None where leaving it out would lie."""
    if before and not before.endswith((", ", " ")):
        return None
    previous = None
    while previous != before:
        previous = before
        before = upper_first(_HERE.sub("", _CONNECTIVE.sub("", before)))
    before = before.strip().removesuffix(",").strip()
    if re.match(r"^To \w+ (?:the|both|all) [\w-]+$", before):
        return ""
    if not before:
        return f"In a {genre}," if genre and genre.split()[-1] in ("survey", "tutorial", "thesis", "review") else ""
    if re.search(r"\b(?:that|which|whether|how|because)$|\b(?:show|find|believe|demonstrate)\b", before):
        return None
    if _KEPT_LEAD.match(before) and not _DANGLING.search(before) and len(words(before)) <= 14 and not _mine(before):
        return f"{without_praise(before)},"
    return None if _RESTRICTIVE.match(before) or not re.search(r",|^To ", previous) else ""


def _mine(text: str) -> bool:
    return bool(re.search(r"\b(?:we|our|us|I|my)\b", text, re.IGNORECASE))


def _subjectless(sentence: str, several: bool) -> Told | None:
    """"Introduces a retriever, which …": a note's style, the paper being understood."""
    first = re.match(r"([A-Z][a-z-]+) ", sentence)
    verb = first and base(first[1].lower())
    if not first or not verb or verb not in OFFERING | STUDYING | FINDING or verb == "note":
        return None
    rest = sentence[0].lower() + sentence[1:]
    return _told(sentence, " " + rest, "", several, was_singular=True)


_VERB = re.compile(r"^ (?P<adverbs>(?:[a-z]+ )*?)(?P<have>(?:have|has) )?(?P<verb>[a-z][a-z-]+)(?P<rest>[ ,:].+)$")


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
    plain, rest = _by_doing(plain, _trimmed(rest))
    kind = _kind(plain, rest)
    if kind == "offer":
        rest = _POINTING_END.sub(".", rest)
    if _is_dangling(rest):
        plain, rest = _second_verb(rest)
        kind = plain and _kind(plain, rest)
    if not kind or _EMPTY.search(rest.strip()) or kind == "study" and re.search(r"extensive experiments|the effectiveness of", rest):
        return None
    if several == was_singular:
        rest = agree_joined(rest, several)
    text = without_praise(f"{plain if several else singular(plain)}{rest}")
    return Told(text, True, kind, source, lead, plain, _is_secondary(source))


_POINTING_END = re.compile(
    r"(?<=\w\w)(?: (?:for|in|to|on|under|of|from|by|with|into)| that \w+| to \w+| of \w+)+ (?:this|these|those|such) .*$"
)
_BY_DOING = re.compile(r"^ (?:this|these|the|both|such) [\w -]{0,40}? by (proposing|introducing|presenting|developing|designing|building)( .+)$")


def _by_doing(verb: str, rest: str) -> tuple[str, str]:
    """"address this problem by proposing a method" -> "propose a method"."""
    match = _BY_DOING.match(rest)
    if not match:
        return verb, rest
    stem = match[1].removesuffix("ing")
    return stem if stem in KNOWN else stem + "e", match[2]


def _second_verb(rest: str) -> tuple[str, str]:
    """What is left of "consider these as one, and propose a network" once its first verb cannot stand."""
    match = re.search(r"(?:,| and|, and)(?: then)? (propose|introduce|present|develop|design|devise)s?( (?:an?|the|new|novel|two|three) .+)$", rest)
    return (match[1], match[2]) if match and not _is_dangling(match[2]) else ("", rest)


def _is_secondary(source: str) -> bool:
    start = " ".join(source.split()[:12])
    return bool(re.search(r"\b(?:also|further|finally|additionally|moreover|furthermore|then|lastly|addition|example|part|validate)\b", start, re.I))


def _predicate(clause: str) -> tuple[str, str] | None:
    """The first verb that is known, past adverbs that mean nothing outside their paragraph, and the rest."""
    found = re.match(r"^ ((?:[a-z]+(?:ly)?,? )*?)([a-z][a-z-]+)([ ,:;].*)$", clause)
    bare = True  # right after the subject stands a verb, known here or not
    while found:
        verb = found[2]
        if (verb in KNOWN or base(verb) or _present(verb) or (bare and _any_verb(verb))) and verb not in ADVERBS | MANNER:
            return verb, found[3]
        if verb not in ADVERBS | MANNER and not verb.endswith("ly"):
            return None
        bare = False
        found = re.match(r"^ ()([a-z][a-z-]+)([ ,:;].*)$", found[3].replace(", ", " ", 1) if found[3].startswith(",") else found[3])
    return None


def _any_verb(word: str) -> bool:
    return word not in _NO_VERB and not word.endswith(("ly", "ed", "ing")) and (len(word) > 2)


_NO_VERB = frozenset(
    "are is was were have has had can could may might must will would should shall do does did not also then now here first hope believe "
    "know and or but who which that whose themselves need want plan wish like think feel appear seem only".split()
)


def _present(verb: str) -> str:
    """proposed -> proposes, where that is a verb known here."""
    stems = (verb.removesuffix("d"), verb.removesuffix("ed"), re.sub("ied$", "y", verb))
    return next((stem for stem in stems if verb.endswith("ed") and stem in KNOWN), "")


# "…, which integrates two key innovations: (i) …": the list may go, and with it what announces it.
_LISTED = re.compile(
    r"(?:,? (?:that|which) (?:[a-z]+ ){1,3}(?:two|three|four|five|several) (?:[\w-]+ ){0,3}(?:innovations|components|ideas|contributions|stages|steps|parts"
    r"|ingredients|techniques|modules|properties|aspects|phases))?(?::|;|,)? \(?(?:i|1|a)\).*$"
)
_A_STUDY = re.compile(r"^ (?:out )?an? (?:[\w-]+ ){0,4}(?:study|analysis|evaluation|survey|comparison|investigation|review)\b")


def _kind(verb: str, rest: str) -> Kind | None:
    if verb in ("conduct", "perform", "carry") and _A_STUDY.match(rest):
        return "study"
    if verb in _GIVING or verb in OFFERING - STUDYING - FINDING:
        return "offer"
    if verb in STUDYING:
        return "study"
    if verb in FINDING:
        return "find"
    return "act" if verb not in _IDLE else None


def _trimmed(rest: str) -> str:
    """Without the claims of success at the end, the asides that only name an abbreviation stay."""
    rest = re.sub(rf",? in this {_WORK}\b,?", "", rest)
    rest = re.sub(r"\s\((?:e\.g\.|i\.e\.|cf\.|see|or|such as|called|dubbed|also)[^()]*\)", "", rest)
    rest = re.sub(r"\s\((?![A-Z][\w-]{0,11}\))[^()]{12,}\)", "", rest)
    rest = re.sub(r"^ (?:the )?(?:first|very first) ", " a ", rest) if re.match(r"^ the first [a-z]", rest) else rest
    rest = _TO_SOLVE_IT.sub(".", rest)
    shorter = _SELF_PRAISE.sub(".", rest)
    return shorter if len(words(shorter)) >= _SHORTEST else rest


def _is_dangling(rest: str) -> bool:
    """True where the sentence leans on one before it: this, these, such; it and they at the start."""
    if re.search(r"\b(?:to|of|for|from|by|with) that\b|\bin (?:two|three|several) ways\b|: (?:First|Firstly|How|What|Can|Do|Is|\(?1\)|\(?i\))", rest):
        return True
    rest = _own_antecedent(rest)
    if re.search(r"\b(?:this|these|those|above|former|latter|aforementioned|such an?|the same(?! time| way| space)|the proposed|the resulting)\b", rest, re.I):
        return True
    if re.search(r"\b(?:where|when|if|as|what|how) we\b", rest):
        return True
    if len(words(rest)) < 14 and re.search(r"\b(?:it|(?<!of )them|one)\.$", rest):
        return True
    start = " ".join(rest.split()[:5])
    return bool(re.search(r"\b(?:it|its|our|they|them|their|such|both|the two|the three|another|other|each|here)\b", start, re.I))


def of_name(sentence: str, title: str) -> Told | None:
    """"TILDE ranks passages by …": a sentence on the system that the title names, as it stands."""
    names = title_names(title)
    match = re.match(r"^(?:The )?((?:[\w-]+ ){1,4}?)(is|are|was|[a-z]+s) ", sentence)
    if not match or is_rubble(sentence) or _NUMBERS.search(sentence) or match[1].strip() not in names:
        return None
    text = without_praise(sentence)
    if match[2] in ("outperforms", "achieves", "improves", "surpasses", "obtains") or _is_dangling(text) or not _fit(text):
        return None
    return Told(text, False, "name", sentence)


def title_names(title: str) -> frozenset[str]:
    """Names that a title gives its system: what stands before a colon, and words in mixed case."""
    head = re.match(r"^([^:?!]{2,40}):", title)
    names = {head[1].strip()} if head and len(head[1].split()) <= 4 else set()
    mixed = re.findall(r"\b(?:[A-Z]+[a-z]+[A-Z]\w*|[A-Z][a-z]*\d\w*|[A-Z]{3,}[a-z]\w*|[a-z]+[A-Z]\w*)\b", title)
    return frozenset(names | set(mixed))


def of_subject(sentence: str, title: str) -> Told | None:
    """A statement whose subject the title names, as it stands: "Polysemous codes are …". A name in mixed
    case, which only systems have, may be the subject too: "HyDE retrieves …"."""
    known = {w.rstrip("s") for w in words(title.lower())}
    tokens = re.sub(r"^(?:The|An?) ", "", sentence).split()
    count = next((i for i, t in enumerate(tokens) if t.lower().rstrip("s") not in known), len(tokens))
    if re.match(rf"^[A-Z][\w-]+ is an? (?:[\w-]+ ){{0,4}}{_ARTEFACT}\b", sentence):
        count = max(count, 1)
        tokens[0] = f"{tokens[0]}X1"  # a name that is defined here
    named = bool(re.fullmatch(r"\w*(?:[a-z]\w*[A-Z]|[A-Z]{2}|[A-Z]\w*\d)\w*", tokens[0])) if tokens else False
    verb = tokens[max(count, 1)] if len(tokens) > max(count, 1) and (count >= 2 or named) else ""
    if not re.fullmatch(r"is|are|[a-z-]{3,}s?", verb) or verb in _NO_SUBJECT_VERB or is_rubble(sentence):
        return None
    start = " ".join(sentence.split()[:9])
    if _NUMBERS.search(sentence) or _BACKGROUND.search(start) or _is_dangling(sentence) or not _fit(sentence):
        return None
    return Told(without_praise(sentence), False, "statement", sentence)


_ARTEFACT = (
    "(?:dataset|system|model|benchmark|tool|agent|toolkit|framework|corpus|method|retriever|metric|library|platform|algorithm|assistant|suite)"
)
_NO_SUBJECT_VERB = frozenset("and or in on of for from with by at to that which who has have was were can may will via using as not the a".split())
_BACKGROUND = re.compile(
    r"\b(?:recent(?:ly)?|increasing(?:ly)?|important|fundamental|challeng\w+|crucial|essential|however|despite|although|while|popular|success\w*|often"
    r"|typically|widely|usually|has been|have been|remains?|still|existing|previous|prior|traditional|conventional|most|many|current|achieves?|outperforms?|suffers?)\b", re.I
)


def _own_antecedent(text: str) -> str:
    """Without "these experts" where the same sentence spoke of experts before, and without "those of"."""

    def known(match: re.Match[str]) -> str:
        stems = [w.rstrip("s").lower() for w in match[2].split() if len(w) > 3]
        return "" if any(stem in text[: match.start()].lower() for stem in stems) else match[0]

    text = re.sub(r"\bthose (?:of|from|that|in|with|who|which)\b", "", text)
    return re.sub(r"\b([Tt]his|[Tt]hese|[Tt]hose) (\w+(?: \w+)?)", known, text)


def as_name(told: Told) -> Told | None:
    """"propose TILDE, a model that …" -> "TILDE is a model that …", citation in parentheses."""
    rest = told.text.split(" ", 1)[1] if " " in told.text else ""
    match = _NAMED.match(rest)
    if told.lead or told.verb not in _GIVING or not match or re.search(r"\b(?:their|they|them)\b", rest):
        return None
    if len(match["name"].split()) == 1 and match["name"].strip().lower() in ("a", "an", "the", "two", "three"):
        return None
    what = re.sub(r"^the first", "a", match["what"])
    return replace(told, text=f"{match['name'].strip()} is {what}", textual=False, kind="name", lead="")


def as_statement(told: Told) -> Told | None:
    """"show that X" -> "X", citation in parentheses: the source's finding, stated."""
    match = re.match(r"^(?:shows?|demonstrates?|finds?|proves?|establish(?:es)?|reveals?|observes?) that (.+)$", told.text)
    if told.lead or not match or re.search(r"\b(?:their|they|them|theirs)\b", match[1]) or len(words(match[1])) > 34:
        return None
    return replace(told, text=upper_first(match[1]), textual=False, kind="statement", lead="")


def of_statement(sentence: str, title: str = "") -> Told | None:
    """A sentence that speaks of no one and leans on no other, as it stands; with a `title`, one that
    shares words with it."""
    shared = {w for w in words(title.lower()) if len(w) > 4} & set(words(sentence.lower()))
    if title and len(shared) < 2:
        return None
    if is_rubble(sentence) or _NUMBERS.search(sentence) or _BACKGROUND.search(sentence) or _EMPTY.search(sentence):
        return None
    if _is_dangling(sentence) or _SUBJECT.search(sentence) or not _fit(sentence) or sentence[-1:] != ".":
        return None
    return Told(without_praise(upper_first(_CONNECTIVE.sub("", sentence))), False, "statement", sentence)
