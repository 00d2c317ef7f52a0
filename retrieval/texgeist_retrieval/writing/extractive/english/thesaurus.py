"""Words that may stand for each other in a technical sentence: `old/new`, regular in all their forms.

Several new ones stand behind one old one, tried in turn. What changes the sense in some field is not here,
nor what is noun and verb in one form: "compute" is no "calculate" in "compute budget"."""

from __future__ import annotations

import re

VERBS = """
utilize/use utilise/use employ/use generate/produce create/make identify/find
enhance/strengthen mitigate/lessen alleviate/ease facilitate/ease eliminate/remove require/need tackle/address
investigate/study explore/examine examine/study maintain/keep preserve/keep select/choose determine/decide
reduce/lower obtain/gain incorporate/include demonstrate/show analyze/examine analyse/examine achieve/reach
modify/change retain/keep acquire/gain encompass/include possess/have provide/give combine/join
synthesize/produce discover/find ensure/guarantee
minimize/lower maximize/raise detect/spot delete/remove refine/sharpen
retrieve/fetch restrict/limit observe/see reveal/show hurt/harm
assign/give
collect/gather gather/collect
distinguish/separate evaluate/assess assess/judge illustrate/show
imitate/mimic emulate/imitate
""".split()
NOUNS = """
goal/aim relationship/relation scenario/case
technique/method
requirement/need ability/capacity capability/ability limitation/limit
methodology/method
""".split()
WORDS = """
different/distinct various/many diverse/many numerous/many several/many
entire/whole via/through
through/via during/in among/between whereas/while because/since additional/further specific/particular
particular/specific appropriate/suitable rapid/fast
often/frequently frequently/often
""".split()
_IRREGULAR = {
    "make": ("making", "made"), "find": ("finding", "found"), "keep": ("keeping", "kept"), "choose": ("choosing", "chosen"),
    "build": ("building", "built"), "show": ("showing", "shown"), "see": ("seeing", "seen"), "give": ("giving", "given"),
    "have": ("having", "had"), "spot": ("spotting", "spotted"), "split": ("splitting", "split"), "draw": ("drawing", "drawn"),
    "transfer": ("transferring", "transferred"), "hurt": ("hurting", "hurt"), "do": ("doing", "done"),
}  # fmt: skip


def s_form(verb: str) -> str:
    if verb in ("have", "do"):
        return {"have": "has", "do": "does"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("ss", "ch", "sh", "x")) else "s")


def ing_form(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][0]
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"


def ed_form(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][1]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    return verb + ("d" if verb.endswith("e") else "ed")


def substitutions() -> dict[str, str]:
    """Every form of every word above with what may stand for it. A participle only stands for a participle
    behind a form of "to be" or before "by": see `synonyms`."""
    found: dict[str, str] = {}
    for old, new in (pair.split("/") for pair in VERBS):
        found |= {old: new, s_form(old): s_form(new), ing_form(old): ing_form(new)}
    for old, new in (pair.split("/") for pair in NOUNS):
        found |= {old: new, _plural(old): _plural(new)}
    return found | dict(pair.split("/") for pair in WORDS)


def _plural(noun: str) -> str:
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("ss", "ch", "sh", "x")) else "s")
