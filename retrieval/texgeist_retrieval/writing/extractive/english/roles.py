"""What a paper says beside its offer: the problem that it starts from, how its method works, what came of it.

Each is read by its form alone; what has another form is nothing here."""

from __future__ import annotations

import re

from .grammar import KNOWN, upper_first
from .retelling import CONNECTIVE
from .sentences import is_rubble
from .standalone import EMPTY, NUMBERS, Told, fits, is_dangling

_WORKS = (
    r"(?:methods|approaches|works?|techniques|models|systems|studies|solutions|algorithms|research|benchmarks"
    r"|datasets|frameworks|literature|tools|defenses|attacks|practices|proposals|efforts|policies|schemes|strategies)"
)
_PROBLEM = re.compile(
    rf"^(?:[Ee]xisting|[Cc]urrent|[Pp]revious|[Pp]rior|[Tt]raditional|[Cc]onventional|[Mm]ost(?: of the)? existing|[Mm]ost|[Mm]any)"
    rf" (?:[\w-]+ ){{0,4}}{_WORKS}(?: (?:for|on|in|to|of) (?:[\w-]+ ){{0,5}}[\w-]+?)?,? (?:\w+ly )?"
    r"(?!(?:of|for|in|on|to|that|which|who|and|or|with|by|from|at|such|as|like|including)\b)[a-z]+(?<!ing)(?<!ed)\b .+\.$"
)
_FOUND = re.compile(
    r"^(?:(?:Extensive |Our |The |Numerical |Empirical |Comprehensive |Simulation |Theoretical )*(?:experiments?|experimental results|results|evaluations?|analys[ei]s"
    r"|simulations|findings)\b(?:(?!\b(?:by|other|others|literature|previous|prior|earlier|recent|existing)\b)[^,.]){0,60}?) (?P<verb>shows?|demonstrates?|reveals?|indicates?|suggests?|finds?|confirms?) that"
    r" (?P<what>.+\.)$",
    re.I,
)
HEADS = r"(?:framework|model|method|approach|algorithm|system|architecture|technique|strategy|mechanism|pipeline|protocol|scheme|accelerator|benchmark|dataset|solution|tool)"
# "This method" may be another's, of which the sentence before speaks.
_OURS = re.compile(
    rf"^(?:Our |The proposed )(?:(?:novel|new|proposed|key) )?(?P<head>{HEADS}) (?P<rest>(?:[a-z]+ly )?(?P<verb>[a-z]+s) .+\.)$"
)
_MORE_VERBS = frozenset(
    "learns captures reduces exploits combines integrates uses employs leverages utilizes treats models maps encodes decodes generates predicts retrieves ranks"
    " selects splits merges fuses aggregates projects computes estimates transforms converts decomposes replaces removes adds keeps stores caches allocates"
    " assigns schedules routes trains optimizes minimizes maximizes updates adapts adjusts extends generalizes preserves maintains retains enforces"
    " ensures guarantees allows enables supports handles avoids prevents mitigates eliminates requires needs relies builds constructs creates produces"
    " extracts detects identifies classifies segments compares evaluates measures covers contains consists comprises includes introduces applies"
    " separates isolates aligns matches samples filters prunes compresses quantizes distills transfers shares exchanges explains translates searches explores"
    " infers recovers reconstructs simulates approximates represents describes formulates casts reformulates operates works runs scales unifies".split()
)
_PART = re.compile(r"\w+ (?:is|are|was|were|of|for|in|has|have)\b")  # "The model updates are …": a noun
_CONTRAST = re.compile(r"^(?:However|In contrast|By contrast|On the other hand|Nevertheless|Unfortunately)\b")


def of_problem(sentence: str) -> Told | None:
    """ "However, existing methods require X." -> "note that existing methods require X."."""
    plain = re.sub(r"^(?:But|Yet|However|Unfortunately|Nevertheless|Nonetheless),? ", "", sentence)
    if not _PROBLEM.match(plain) or _unsafe(plain):
        return None
    return Told(f"note that {plain[0].lower()}{plain[1:]}", True, "problem", sentence, verb="note")


def of_result(sentence: str) -> Told | None:
    """ "Experiments show that X holds." -> "find that X holds."."""
    plain = upper_first(CONNECTIVE.sub("", sentence))
    match = _FOUND.match(plain)
    if not match or _unsafe(match["what"]):
        return None
    return Told(f"find that {match['what']}", True, "find", sentence, verb="find")


def of_means(sentence: str) -> Told | None:
    """ "Our framework combines X with Y." -> "The framework combines X with Y.": behind the sentence that offers it."""
    plain = upper_first(CONNECTIVE.sub("", sentence))
    match = _OURS.match(plain)
    if not match or _CONTRAST.match(sentence) or _unsafe(plain) or _PART.match(match["rest"]):
        return None
    if match["verb"] not in _MORE_VERBS and match["verb"].removesuffix("s") not in KNOWN - {
        "achieve",
        "obtain",
    }:
        return None
    return Told(f"The {match['head']} {match['rest']}", False, "means", sentence, verb=match["verb"])


def _unsafe(text: str) -> bool:
    bare = re.sub(r"^(?:Our|This) ", "The ", text)
    return bool(
        is_rubble(text) or NUMBERS.search(text) or EMPTY.search(text) or is_dangling(bare)
        or not fits(bare) or re.search(r"\b(?:it|its|they|their|them)\b", " ".join(bare.split()[:6]))
    )  # fmt: skip
