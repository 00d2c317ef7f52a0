"""What a paper offers, taken apart: "propose Deepjoin, a deep learning model for joinable table discovery".

The parts are a name, a noun phrase of its kind, and what is said of it in segments that can be left out from
the end. What does not come apart this way is None: it is never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .grammar import article, without_praise
from .retelling import GIVING
from .sentences import words
from .standalone import Told

_WORD = r"[A-Za-z0-9][\w+’/-]*"
NAME = r"(?:[A-Z][\w+-]*[A-Z0-9+][\w+-]*|[a-z]{1,3}[A-Z][\w-]*)(?:[ -](?:[A-Z][\w+-]*|\d[\w.]*))?"  # DeepJoin, nnU-Net
_CAPITALS = r"(?:[A-Z][\w+-]+)(?: [A-Z][\w+-]+){0,5}"  # Nucleus Sampling
_CALLED = (
    r"(?:,? (?:which (?:we|they) (?:call|name|dub|term|refer to as)|called|named|dubbed|termed|coined|namely"
    r"|i\.e\.,?|referred to as|denoted as|denoted)(?: as)?|,)"
)
KINDS = frozenset(
    """framework model method approach algorithm system benchmark dataset corpus architecture technique tool
    network strategy scheme mechanism pipeline library platform toolkit agent metric loss solution procedure
    paradigm accelerator engine protocol estimator simulator attack defense survey review study analysis task
    module detector classifier classification encoder decoder transformer objective formulation theory suite
    assistant simulation representation theorem extension variant family class set collection
    baseline perspective process policy optimizer sampler index cache scheduler format language interface
    environment challenge recommender retriever test criterion evaluation bound generalization
    appliance package design implementation co-design function kernel regularizer score measure
    oracle methodology taxonomy overview tutorial program training learning search quantization""".split()
)
_ADJECTIVES = re.compile(r"^(an? )((?:[a-z]+(?:-[a-z]+)*, )+)(?:and )?(?=[a-z-]+ [a-z])")
_BOUNDARY = re.compile(
    r",? (?=(?:that|which|where|whose|for|to|based|built|using|with|in|by|from|via|through|on|under|over|between"
    r"|capable|consisting|designed|aimed|tailored|trained|without|while|as|at|so|when|when|by|across|within|upon"
    r"|instead|rather|because|aiming|leveraging|combining|exploiting|inspired|dedicated|specifically|called|into)\b)|(?:,|;|:| –) "
)


@dataclass(frozen=True, slots=True)
class Contribution:
    """`kind` is a noun phrase with its article; `said` follows it: segments, each grammatical after the ones
    before it. `verb` in its base form."""

    verb: str
    name: str
    kind: str
    said: tuple[str, ...]

    @property
    def head(self) -> str:
        """The kind's last noun, in the singular: "framework"."""
        return re.sub(r" of .*$", "", self.kind).split()[-1].lower()


def contribution(told: Told, title: str) -> Contribution | None:
    """None where the sentence offers nothing, or does not come apart."""
    if not told.textual or told.verb not in GIVING:
        return None
    rest = told.text.split(" ", 1)[1].rstrip(".")
    rest = re.sub(r"\b(an?) (?:efficient|effective|simple|powerful) (?:and|yet|but) [\w-]+ ", r"\1 ", rest)
    found = _named(rest, title) or _plain(rest)
    if not found:
        return None
    name, kind, after = found
    kind = re.sub(r"^the first ", "a ", without_praise(_with_article(kind)))
    kind = _with_article(re.sub(r"^an? ", "", kind)) if kind.startswith(("a ", "an ")) else kind
    head = re.sub(r" of .*$", "", kind).split()[-1].lower()
    if (
        head not in KINDS
        or len(kind.split()) > 9
        or "(" in kind
        or (name and name.split()[-1] in ("The", "A"))
    ):
        return None
    return Contribution(told.verb, name, kind, _segments(after))


