"""Whether a sentence can stand outside its paragraph, and what is cut from it so that it may."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .sentences import words

Kind = Literal["offer", "study", "find", "act", "name", "statement", "problem", "means", "title"]


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


_LONGEST = 46  # words of a retold sentence


SHORTEST = 5


WORK = (
    r"(?:(?:position |literature |systematic |technical |demonstration |task |empirical |short "
    r"|large-scale )?(?:paper|audit|work|article|study|research|analysis|description|survey|review"
    r"|report|thesis|letter|note|tutorial|chapter|manuscript|dissertation|monograph))"
)


DANGLING = re.compile(
    r"\b(?:this|these|those|such|above|former|latter|aforementioned|following|previously described|said"
    r"|here|herein|so far|it)\b"
    r"|\b(?:the )?(?:proposed|resulting|mentioned) (?:method|approach|model|framework|algorithm|technique)",
    re.IGNORECASE,
)


_SELF_PRAISE = re.compile(
    r"(?:,(?: and)?(?: thus| thereby| hence| while| also)? (?:achieving|attaining|outperforming"
    r"|surpassing|setting|yielding|obtaining|reaching|delivering"
    r"|establishing|demonstrating|showing|advancing|improving|leading to|resulting in)|,? and (?:thus "
    r"|thereby |hence )?(?:achieves?|attains?|outperforms?|surpass(?:es)?|sets?|yields?|obtains?"
    r"|reach(?:es)?"
    r"|delivers?|advances?)) [^,;]*?(?:state[- ]of[- ]the[- ]art|superior|best|significant"
    r"|competitive|new record|strong|impressive|remarkable|improvements?|effectiveness|performance|gains"
    r"|baselines?)[^;]*$"
)


_TO_SOLVE_IT = re.compile(
    r",? (?:in order )?to (?:\w+ly )?(?:bridge|address|solve|tackle|fill|close|overcome|alleviate"
    r"|mitigate|resolve|remedy) (?:the|these|this|such|both) "
    r"(?:\w+ )?(?:gaps?|problems?|issues?|challenges?|limitations?|shortcomings?|difficult(?:y|ies)"
    r"|drawbacks?)\.$"
)


NUMBERS = re.compile(r"\d+(?:\.\d+)?\s?%|\d+\.\d|\b\d+(?:\.\d+)?\s?[x×](?= |\.|,)|\b(?:p|k|n)\s?[<=]")


EMPTY = re.compile(
    r"^(?:[\w-]+ ){0,4}(?:experiments?|evaluations|results|ablations?|evidence|case studies)\b|^(?:the "
    r"|our )?code\b"
    r"|^(?:that )?(?:our|their|the) (?:method|approach|model|framework|algorithm|system"
    r"|proposed)[\w -]{0,30} (?:outperform|achiev|improv|surpass|is (?:effective|superior|competitive)"
    r"|performs?|can|provides?|yields?|obtain)"
    r"|\b(?:the effectiveness|the superiority|the efficacy|the utility|the usefulness"
    r"|the benefits?) of (?:our|the|this|their|[A-Z])|\bour (?:theory|results|findings|claims|analysis"
    r"|hypothesis|model|method|approach)\b",
    re.IGNORECASE,
)


# "…, which integrates two key innovations: (i) …": the list may go, and with it what announces it.
LISTED = re.compile(
    r"(?:,? (?:that|which) (?:[a-z]+ ){1,3}(?:two|three|four|five|several) (?:[\w-]+ ){0,3}(?:innovations"
    r"|components|ideas|contributions|stages|steps|parts"
    r"|ingredients|techniques|modules|properties|aspects|phases))?(?::|;|,)? \(?(?:i|1|a)\).*$"
)


def fits(text: str, own: bool = False) -> bool:
    count = len(words(text))
    return SHORTEST <= count <= _LONGEST and (own or not re.search(r"\b(?:we|our|us|I|my)\b", text))


def is_mine(text: str) -> bool:
    return bool(re.search(r"\b(?:we|our|us|I|my)\b", text, re.IGNORECASE))


def trimmed(rest: str) -> str:
    """Without the claims of success at the end, the asides that only name an abbreviation stay."""
    rest = re.sub(rf",? in this {WORK}\b,?", "", rest)
    rest = re.sub(r"\s\((?:e\.g\.|i\.e\.|cf\.|see|or|such as|called|dubbed|also)[^()]*\)", "", rest)
    rest = re.sub(r"\s\((?![A-Z][\w-]{0,11}\))[^()]{12,}\)", "", rest)
    rest = (
        re.sub(r"^ (?:the )?(?:first|very first) ", " a ", rest)
        if re.match(r"^ the first [a-z]", rest)
        else rest
    )
    rest = _TO_SOLVE_IT.sub(".", rest)
    shorter = _SELF_PRAISE.sub(".", rest)
    return shorter if len(words(shorter)) >= SHORTEST else rest


def is_dangling(rest: str) -> bool:
    """True where the sentence leans on one before it: this, these, such; it and they at the start."""
    if re.search(
        r"\b(?:to|of|for|from|by|with) that\b|\bin (?:two|three|several) ways\b|: (?:First|Firstly|How"
        r"|What|Can|Do|Is|\(?1\)|\(?i\))|\bin the (?:first|second|third|final|last|next) (?:stage|step|phase)\b",
        rest,
    ):
        return True
    rest = _own_antecedent(rest)
    if re.search(
        r"\b(?:this|these|those|above|former|latter|aforementioned|such an?|the same(?! time| way| space)"
        r"|the proposed|the resulting)\b",
        rest,
        re.I,
    ):
        return True
    if re.search(r"\b(?:where|when|if|as|what|how) we\b", rest):
        return True
    if len(words(rest)) < 14 and re.search(r"\b(?:it|(?<!of )them|one)\.$", rest):
        return True
    start = " ".join(rest.split()[:5])
    return bool(
        re.search(
            r"\b(?:it|its|our|they|them|their|such|both|the two|the three|another|other|each|here)\b",
            start,
            re.I,
        )
    )


def _own_antecedent(text: str) -> str:
    """Without "these experts" where the same sentence spoke of experts before, and without "those of"."""

    def known(match: re.Match[str]) -> str:
        stems = [w.rstrip("s").lower() for w in match[2].split() if len(w) > 3]
        return "" if any(stem in text[: match.start()].lower() for stem in stems) else match[0]

    text = re.sub(r"\bthose (?:of|from|that|in|with|who|which)\b", "", text)
    return re.sub(r"\b([Tt]his|[Tt]hese|[Tt]hose) (\w+(?: \w+)?)", known, text)


def shared(text: str, title: str) -> int:
    """How many words the two have in common, by their first letters."""
    return len(stems(title) & stems(text.split(" ", 1)[-1]))


def stems(text: str) -> set[str]:
    return {w.lower()[:5] for w in re.findall(r"[A-Za-z]{4,}", text)}
