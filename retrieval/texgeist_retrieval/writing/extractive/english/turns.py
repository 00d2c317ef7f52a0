"""Turns of a sentence that keep its sense and break a run of its words: each where its grammar is sure.

A synonym fits where the word before it shows that a verb stands there; a clause is turned where its bounds are
words that can be nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable

from .contribution import KINDS
from .grammar import KNOWN, MANNER
from .thesaurus import ing_form, s_form

Turn = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

# Verbs that may stand for each other behind "to", "can", "that" or "by", where they can be nothing but verbs.
_PAIRS = """
improve/raise enhance/strengthen capture/grasp learn/acquire enable/permit allow/permit address/meet leverage/exploit
exploit/use utilize/use employ/use use/employ generate/produce produce/yield predict/forecast identify/find
reduce/lower decrease/lower increase/raise mitigate/lessen alleviate/ease eliminate/remove avoid/prevent prevent/avoid
extract/draw select/pick retrieve/fetch detect/spot integrate/join incorporate/include combine/unite exchange/swap
construct/build build/construct create/make develop/build simulate/imitate approximate/mimic transform/turn
compute/calculate optimize/tune optimise/tune maximize/raise minimize/lower control/steer guide/steer handle/treat
support/back facilitate/ease ensure/guarantee guarantee/ensure preserve/keep maintain/keep retain/keep provide/give offer/give
require/need perform/carry-out conduct/carry-out achieve/reach obtain/gain update/renew
represent/describe characterize/describe describe/portray explain/account-for evaluate/assess assess/judge
analyze/examine analyse/examine explore/examine investigate/study examine/study compare/contrast distinguish/separate
separate/divide partition/divide decompose/break-down split/divide aggregate/pool merge/fuse fuse/merge align/match
encode/store express/put discover/find determine/decide infer/derive deduce/derive recover/restore reconstruct/rebuild
overcome/get-around tackle/treat solve/settle resolve/settle accelerate/speed-up expand/widen extend/widen limit/restrict
restrict/limit remove/delete encourage/push promote/further exceed/surpass share/exchange transfer/carry-over
train/fit encompass/include contain/hold answer/respond-to access/reach choose/pick assign/give assist/help
augment/enrich enrich/augment complement/round-off demonstrate/show reveal/uncover indicate/show confirm/bear-out
""".split()
# Not where a fixed phrase or a term would be broken.
_FIXED = re.compile(
    r"^ (?:use|advantage|into account|place|attention|rise|access|point|machine|deep|to rank|error)"
)
_UNSAFE = frozenset(
    "learn train support share measure transfer express approximate address encode improve compute update enable allow "
    "resolve answer capture represent complement exceed explain solve minimize maximize separate extend expand promote access "
    "encourage optimize optimise align aggregate perform achieve describe control contain overcome offer infer leverage "
    "incorporate integrate".split()
)


def _split(pair: str) -> tuple[str, str, str]:
    old, new = pair.split("/")
    verb, _, rest = new.partition("-")
    return old, verb, f" {rest}" if rest else ""


_VERBS = {old: (verb, rest) for old, verb, rest in map(_split, _PAIRS) if old not in _UNSAFE}
_FORMS = {old: f"{verb}{rest}" for old, (verb, rest) in _VERBS.items()}
_S_FORMS = {s_form(old): f"{s_form(verb)}{rest}" for old, (verb, rest) in _VERBS.items()}
_ING_FORMS = {ing_form(old): f"{ing_form(verb)}{rest}" for old, (verb, rest) in _VERBS.items()}


def _other_verb(match: re.Match[str]) -> str:
    known = (
        _FORMS
        if match[1] in _BARE
        else _ING_FORMS
        if match[1] in ("by", "of", "for", "without")
        else _S_FORMS
    )
    new = known.get(match[2])
    if not new or _FIXED.match(match.string[match.end() :]):
        return match[0]
    if " " in new and not re.match(r" (?:the|an?|their|its|[a-z-]+s)\b", match.string[match.end() :]):
        return match[0]
    return f"{match[1]} {new}"


_BARE = frozenset("to can could may will and-to must".split())
_HEADS = r"(?:" + "|".join(sorted(KINDS)) + r")"
# Nouns whose infinitive says what they are for, and does not say to what end something was done.
_TAKING = re.compile(
    r"\b(?:ability|abilities|capability|capacity|need|way|ways|how|method|methods|technique|techniques|approach|approaches|able"
    r"|attempt|failure|tendency|opportunity|potential|power|effort|efforts|right|tool|tools|mechanism|strategy|strategies|algorithm"
    r"|algorithms|framework|model|models|system|systems|task|tasks|aims?|seeks?|designed|used|trained|learns?|due|applied|compared|likely|leads?|allow\w*"
    r"|enabl\w*|unable|hard|difficult|easy|propose|proposes|needs?|required?|requires|approach|network|networks|according|relative|similar|respect"
    r"|order|as|and|or|harder|easier|key|up|close|robust|resistant|invariant|is|are|from|attention|access|attempts?|try|tries|want"
    r"|wants|continue|continues|encourage[sd]?|guaranteed?|shown|known|found|meant|intended|tailored|adapted|applicable|sufficient|enough|necessary|possible|agents?|users?|people|humans|LLMs|struggles?|fails?|tends?|manages?|begins?|starts?|serves?|helps?|happens?"
    r"|decides?|strives?|works?|chooses?|chosen|expected|willing|ready|free|prone|subject|equivalent|contribut\w+|generaliz\w+|appl\w+|adds?|extends?|switch\w*"
    r"|converg\w+|leading|back|extent|question|questions|what|not|only|also|robustly|here|go|comes?|tasks|challenge|difficulty|designing|trying|having|have|has|had)$"
)
_PURPOSES = (
    "improve enhance reduce increase lower ensure avoid learn build capture generate produce estimate predict "
    "mitigate alleviate support enable facilitate accelerate preserve maintain guide overcome address identify detect select "
    "extract minimize maximize prevent eliminate handle encourage obtain optimize speed model represent tackle integrate "
    "combine help evaluate strengthen find provide guarantee train balance exploit align boost adapt determine".split()
)


def _in_order(match: re.Match[str]) -> str:
    """ "… a data set to overcome the lack" -> "… a data set in order to overcome the lack"."""
    before = match.string[: match.start()]
    if _TAKING.search(before) or len(before.split()) < 5 or "in order" in match.string:
        return match[0]
    return f" in order to {match[1]}"


def _infinitive(match: re.Match[str]) -> str:
    """ "techniques to transfer" -> "techniques that transfer", "a method to rank" -> "a method that ranks"."""
    noun, verb = match[1], match[2]
    if verb not in _VERBAL:
        return match[0]
    plural = noun.endswith("s") and not noun.endswith("ss")
    one = re.search(r"\b(?:an?|the) (?:[\w-]+ ){0,4}$", match.string[: match.start(1)])
    if not plural and not one:
        return match[0]
    return f"{noun} {'that' if plural else 'which'} {verb if plural else s_form(verb)} "


_EVENT = (
    r"(?:[a-z]+(?:tion|sion|ment|sis)|retrieval|search|learning|ranking|training|matching|modeling|processing|reasoning|recovery"
    r"|answering|understanding|planning|decoding|scheduling|clustering|caching|discovery|inference|forecasting|parsing|editing)"
)
_VAGUE = re.compile(
    r"^(?:new|novel|efficient|effective|robust|lightweight|simple|general|unified|hybrid|compact|scalable|large|small|fast|first|single|two|"
    r"different|common|practical|powerful|better|main|key|other|many|various|existing|generic|joint|modular|flexible|an?|the|of|and|or|for|in|to|with|"
    r"pre-trained|pretrained|trained|dedicated|proposed|standard|strong|simple|multi-stage|two-stage|full|[a-z]+ly|[a-z]+-based)$"
)


def _for_what(match: re.Match[str]) -> str:
    """ "a dense retrieval model" -> "a model for dense retrieval"."""
    lead, one, event, head = match[1], match[2], match[3], match[4]
    if _VAGUE.match(one) or re.match(r" (?:for|of|to)\b|-", match.string[match.end() :]):
        return match[0]
    return f"{lead}{head} for {one} {event}"


def _as_well(match: re.Match[str]) -> str:
    """ "recommendation and search" -> "recommendation as well as search", between plain nouns alone."""
    before = match.string[: match.start()]
    if (
        re.search(r"\b(?:both|between|either)\b[^,]*$|, [^,]*$|\band\b", before[-60:])
        or "as well as" in match.string
    ):
        return match[0]
    return f"{match[1]} as well as {match[2]}"


def _both(match: re.Match[str]) -> str:
    before = match.string[: match.start()]
    if re.search(r"\bboth\b", match.string) or re.search(r",[^,]*$", before[-40:]):
        return match[0]
    return f"{match[1]} both {match[2]} and {match[3]}"


def _genitive(match: re.Match[str]) -> str:
    """ "the ranking expertise of LLMs" -> "LLMs’ ranking expertise"."""
    return f"{match[2]}’ {match[1]}" if match[2][-2:] != "ss" else match[0]


# Behind these "that" begins a statement and no relative clause.
CLAUSE_VERB = re.compile(
    r"\b(?:show|find|argue|observe|reveal|indicate|suggest|prove|demonstrate|posit|note|conclude|establish|conjecture|hypothesize|report|discover|confirm"
    r"|believe|assume|ensure|guarantee|mean|imply|know|see|claim|state|verif|explain|highlight|emphasize|illustrate|recommend|propose|so|such|fact|evidence"
    r"|hypothesis|idea|assumption|observation|insight|shown|found|proven|known|given|provided|is|are|than|now|in|clear|likely)"
    r"(?:s|es|ed|d|y|ies|ied|ing)?$"
)


def _relative(match: re.Match[str]) -> str:
    return match[0] if CLAUSE_VERB.search(match.string[: match.start()]) else f" which {match[1]}"


def _still(match: re.Match[str]) -> str:
    """ "…, while keeping X" -> "… and keeps X all the same" is not sure; "while at the same time keeping X" is."""
    return f"while at the same time {match[1]}"


_NOUN = r"[a-z]{4,}(?:tion|ment|ness|ity|ing|ance|ence|ure|ism|ics|sis|ies|ers|ors|els|ons|ts|ds|es)"
# Verbs beyond those that authors use of themselves, regular in all their forms.
_MORE = frozenset(
    "transfer capture mitigate reduce handle preserve maintain control guide overcome retrieve rank route schedule "
    "cache store access allocate assign balance filter fuse merge mask denoise decode quantize prune compress accelerate speed "
    "deal cope perform achieve recover reconstruct restore render segment classify translate summarize recommend forecast "
    "sense monitor manage serve deploy execute exchange aggregate sample collect refine rewrite revise verify detect avoid "
    "ensure guarantee minimize maximize increase boost strengthen approximate simulate adjust update prevent eliminate remove "
    "process partition separate distinguish isolate decouple disentangle propagate inject attach insert expand search explore "
    "answer plan reason generalize infer predict generate select extract identify locate track".split()
)
_VERBAL = (KNOWN | _MORE) - MANNER
_GERUND = {ing_form(verb): verb for verb in _VERBAL} | {
    "mapping": "map",
    "planning": "plan",
    "controlling": "control",
    "transferring": "transfer",
}
_OBJECT = r"(?=(?:the|an?|its|their|both|[a-z-]+ [a-z-]*?s|[a-z-]+s|with) ?)"


def _aim(match: re.Match[str]) -> str:
    """ "…, a loss to transfer the knowledge" -> "…, a loss with the aim of transferring the knowledge"."""
    before, verb = match.string[: match.start()], match[1]
    if verb not in _VERBAL or _TAKING.search(before) or len(before.split()) < 5 or "aim" in match.string:
        return match[0]
    doing = next((ing for ing, known in _GERUND.items() if known == verb), ing_form(verb))
    return f" with the aim of {doing} "


def _to_do(match: re.Match[str]) -> str:
    """ "a network for dealing with interests" -> "a network to deal with interests"."""
    verb = _GERUND.get(match[1])
    before = match.string[: match.start()]
    return (
        f" to {verb} "
        if verb and not re.search(r"(?:allow|used|responsib|account|ed|ing)\w*$", before)
        else match[0]
    )


_LIGHT = {"comparison": "compare", "analysis": "analyze", "study": "study", "evaluation": "evaluate", "investigation": "investigate",
          "overview": "survey", "survey": "survey", "review": "review", "examination": "examine", "characterization": "characterize",
          "exploration": "explore", "assessment": "assess", "discussion": "discuss", "description": "describe"}  # fmt: skip


def _plain_verb(match: re.Match[str]) -> str:
    """ "present a thorough comparison of" -> "compare"."""
    verb = _LIGHT[match[2]]
    return f"{s_form(verb) if match[1] else verb} "


_TURNS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"\b(to|can|could|may|will|must|by|of|for|without|that|which) ([a-z]+)\b(?!-)", _other_verb),
    (rf" to ((?:{'|'.join(_PURPOSES)}) (?=the\b|an?\b|its\b|their\b|[a-z-]+))", _in_order),
    (r"\b(methods?|techniques?|frameworks?|approach|approaches|algorithms?|systems?|tools?|mechanisms?|strategies|strategy"
     r"|networks?|models?|pipelines?|schemes?) to ([a-z]+) ", _infinitive),
    (rf"\b(an? )([a-z-]{{4,}}) ({_EVENT}) (framework|method|approach|algorithm|model|system|architecture|pipeline)(?=[.,]| (?:that|which|with|using|by|based)\b)", _for_what),
    (rf" to ([a-z]+) {_OBJECT}", _aim),
    (rf" for ([a-z]+ing) {_OBJECT}", _to_do),
    (rf"^(?:present|provide|conduct|perform|offer|give|carry out|carries out|propose|introduce)(e?s)? (?:an?|the first) (?:[a-z-]+,? (?:and )?){{0,3}}?({'|'.join(_LIGHT)}) (?:of|on|between|into) ",
     _plain_verb),
    (r"^(propose|introduce|present)(s?) the (?:concept|notion|idea|task|problem) of ", lambda m: f"{m[1]}{m[2]} "),
    (r"(?<![,;]) and (?=(?:an?|the) [a-z-]+ )", lambda m: " together with " if not re.search(r"\b(?:both|between|either)\b|[a-z]+s? that\b", m.string[: m.start()]) and not re.search(r"^(?:an?|the) [\w -]*?\b(?:is|are|can|has|have|was|were|will)\b", m.string[m.end() :]) else m[0]),
    (r": (?=[a-z])", lambda m: ", namely "),
    (r" similar to ", lambda m: " like "),
    (r"\bas a way to\b", lambda m: "to"),
    (r" that ((?:can|is|are|has|have|[a-z]+s) )", _relative),
    (rf"\b({_NOUN}) and ({_NOUN})(?=[.,;]| (?:of|in|for|on|by|with|from|to|that|which|using|through|under)\b)", _as_well),
    (rf"\b(of|for|in|on|with|improves?|reduces?|captures?|models?|learns?|for) ([a-z-]+ [a-z-]*?{_NOUN}) and ((?:[a-z-]+ )?{_NOUN})"
     r"(?=[.,;]| (?:of|in|for|on|by|from|to|that|which|using|through|under)\b)", _both),
    (r"\bthe ([a-z-]+(?: [a-z-]+)?) of ([A-Z]{2,}s|[a-z]{4,}ers|[a-z]{4,}ors|[a-z]{4,}nts|[a-z]{4,}els)"
     r"(?=[.,]| (?:for|in|by|with|to|that|from|using|under|on|and)\b)", _genitive),
    (r"(?<!, )\bwhile ((?:keep|maintain|preserv|retain|reduc|improv|ensur|guarantee|avoid|allow|enabl|satisfy|requir|minimiz|us)ing\b)", _still),
    (r"\b(?:can|is able to) be ([a-z]+ed) (?=to|by|as|for|in|with)", lambda m: f"may be {m[1]} "),
    (r"\bwithout (?:requiring|needing|the need for) (?=[a-z])", lambda m: "with no need for "),
    (r"\bthe (?:problem|task) of ", lambda m: ""),
    (r"\bnot only ([^,.]+?),? but(?: also)? ", lambda m: f"{m[1]} and also "),
    (r", as well as ", lambda m: " and also "),
    (r", which means that ", lambda m: ", that is, "),
    (r"\bleads to\b", lambda m: "results in"),
    (r"\bresults in\b", lambda m: "leads to"),
    (r"\bdepends on\b", lambda m: "hinges on"),
    (r"\bfor each (?!other\b|of\b)(?=[a-z])", lambda m: "for every "),
    (r"\bstate-of-the-art\b", lambda m: "leading"),
    (r"\bmore than\b", lambda m: "over"),
    (r"\bby up to (?=\d)", lambda m: "by as much as "),
    (r"\bcompared (?:to|with)\b", lambda m: "against"),
    (r"\bimpact of\b", lambda m: "influence of"),
    (r"(?<!side )\beffect(s?) of\b", lambda m: f"influence{m[1]} of"),
    (r"\bin the absence of\b", lambda m: "without"),
    (r"\bbased on\b", lambda m: "that builds on" if re.search(rf"\ban? (?:[\w-]+ ){{0,3}}{_HEADS} $", m.string[: m.start()]) else m[0]),
    (r"(?<!by )(?<!that )(?<!and )(?<!of )(?<!when )(?<!for )(?<!, )\busing (?=(?:an?|the|[a-z-]+)\b)", lambda m: "with the help of "),
    (r"\bin real[- ]time\b", lambda m: "at run time"),
    (r"\bhow to\b", lambda m: "ways to"),
    (r"\bis based on\b", lambda m: "rests on"),
    (r"\bare based on\b", lambda m: "rest on"),
    (r"\b(\w+)-based (method|approach|model|framework|system)(s?)\b(?! (?:on|of))", lambda m: f"{m[2]}{m[3]} based on {m[1]}" if m[3] else m[0]),
)  # fmt: skip

TURNS: tuple[Turn, ...] = tuple((re.compile(pattern), by) for pattern, by in _TURNS)