def _named(rest: str, title: str) -> tuple[str, str, str] | None:
    """(name, kind, what follows)."""
    head = re.match(r"^([^:?!]{2,40}):", title)
    own = re.escape(head[1].strip()) if head else "(?!)"
    any_name = rf"(?:{own}|{NAME}|{_CAPITALS})"
    patterns = (
        rf"^(?:the )?(?P<name>{any_name})(?: \([^()]{{2,40}}\))?(?:,|:| –) (?P<kind>(?:an?|the first) .+)$",
        rf"^(?P<kind>an? [^,;:()]{{4,80}}?){_CALLED} (?P<name>{any_name})(?: \([^()]{{2,40}}\))?(?P<rest>(?:,| ).*|)$",
        rf"^(?P<kind>an? [^,;:()]{{4,80}}?) \((?P<name>[A-Z][\w-]{{1,11}}|{own})\)(?P<rest>(?:,| ).*|)$",
        rf"^(?:the )?(?P<name>{any_name}) (?P<kind>framework|model|benchmark|dataset|method|algorithm|system|approach)"
        r"(?P<rest>,? (?:for|to|that|which|by|with|using)\b.*|)$",
    )  # fmt: skip
    for pattern in patterns:
        match = re.match(pattern, rest)
        if match and re.search(
            r"^(?:CNNs?|RNNs?|LLMs?|GANs?|GNNs?|RL|FL|NLP|AI|ML|DNNs?|CL)$", match["name"]
        ):
            continue  # what everybody calls so
        if not match or not re.search(r"[A-Z]", match["name"]) or _abbreviates_less(match):
            continue
        if re.search(r"[A-Z]{2,}[a-z]+ | [A-Z]{2,}[a-z]+", match["name"]):
            continue  # "GRAph Matching by Pairwise eigen-Alignments": it spells out an acronym
        parts = match.groupdict()
        kind, behind = _cut(parts["kind"])
        tail = re.match(rf" ((?:[a-z-]+ )?(?:{'|'.join(sorted(KINDS))}))\b(?= |,|$)", parts.get("rest") or "")
        if tail and not behind:  # "a mobile architecture search (MNAS) approach"
            kind, parts["rest"] = f"{kind}{tail[0]}", parts["rest"][tail.end() :]
        after = f"{behind}{parts.get('rest') or ''}" if parts.get("rest") else behind
        return parts["name"].strip(), kind, after
    return None


def _abbreviates_less(match: re.Match[str]) -> bool:
    """ "a method for super-resolution (SR)": the brackets abbreviate what the thing is for, and are no name of it."""
    before = re.split(r" (?:for|of|to|on|in|with|by|using|via) ", match["kind"])
    name = match["name"].removesuffix("s")  # "Quantized Neural Networks (QNNs)"
    if len(before) < 2:
        return False
    initials = "".join(piece[0] for piece in re.split(r"[ -]", before[-1]) if piece).lower()
    if name.isupper():
        return initials.endswith(name.lower())
    capitals = "".join(re.findall("[A-Z]", name))  # "a set of large Time-Continual (TiC) benchmarks"
    return len(capitals) > 1 and before[-1].split()[-1][:1].isupper() and initials.endswith(capitals.lower())


def _plain(rest: str) -> tuple[str, str, str] | None:
    if not re.match(r"^an? [a-zA-Z]", rest):
        return None
    kind, behind = _cut(rest)
    return "", kind, behind


def _cut(phrase: str) -> tuple[str, str]:
    """The noun phrase at the start, and what follows it."""
    row = _ADJECTIVES.match(phrase)  # "an automatic, compiler-based system"
    match = _BOUNDARY.search(phrase, row.end() if row else 0)
    return (phrase[: match.start()], phrase[match.start() :]) if match else (phrase, "")


def _with_article(kind: str) -> str:
    if re.match(r"^(?:an?|the|two|three|several) ", kind):
        return kind
    return f"{article(kind)} {kind}"


_STARTS = re.compile(
    r"(?:,? and|,)? (?=(?:that|which|to [a-z]|for|based on|built on|using|by [a-z]+ing|consisting of|capable of"
    r"|designed|aimed at|tailored|with|where|without|from|leveraging|combining|while [a-z]+ing|in|on|under)\b)"
)


def _segments(after: str) -> tuple[str, ...]:
    """What follows the noun phrase, cut where a phrase of its own begins; the first is always whole."""
    text = after.strip().lstrip(",;:–").strip()
    if not text:
        return ()
    if not re.match(r"(?:that|which|to|for|based|built|using|by|consisting|capable|designed|aimed|tailored|with|where"
                    r"|without|from|leveraging|combining|in|on|under|via|through|trained|exploiting)\b", text):  # fmt: skip
        return ()
    found, start = [], 0
    for match in re.finditer(r", (?=which|where|while|thereby|using|by|leveraging|and)|;| – ", text):
        found.append(text[start : match.start()])
        start = match.start()
    found.append(text[start:])
    return tuple(part for part in found if part.strip())


def length(parts: tuple[str, ...]) -> int:
    return sum(len(words(part)) for part in parts)
