"""The second thing that is told of a paper: how its method works, or what came of it.

It stands right behind the first, so its subject may be a pronoun: "They show that …", "It learns …". What leans on
any other sentence than the first is not offered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .contribution import KINDS
from .grammar import KNOWN, in_third_person, upper_first, without_praise
from .loosening import copied, loosened, spelled_out
from .retelling import CONNECTIVE, retell
from .sentence_gate import fault
from .sentences import is_rubble, split, words
from .standalone import trimmed

_LONGEST, _SHORTEST = 28, 7  # words
_HEAD = "|".join(
    sorted(KINDS - {"set", "class", "family", "analysis", "study", "evaluation", "training", "learning"})
)
# "The traditional approach" is not the paper's own: beside "our", only "the" with nothing or with "proposed" before it.
_OURS = re.compile(
    rf"^(?:Our (?:[\w-]+ ){{0,3}}?|(?:The|This) (?:(?:proposed|resulting|new|novel) (?:[\w-]+ ){{0,2}}?)?)(?P<head>{_HEAD})"
    r"(?: \([A-Z][\w-]+\)|, (?:called|named|termed|dubbed|namely) [\w-]+,|, [A-Z][\w-]+,)? (?P<rest>(?:[a-z]+ly )?(?P<verb>[a-z]+) .+\.)$"
)
# Behind these, "the method" is the one that the paper turns from.
_CONTRAST = re.compile(
    r"^(?:However|In contrast|By contrast|On the other hand|Nevertheless|Nonetheless|Alternatively|Unfortunately)\b"
)
_FOUND = re.compile(
    r"^(?:(?:Extensive |Our |The |Numerical |Empirical |Comprehensive |Simulation |Theoretical )*(?:experiments?|experimental results|results|evaluations?|analys[ei]s"
    r"|simulations|findings|studies|study|case studies)\b[^,.]{0,60}?) (?P<verb>shows?|demonstrates?|reveals?|indicates?|suggests?|finds?|confirms?) that"
    r" (?P<what>.+\.)$",
    re.I,
)
_NO_VERB = frozenset(
    "achieves outperforms surpasses is are was were has have had does shows demonstrates can could may aims will would".split()
)
_LEANS = re.compile(
    r"\b(?:this|these|those|such|former|latter|above|aforementioned|our|we|us|here|respectively|both (?:settings|cases|tasks|types|datasets|of)|the two|the three"
    r"|first|second|third|former|proposed|following|other|another|others|rest|one)\b|\bthe (?:resulting|same|method|approach|framework)\b",
    re.I,
)
_MODEST = re.compile(
    r"\b(?:outperform\w*|superior\w*|state[- ]of[- ]the[- ]art|SOTA|effectiveness|efficacy|competitive|comparable|extensive|promising|significantly|consistently"
    r"|baselines?|experiments|good performance|well\.|better than|best|strong performance|high performance|real-world (?:datasets|applications)|code)\b",
    re.I,
)
_MORE_VERBS = frozenset(
    "learns captures reduces exploits combines integrates uses employs leverages utilizes treats models maps encodes decodes generates predicts retrieves ranks"
    " selects splits merges fuses aggregates projects computes estimates transforms converts decomposes replaces removes adds keeps stores caches allocates"
    " assigns schedules routes trains optimizes minimizes maximizes updates adapts adjusts extends generalizes improves preserves maintains retains enforces"
    " ensures guarantees allows enables supports handles avoids prevents mitigates alleviates eliminates requires needs relies builds constructs creates produces"
    " extracts detects identifies classifies segments compares evaluates measures covers contains consists comprises includes provides offers introduces applies"
    " separates isolates aligns matches samples filters prunes compresses quantizes distills transfers shares exchanges explains translates searches explores"
    " iteratively dynamically adaptively automatically jointly simultaneously explicitly directly first accelerates speeds lowers increases balances regularizes"
    " infers recovers reconstructs simulates approximates represents describes formulates casts reformulates operates works runs scales unifies".split()
)


@dataclass(frozen=True, slots=True)
class Fact:
    """`subject`: "they" for the authors, "it" for what the first sentence names, else the subject's words.
    `text` begins with the verb, in the number of the subject, and ends with a full stop."""

    subject: str
    text: str
    finds: bool = False

    def sentence(self, several: bool) -> str:
        they = "They" if several else "The author"
        return f"{they if self.subject == 'they' else upper_first(self.subject)} {self.text}"


def further(passage: str, title: str, name: str, told: str, several: bool) -> tuple[Fact, ...]:
    """Facts that may follow the sentence `told` of the paper whose system is `name` ("": none is named there),
    the weightiest first. `passage` is clean."""
    found: list[tuple[float, int, Fact]] = []
    for place, sentence in enumerate(split(passage)):
        for fact, worth in _of(sentence, name, told, several):
            free = _free(fact, passage, title, several)
            if free and not _again(free.text, told):
                found.append((-worth + 0.03 * place, place, free))
    return tuple(fact for _, _, fact in sorted(found, key=lambda row: row[:2]))


def _of(sentence: str, name: str, told: str, several: bool) -> list[tuple[Fact, float]]:
    plain = upper_first(CONNECTIVE.sub("", re.sub(r"\s\([^()]*\d{4}[^()]*\)", "", sentence)))
    if is_rubble(plain) or plain[-1:] != ".":
        return []
    if name:
        plain = re.sub(rf"^(?:The|This) {re.escape(name)} (?=(?:{_HEAD})\b)", "The ", plain)
    made: list[tuple[Fact, float]] = []
    if match := _FOUND.match(plain):
        what = _with_pronoun(match["what"], name)
        made.append((Fact("they", f"{'find' if several else 'finds'} that {what}", True), 1.0))
    elif match := _OURS.match(plain):
        if _CONTRAST.match(sentence) and not plain.startswith("Our "):
            return []
        if match["verb"] in _MORE_VERBS:
            who = "it" if name or match["head"] in told else f"the {match['head']}"
            made.append((Fact(who, match["rest"]), 0.9))
    elif name and plain.startswith(f"{name} "):
        rest = plain.removeprefix(f"{name} ")
        if rest.split()[0] in _MORE_VERBS:
            made.append((Fact("it", rest), 1.0))
    else:
        again = retell(sentence, several)
        if again and again.textual and again.kind == "find":
            made.append((Fact("they", again.text, True), 1.1))
        elif again and again.textual and again.verb in KNOWN and again.kind in ("offer", "act", "study"):
            made.append((Fact("they", again.text), 0.7 if again.secondary else 0.8))
    return [
        (replace(f, text=_shortened(without_praise(in_third_person(trimmed(f" {f.text}")))).strip()), worth)
        for f, worth in made
    ]


def _with_pronoun(what: str, name: str) -> str:
    """The finding with "it" for "our method", where the sentence before it names one."""
    what = re.sub(
        rf"^(?:our|the proposed) (?:[\w-]+ ){{0,2}}?(?:{_HEAD})\b", "it" if name else "the method", what
    )
    return re.sub(rf"^{re.escape(name)}\b", "it", what) if name else what


_CLAUSE = re.compile(r", (?:which|while|where|whereas|thereby|thus|hence|so that|enabling|allowing|leading to|resulting in|making|achieving|including|as well as"
                     r"|with|without|yielding|especially|particularly|even|outperforming|surpassing|demonstrating|and (?:thus|also|is|are|can|has))\b|;| – ")  # fmt: skip


def _shortened(text: str) -> str:
    while len(words(text)) > 20:
        ends = [m.start() for m in _CLAUSE.finditer(text) if len(words(text[: m.start()])) >= _SHORTEST + 1]
        if not ends:
            break
        text = f"{text[: ends[-1]]}."
    return text


def _free(fact: Fact, passage: str, title: str, several: bool) -> Fact | None:
    """In words of its own, and past the gate."""
    text = fact.text
    if not _SHORTEST <= len(words(text)) <= _LONGEST:
        return None
    if (
        _LEANS.search(text)
        or _MODEST.search(text)
        or re.search(
            r"[?:;]|^(?:evaluate|validate|test|conduct|perform|consider|implement|release|report|publish|hope|believe|discuss|highlight|verify|apply|present results|provide (?:code|extensive|experimental))s? |^use ",
            text,
        )
    ):
        return None
    if re.match(
        r"[a-z]+ (?:that )?the (?:algorithm|problem|model|system|solution|idea|issue|agent|question|results?|task|data|dataset)\b(?! (?:of|for|that|to|in)\b)",
        text,
    ):
        return None
    if re.search(
        r"\b(?:and|or|which|that)(?: is| are| can)?\.$|\bthat there\b|\(\w+$|\bbased\.$|\bthem to\b|\btheir\b",
        text,
    ):
        return None
    new = loosened(spelled_out(text, passage, title), passage, title)
    made = replace(fact, text=new)
    sentence = made.sentence(several)
    return (
        made if new and not copied(new, passage, title) and not fault(sentence, "", False, several) else None
    )


def _again(text: str, told: str) -> bool:
    """Whether it says little that the first sentence does not."""
    own = {w.lower()[:6] for w in re.findall(r"[A-Za-z]{4,}", text)}
    return len(own - {w.lower()[:6] for w in re.findall(r"[A-Za-z]{4,}", told)}) < 4


def best(found: Sequence[Fact], wanted: str) -> Fact | None:
    """The one that speaks most of what is wanted: the draft's words; the weightiest where they are equal."""
    stems = _stems(wanted)
    found = [fact for fact in found if stems & _stems(fact.text)]
    return max(found, key=lambda f: len(stems & _stems(f.text)) - 0.8 * found.index(f), default=None)


def _stems(text: str) -> set[str]:
    return {w.lower()[:6] for w in re.findall(r"[A-Za-z]{5,}", text)}
