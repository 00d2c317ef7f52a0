"""Makes the sentence that quotes a sentence of a paper.

The words in quotation marks are copied exactly; only the paper's verb and the citation are outside them. The
authors are named, so that readers do not think that "we" means the authors of the draft."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ...text.words import STOP_WORDS
from ...types import Sentence

PAPER = r"(?:paper|work|study|article|survey|thesis)"
OWN = re.compile(
    rf"\b(?:we|our|ours|us|my|the authors|this (?:\w+ )?{PAPER})\b|(?:^|, |^Here )(?-i:I)(?= [a-z])",
    re.IGNORECASE,
)
_IN_THIS_PAPER = re.compile(
    rf"^(?:In this (?:\w+ )?{PAPER}|Here)(?:, | (?=(?:we|an?|the)\b))| in this (?:\w+ )?{PAPER}$"
)
MAKING = ("propose", "introduce", "present", "develop", "design", "describe")
DOING = (  # neither these verbs nor those of `MAKING` claim a result
    "address analyze apply build combine compare consider construct define discuss evaluate examine explore extend"
    " formulate implement investigate provide release review study survey train"
).split()
_REPORT = re.compile(
    rf"(?:(?P<lead>[^;]+?,|To [^;,]+) )??(?i:(?:we|the authors)|(?:this (?:\w+ )?|our |the (?=paper))(?P<noun>{PAPER})) "
    r"(?:(?:also|first|then|further|thus|therefore|here|now) )*"
    r"(?P<verb>(?!(?:not|in|as|for|by|with|both|all|only|who|is|are|do|will|shall|may|might|could|would|should|must)\b)"
    r"(?:(?:have|has|can) )?[a-z]+(?:(?<=ly)(?<!\bapply)(?<!\bimply)(?<!\brely) [a-z]+)?"
    r"(?: and (?:[a-z]+ly )?[a-z]+)?(?: that| to| on| out)?) "
    r"(?P<rest>[^\W_].*)"
)
AND_VERB = re.compile(rf" and (?:\w+ly )?(?:{'|'.join((*MAKING, *DOING))}|[a-z]+ that)\b")
_SINGLE = str.maketrans("“”", "‘’")  # quotation marks within a quotation
_FEWEST = 3  # least number of words after the verb
POINTS = re.compile(
    r"\b(?:this|th[eo]se|such(?! as)|its?|they|them|their|both|another|the (?:two|above|former|latter))\b",
    re.IGNORECASE,
)
_AIM = re.compile(  # "EvaLDA to solve it", but neither "designed to solve it" nor "the only algorithm to solve it"
    r"^(?!the [a-z])(?P<made>(?:(?!\b(?:that|which|where|how|and|first|only)\b).)+ (?!\w+(?:ed|ing) )[^\W\d_][^\s,]+),?"
    r" (?:to|that|which) (?:\w+ly )?(?!\w+ing )[a-z]+ (?:it|them|this|these|such|both(?!.* and ))\b.*"
)
_IN_PARENTHESES = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\[[^][]*\]|\$[^$]*\$|‘[^’]*’")
_NEAR = 6  # words after the verb in which "it" may mean something in a part that is left out
_LONG = 24  # words; a longer quotation ends at a comma, if a clause ends there
_LEFT = 8  # least number of words before this comma
_CLAUSE = 4  # least number of words of the clause after it; shorter ones are mostly items of a list


def is_report(text: str) -> bool:
    """Whether the sentence reports what its authors did and can be quoted after their names."""
    return parts_of(text) is not None


def description(text: str, evidence: str, authors: int) -> Sentence:
    """The same as `quotation`, but without quotation marks, for text that the authors of the paper did not
    write."""
    made = quotation(text, evidence, authors)
    if made.textual and made.text.startswith("write"):  # the authors did not write this text
        return Sentence(text, (evidence,))
    bare = {ord(mark): None for mark in "“”"}
    return replace(made, text=made.text.translate(bare), lead=made.lead.translate(bare))


def quotation(text: str, evidence: str, authors: int) -> Sentence:
    """A sentence that quotes `text`, a whole sentence of a paper. If `text` is in the first person or about
    "this paper", the citation becomes the subject; otherwise all of `text` is in quotation marks. A clause at the
    end of a long sentence is left out. Quotation marks within become single. `authors`: the number of authors, 0 if
    unknown."""
    text = text.removesuffix(".").translate(_SINGLE)
    parts = parts_of(text)
    own = parts is not None and authors == 1 and not parts[0] and parts[1] in (*MAKING, *DOING)
    own = own and not (parts and AND_VERB.search(parts[2]))  # "introduces … and show"
    if parts and (own or authors > 1 or bool(authors) == parts[0].endswith(" by")):
        lead, verb, rest = parts
        verb = singular_of(verb) if own else verb
        rest = rest if verb.endswith(" that") else _shortened(rest)
        return Sentence(f"{verb} “{rest}”.", (evidence,), textual=True, lead=lead)
    bare, writes = _IN_THIS_PAPER.sub("", text), "writes" if authors == 1 else "write"
    if OWN.search(bare):
        return Sentence(f"{writes}: “{text}”.", (evidence,), textual=True)
    if bare != text and text.endswith(bare):
        return Sentence(f"{writes} that “{bare}”.", (evidence,), textual=True)
    return Sentence(f"“{bare}”.", (evidence,))


def singular_of(verb: str) -> str:
    """The verb for a single author: "studies", "surveys", "addresses"."""
    ending = "es" if verb.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{verb[:-1]}ies" if re.search("[^aeiou]y$", verb) else f"{verb}{ending}"


def parts_of(text: str) -> tuple[str, str, str] | None:
    """The words before the authors' names, the verb, and the rest; None if the sentence has another form. What
    precedes the subject is left out, unless it may restrict what is claimed ("For trees, we prove …")."""
    found = _REPORT.fullmatch(_IN_THIS_PAPER.sub("", text.removesuffix(".")))
    if not found:
        return None
    lead, verb, rest = found["lead"] or "", found["verb"], found["rest"]
    if verb.split()[0].removesuffix("s") in MAKING:
        rest = _AIM.sub(r"\g<made>", rest)
    if (own := OWN.search(rest)) and not verb.endswith(" that"):
        rest = _shortened(rest, own.start())
    if len(rest.split()) < _FEWEST or OWN.search(rest) or POINTS.match(rest):  # "compare it with experts"
        return None
    beginning = " ".join(rest.split()[:_NEAR])
    first = verb.split()[0]
    claims = not {first, first.removesuffix("s")}.intersection((*MAKING, *DOING))
    restricts = claims and " " in lead and not lead.lower().startswith("to ")
    if lead and (restricts or verb.endswith(" that") or lead.split()[-1] in STOP_WORDS):
        return None  # "to see how we read"
    if lead and POINTS.search(beginning):
        return None
    if not found["noun"]:
        return "", verb, rest
    if not any(word.endswith(("s", "ed")) for word in verb.split()):  # "this thesis present"
        return None
    return f"The {found['noun'].lower()} by", verb, rest


def _shortened(text: str, end: int | None = None) -> str:
    """The text up to the last place where a clause ends, before the place `end` or within `_LONG` words; all of it
    if it is not too long, or if there is no such place. Of 75 sentences that were shortened so, 5 were
    incomplete."""
    if end is None and len(text.split()) <= _LONG:
        return text
    before = (part for part in clause_ends(text) if len(part) < (end or len(text)))
    return max((part for part in before if len(part.split()) <= _LONG), key=len, default=text)


def clause_ends(text: str) -> Iterator[str]:
    """The text up to each comma or semicolon that ends a clause, the shortest part first. Commas of lists end none:
    a short clause follows, or what precedes is an article with an adjective. "Not only …, but …" stays whole."""
    bare = masked(text)
    places = [match.start() for match in re.finditer("[,;:](?= )", bare)]
    for place, following in pairwise([*places, len(text)]):
        before, after = text[:place].lower().split(), text[place + 1 : following].split()
        if text[place] == ":" or text[place - 1] == "." or STOP_WORDS.issuperset(before[-1:]):  # "e.g., "
            return
        if len(before) >= _LEFT:
            if len(after) < _CLAUSE or after[0] == "but" or after[0].startswith("(") or _is_item(after):
                return
            if after[0] in STOP_WORDS or not STOP_WORDS.intersection(before[-2:]):
                yield text[:place]


def masked(text: str) -> str:
    """The text with letters in place of what is in parentheses."""
    return _IN_PARENTHESES.sub(lambda match: "x" * len(match[0]), text)


def _is_item(after: Sequence[str]) -> bool:
    """Whether a list goes on after the comma: of 276 quotations that ended at a comma, 8 ended within a list."""
    is_clause = after[0] in STOP_WORDS or after[0].endswith("ing")
    return not is_clause and not {"and", "or"}.isdisjoint(after[:4])
