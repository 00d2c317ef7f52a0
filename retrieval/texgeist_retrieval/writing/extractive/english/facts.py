"""What is told of a paper: its own sentences, with the authors or the system as the subject, quoted and gated.

Words are left as they are in the source. What leans on a sentence that the reader does not see is not told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .compressing import barely, compressed, ends_whole, unquoted
from .fronting import fronted
from .grammar import base, singular
from .naming import as_name
from .quoting import copies, quoted, shortened
from .sentence_gate import fault
from .sentences import words
from .standalone import Kind, Told, shared, stems


@dataclass(frozen=True, slots=True)
class Fact:
    """`text`, `lead` and `textual` as in `Sentence`; `evidence` is whose passage bears it out."""

    kind: Kind
    text: str
    textual: bool
    lead: str = ""
    verb: str = ""
    evidence: str = ""
    secondary: bool = False
    close: bool = False  # to its source's words

    @property
    def quoted(self) -> bool:
        return "“" in self.text

    def words(self) -> int:
        return len(words(f"{self.lead} {self.text}"))


def final(told: Told, passage: str, several: bool) -> str:
    """The text as it is written, cut to a clause and quoted where it is the passage's own; "" where it is
    not fit to be written."""
    text = quoted(shortened(told.text), passage, _plain_words(told))
    if not text or copies(told.lead, passage) or fault(text, told.lead, told.textual, several):
        return ""
    return text


def _plain_words(told: Told) -> int:
    """The words at the start that are never quoted: a verb, a name, "The framework"."""
    if told.textual:
        return 1
    if told.kind == "means":
        return 3
    match = re.match(r"(?:(?:[A-Z]|v?\d)[\w.-]* )+|[a-z]+[A-Z]\w* ", told.text)
    return len(re.findall(r"\w+", match[0])) if match else 0  # "Co-PACRR" is two, as the marks count


def of_told(
    told: Told, passage: str, known: str, evidence: str, several: bool, title: str = ""
) -> Fact | None:
    """None where the sentence cannot stand in a section. `known`: what the reader has read, the draft, and the
    paper's title."""
    if re.search(r"\b(?:our|us)\b", told.source, re.I) and re.search(r"\b(?:their|them|they)\b", told.text):
        return None  # what "their" would then mean is not clear
    told = _plainer(told, several)
    if _MODEST.search(told.text) or _EMPTY_VERB.match(told.text):
        return None
    forms = [form for form in (told, as_name(told), *fronted(told)) if form]
    for way in (compressed, barely):
        short = [
            c
            for form in forms
            if (c := way(form, passage, title, several)) and _is_whole(c.told, passage, known)
        ]
        if short:
            best = max(
                short, key=lambda c: c.worth - 0.5 * bool(c.told.lead) + 0.5 * (c.told.kind == "name")
            ).told
            return Fact(
                best.kind,
                best.text,
                best.textual,
                best.lead,
                best.verb,
                evidence,
                best.secondary,
                way is barely,
            )
    made = [
        (_quoted_words(text), form, text)
        for form in forms
        if (text := final(form, passage, several)) and ends_whole(text, True)
    ]
    if not made:
        return None
    _, told, text = min(made, key=lambda one: one[0])
    if told.kind in ("offer", "study", "act", "name") and (plain := unquoted(text)):
        text = "" if fault(plain, told.lead, told.textual, several) else plain
    if not text:
        return None
    if leans(text, known) or unexplained(f"{told.lead} {text}", passage, known) or _is_strange(told, known):
        return None
    return Fact(told.kind, text, told.textual, told.lead, told.verb, evidence, told.secondary)


def _is_whole(told: Told, passage: str, known: str) -> bool:
    return not (
        leans(told.text, known)
        or unexplained(f"{told.lead} {told.text}", passage, known)
        or _is_strange(told, known)
    )


def _is_strange(told: Told, known: str) -> bool:
    """Whether a sentence that introduces nothing names a system of which the reader has not heard."""
    names = re.findall(r"\b(?:[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{3,}\w*)\b", told.text)
    introduced = told.kind not in ("find", "name", "statement") or " is a" in told.text or "(" in told.text
    return not introduced and any(n not in known and n not in _COMMON for n in names)


