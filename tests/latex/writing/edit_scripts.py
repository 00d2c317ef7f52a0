"""What authors do to a generated section, as random scripts whose every act is remembered."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from texgeist_latex.tex.sentences import keys_of, normal, paragraphs, split

OWN_KEYS = ("authorown2020one", "authorown2021two")
_ASIDES = ("% {0}: check this", "\\begin{{equation}}\n  {0} = x^2 .\n\\end{{equation}}", "\\medskip")
_CITE = re.compile(r"\\[A-Za-z]+\*?(?:\[[^\]]*\])*\{[^{}]*\}|\\.")


@dataclass
class Sentence:
    text: str
    mine: bool = False  # the author wrote or changed it


@dataclass
class Edited:
    """A section as the author left it. `mine` are the stretches of text that must survive, in order."""

    paragraphs: list[list[Sentence]]
    rng: random.Random
    gone: list[str] = field(default_factory=list)  # sentences as written, one line each
    moved: list[str] = field(default_factory=list)
    layout: str = "as it was"
    newline: str = "\n"
    count: int = 0

    @property
    def mine(self) -> list[str]:
        return [each.text for paragraph in self.paragraphs for each in paragraph if each.mine]

    def text(self) -> str:
        parts = [self._lines([each.text for each in paragraph]) for paragraph in self.paragraphs if paragraph]
        return ("\n\n" + "\n\n".join(parts) + "\n").replace("\n", self.newline)

    def _lines(self, texts: list[str]) -> str:
        made = ""
        for text in texts:
            alone = text.startswith(("%", "\\begin", "\\medskip"))
            if made:
                made += "\n" if alone or made.endswith("\n") or self.layout == "sentence" else " "
            made += text + ("\n" if alone else "")
        return made.rstrip("\n")

    def word(self) -> str:
        self.count += 1
        return f"zq{self.count:03d}"


def read(body: str, rng: random.Random) -> Edited:
    pieces = split(body)
    return Edited([[Sentence(pieces[n].text) for n in place] for place in paragraphs(pieces)], rng)


def _some(made: Edited, generated: bool = True) -> tuple[list[Sentence], int] | None:
    places = [
        (paragraph, n)
        for paragraph in made.paragraphs
        for n, each in enumerate(paragraph)
        if not (generated and each.mine)
    ]
    return made.rng.choice(places) if places else None


def edit(made: Edited) -> None:
    if (found := _some(made)) is None:
        return
    paragraph, n = found
    words = paragraph[n].text.split(" ")
    at = made.rng.randrange(len(words))
    if words[at].startswith("\\") or "{" in words[at]:
        words.insert(at, made.word())
    else:
        words[at] = made.word()
    paragraph[n] = Sentence(" ".join(words), True)


def delete(made: Edited) -> None:
    if found := _some(made):
        paragraph, n = found
        made.gone.append(normal(paragraph.pop(n).text))


def move(made: Edited) -> None:
    if found := _some(made):
        paragraph, n = found
        sentence = paragraph.pop(n)
        other = made.rng.choice(made.paragraphs)
        other.insert(made.rng.randrange(len(other) + 1), sentence)
        made.moved.append(normal(sentence.text))


def halve(made: Edited) -> None:
    """One sentence becomes two."""
    if (found := _some(made)) is None:
        return
    paragraph, n = found
    words = paragraph[n].text.split(" ")
    if len(words) < 8:
        return
    at = len(words) // 2
    first, second = " ".join(words[:at]), " ".join(words[at:])
    if first.count("{") != first.count("}") or first.count("``") != first.count("''"):
        return
    paragraph[n : n + 1] = [Sentence(f"{first}.", True), Sentence(f"And {made.word()} {second}", True)]


def cite(made: Edited) -> None:
    if (found := _some(made)) is None:
        return
    paragraph, n = found
    text = paragraph[n].text
    end = re.search(r"[.!?](?:''|\))*\Z", text)
    at = end.start() if end else len(text)
    key = made.rng.choice(OWN_KEYS)
    paragraph[n] = Sentence(f"{text[:at]}~\\cite{{{key}}}{text[at:]}", True)


def add(made: Edited) -> None:
    paragraph = made.rng.choice(made.paragraphs)
    kind = made.rng.randrange(4)
    word = made.word()
    text = (
        f"We add that {word}, {made.word()} and e.g. 3.5 others do so~\\citep[p.~3]{{{OWN_KEYS[0]}}}."
        if kind == 3
        else _ASIDES[kind].format(word)
    )
    if text == "\\medskip":
        text = f"% {word}\n\\medskip % {word}"
    paragraph.insert(made.rng.randrange(len(paragraph) + 1), Sentence(text, True))


def translate(made: Edited) -> None:
    """Every word of a paragraph, but no command, becomes another."""
    paragraph = made.rng.choice(made.paragraphs)
    for n, each in enumerate(paragraph):
        if each.mine:
            continue
        held, last = [], 0
        for match in _CITE.finditer(each.text):
            held += [_foreign(each.text[last : match.start()]), match[0]]
            last = match.end()
        paragraph[n] = Sentence("".join([*held, _foreign(each.text[last:])]), True)


def _foreign(text: str) -> str:
    return re.sub(r"[A-Za-z]{2,}", lambda m: m[0][::-1].capitalize() + "um", text)


def reflow(made: Edited) -> None:
    """All in other lines: one a paragraph, one a sentence, or of another width. Nobody's words change."""
    made.layout = made.rng.choice(["paragraph", "sentence", "width"])
    width = made.rng.randrange(40, 120)
    for paragraph in made.paragraphs:
        for each in paragraph:
            if each.text.startswith(("%", "\\begin", "\\medskip")):
                continue
            flat = normal(each.text)
            if made.layout == "width":
                flat = "\n".join(textwrap.wrap(flat, width, break_long_words=False, break_on_hyphens=False))
            each.text = flat


def join(made: Edited) -> None:
    """Two paragraphs become one."""
    if len(made.paragraphs) > 1:
        at = made.rng.randrange(len(made.paragraphs) - 1)
        made.paragraphs[at : at + 2] = [made.paragraphs[at] + made.paragraphs[at + 1]]


def windows(made: Edited) -> None:
    made.newline = "\r\n"


ACTS: tuple[Callable[[Edited], None], ...] = (
    edit, delete, move, halve, cite, add, translate, reflow, join, windows,
)  # fmt: skip


def played(body: str, seed: int, most: int = 5) -> Edited:
    rng = random.Random(seed)
    made = read(body, rng)
    for _ in range(rng.randrange(1, most + 1)):
        rng.choice(ACTS)(made)
    return made


def papers_gone(made: Edited) -> set[frozenset[str]]:
    """The paper sets of sentences that were taken out, and that no sentence left cites."""
    standing = {keys_of(each.text) for paragraph in made.paragraphs for each in paragraph}
    return {keys for text in made.gone if (keys := keys_of(text)) and keys not in standing}