def _quoted_words(text: str) -> int:
    return sum(len(words(piece)) for piece in re.findall("“[^”]*”", text))


_PAIR = re.compile(
    r"^(?:introduce|define|present|study|identify)s? and (?P<verb>[a-z]+) (?=an?\b|the\b|how\b|two\b)"
)
_FURTHER = re.compile(
    r"(?:,? and|;|,) (?:then |also |further |thus )?(?:(?:propose|introduce|present|develop|design|show|demonstrate|find|prove|analyze|study|discuss|report"
    r"|highlight|uncover|organize|identify|provide|evaluate|test|validate|apply|conduct|investigate|derive|explore|release|describe|establish)(?:s|es)?"
    r"|empirically \w+|theoretically \w+) (?=(?:an?|the|that|how|its|their|how|why|whether|several|new|novel|two|three|it|results)\b)"
)


def _plainer(told: Told, several: bool) -> Told:
    """With one verb, and without a lead that leans on what stood before it."""
    text = re.sub(r"^(\w+),? for (?:example|instance),? that", r"\1 that", told.text)
    pair = _PAIR.match(text)
    if pair and told.textual:
        verb = base(pair["verb"]) or pair["verb"]
        text = f"{verb if several else singular(verb)} {text[pair.end() :]}"
    second = _FURTHER.search(text)
    if second and told.textual and told.kind != "find" and _is_main(text[: second.start()]):
        text = f"{text[: second.start()].rstrip(' ,;–')}."
    lead = told.lead
    if lead and (
        told.kind != "offer" or not re.match(r"(?:To|For) [a-z]+ |In a ", lead) or _POINTS_BACK.search(lead)
    ):
        lead = ""
    return replace(told, text=text, lead=lead)


def _is_main(start: str) -> bool:
    """Whether a verb that follows with "and" belongs to the main clause, and enough stands before it."""
    return len(words(start)) >= _SHORT and not _SUBORDINATE.search(start)


_SUBORDINATE = re.compile(
    r"\b(?:that|which|who|whose|how|whether|why|when|where|while|if|can|could|may|to|no|not|never|rarely|hardly|without)\b"
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|them|they|their|this|these|those|such|both|question|problems?|challenges?|issues?|gap|the)\b"
)
_SHORT = 5  # words that a first verb keeps when the second is left out
_MODEST = re.compile(
    r"\b(?:outperform\w*|superior\w*|state[- ]of[- ]the[- ]arts?|SOTA|the (?:effectiveness|efficacy|superiority|efficiency)|competitive|extensive (?:experiments|evaluations?)|promising"
    r"|experimentally|good performance|strong performance|high performance|better performance|(?:significant|substantial) (?:improvement|performance)\w*|on (?:\w+ ){0,3}(?:datasets|benchmarks)"
    r"|presents? results|first time|(?:the|a) first (?:work|paper|study|attempt|to)|a time|case study|effective solution|room for|future (?:research|work|directions)|open[- ]sourced?|code|several experiments|challenge results|important yet|pressing need|intriguing fact"
    r"|(?:detailed|thorough|comprehensive) (?:description|investigation)|(?:two|three|several) merits|the insight)\b",
    re.I,
)
_EMPTY_VERB = re.compile(
    r"(?:implement|evaluate|assess|test|conduct|perform|validate|verify|release|report|publish|hope|believe|highlight"
    r"|begin|conclude|emphasize|outline|discuss|detail|run|carry|go|set|bring|expect)(?:s|ies|es)? "
)
_BACK = (  # heads of what a sentence speaks of as known: without a mention before, the reader asks which
    "method approach framework algorithm technique agent agents accelerator server encoder decoder generator discriminator module modules problem issue"
    " components results analysis strategy loss student teacher attacker adversary challenge proof solution solutions experiment experiments application theorem"
    " protocol dataset benchmark scheme phase stage parties competition study tradeoff trade-off".split()
)
_DEFINITE = re.compile(
    rf"\b[Tt]he ((?:[\w’-]+ ){{0,3}}?)({'|'.join(_BACK)})\b(?! (?:of|that|which|for|in which|to|between|where|called|named|from)\b)"
)


def leans(text: str, known: str) -> bool:
    """Whether it speaks of "the agent" where neither what is known nor the sentence itself had an agent before."""
    for match in _DEFINITE.finditer(text):
        before = f"{known} {text[: match.start()]}".lower()
        named = [w.lower()[:6] for w in (*match[1].split(), match[2].removesuffix("s")) if len(w) > 3]
        if match.start() == 0 or any(w in before for w in named):
            continue
        return True
    start = " ".join(text.split()[:9])
    lost = re.search(r"\b(?:its|their|they|them|it)\b", start)
    if lost and not re.search(r"\b(?:that|which|who|whose|where|while|and)\b", start[: lost.start()]):
        return True
    return bool(_ELSEWHERE.search(text))


_ELSEWHERE = re.compile(
    r"\b(?:former|latter|aforementioned|(?<!the )above(?! all| the)|respectively|[Bb]oth (?:settings|cases|types|approaches|classes|paradigms)|the (?:two|three|four|other)"
    r"|these|this|those(?! (?:of|that|who|which|in|from))|such (?!as\b|that\b)(?:an? )?[\w-]+)\b"
)


_COMMON = frozenset(
    "LLM LLMs CNN CNNs RNN RNNs GNN GNNs GAN GANs NLP AI ML RL GPU GPUs CPU CPUs FPGA FPGAs ASIC DNA RNA MRI CT API APIs SQL KV QA BERT GPT"
    " DNN DNNs NP IoT PDE ODE SVM LSTM RAG VR AR HTTP URL XML PDF UK US USA EU COVID".split()
)


def unexplained(text: str, passage: str, known: str) -> bool:
    """Whether abbreviations are used that the passage explains somewhere else; one is let pass, if it is no pair of
    letters."""
    missing = 0
    for short in re.findall(r"(?<![\w-])[A-Z][A-Za-z]*[A-Z]s?(?![\w-])", text):
        bare = short.removesuffix("s") if short[-2:-1].isupper() else short
        told = f"({bare})" in text or f"({short})" in text or f"({bare}s)" in text
        if short in _COMMON or bare in _COMMON or told or re.search(rf"\b{re.escape(bare)}", known):
            continue
        if re.search(rf"\({re.escape(bare)}s?\)", passage) or len(bare) == 2:
            missing += 1 + (len(bare) == 2)
    return missing > 1


def main(facts: Sequence[Fact], title: str) -> Fact | None:
    """What the paper chiefly does: it offers or studies what its title announces; else its first full fact."""
    first = [f for f in facts if f.kind in ("offer", "study", "name") and not f.secondary]
    facts = [f for f in facts if len(stems(f"{f.lead} {f.text}") - stems(title)) > 1]
    first = [f for f in facts if f in first]
    first.sort(key=lambda f: f.verb in _MINOR)
    chief = [f for f in first if f.verb in _CHIEF]
    orders = (
        [f for f in chief if f.words() >= _FULL and shared(f.text, title) >= 2],
        [f for f in first if f.words() >= _FULL and shared(f.text, title) >= 2],
        [f for f in first if f.words() >= _FULL and shared(f.text, title)],
        [f for f in facts if f.words() >= _FULL and f.kind == "find" and shared(f.text, title) >= 2],
        [f for f in first if shared(f.text, title)],
        [
            f
            for f in facts
            if f.words() >= _FULL and f.kind in ("offer", "study", "find", "name", "statement")
        ],
    )
    return next((order[0] for order in orders if order), None)


_CHIEF = frozenset("propose introduce present develop describe design study investigate analyze".split())
_MINOR = frozenset(
    "adopt provide use employ apply enhance incorporate suggest consider address offer".split()
)
_FULL = 9  # words from which a sentence says more than a title


_MORE = 8  # words from which a second sentence is worth its reading
_ORDER = ("find", "means", "name", "act", "study", "offer", "statement", "problem")


def besides(facts: Sequence[Fact], first: Fact) -> list[Fact]:
    """What can be told of a paper besides `first`, what came of it before how it works."""
    known = stems(f"{first.lead} {first.text}")
    rest = [
        f
        for f in facts
        if f is not first
        and f.words() >= _MORE
        and not f.lead
        and (f.kind != "means" or first.kind in ("offer", "name"))
        and len(stems(f.text) - known) >= max(4, len(stems(f.text)) / 2)
    ]
    return sorted(rest, key=lambda f: _ORDER.index(f.kind))
