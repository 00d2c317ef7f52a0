"""A thesis to measure with: made up, but with the mix of text, mathematics and citations of real ones."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = (
    "the of and to in a is that for we model data with learning as this by network are on which training function "
    "results method proposed algorithm performance representation structure between using graph probability "
    "distribution parameters optimisation architecture experiments evaluation language inference kernel gradient "
    "sequence attention embedding sparse latent variational bound estimator regression classification benchmark"
).split()
FORMULAS = (
    r"$x_{i} \in \mathbb{R}^{n}$",
    r"$\alpha$",
    r"$p(y \mid x; \theta)$",
    r"$\mathcal{L}(\theta) = \sum_{i=1}^{n} \log p_\theta(x_i)$",
    r"\RBF{}",
    r"\emph{posterior}",
)
PREAMBLE = r"""\documentclass[11pt]{book}
\usepackage[utf8]{inputenc}
\usepackage{natbib}
\newcommand{\RBF}{RBF\xspace}
\newcommand{\see}[1]{(see \citealp{#1})}
\title{A Thesis to Measure With}
\author{Ada Lovelace}
\begin{document}
\maketitle
\begin{abstract}
We measure how quickly a project is read. What is written here is drawn by chance from a list of words.
\end{abstract}
\mainmatter
"""


def write_thesis(folder: Path, files: int = 40, size: int = 1_000_000, entries: int = 5000) -> Path:
    """Write `files` chapters of `size` bytes together and a bibliography of `entries`; the root's path."""
    chance = random.Random(7)
    keys = [
        f"{chance.choice(NAMES).lower()}{chance.randint(1980, 2025)}{word}{i}"
        for i, word in _numbered(entries)
    ]
    (folder / "refs.bib").write_text(bibliography(chance, keys), encoding="utf-8")
    for number in range(files):
        (folder / f"chapter{number:02}.tex").write_text(
            chapter(chance, number, size // files, keys), encoding="utf-8"
        )
    inputs = "\n".join(f"\\include{{chapter{number:02}}}" for number in range(files))
    ending = "\n\\bibliographystyle{plainnat}\n\\bibliography{refs}\n\\end{document}\n"
    (folder / "main.tex").write_text(PREAMBLE + inputs + ending, encoding="utf-8")
    return folder / "main.tex"


NAMES = (
    "Smith Jones García Müller Chen Kim Novak Rossi Silva Dubois Ivanov Tanaka Olsen Haddad Okafor".split()
)


def _numbered(count: int) -> list[tuple[int, str]]:
    return [(i, WORDS[i % len(WORDS)]) for i in range(count)]


def bibliography(chance: random.Random, keys: list[str]) -> str:
    return "".join(
        f"@article{{{key},\n  author = {{{' and '.join(_person(chance) for _ in range(chance.randint(1, 4)))}}},\n"
        f"  title = {{{sentence(chance, 9)}}},\n  journal = {{Journal of {chance.choice(WORDS)}}},\n"
        f"  year = {{{chance.randint(1980, 2025)}}},\n  doi = {{10.1000/{index}}}\n}}\n\n"
        for index, key in enumerate(keys)
    )


def _person(chance: random.Random) -> str:
    return f"{chance.choice(NAMES)}, {chance.choice('ABCDEFGHIJKLMNOPRSTW')}."


def chapter(chance: random.Random, number: int, size: int, keys: list[str]) -> str:
    parts = [
        f"\\chapter{{{'Introduction' if number == 0 else sentence(chance, 4)}}}\n\\label{{ch:{number}}}\n"
    ]
    length = len(parts[0])
    while length < size:
        part = _part(chance, keys)
        parts.append(part)
        length += len(part)
    return "".join(parts)


def _part(chance: random.Random, keys: list[str]) -> str:
    draw = chance.random()
    if draw < 0.08:
        return f"\n\\section{{{sentence(chance, 4)}}}\n\\label{{s:{chance.random()}}}\n\n"
    if draw < 0.14:
        return "\\begin{equation}\n  \\mathcal{L} = \\frac{1}{n} \\sum_{i=1}^{n} \\ell(f_\\theta(x_i), y_i)\n\\end{equation}\n"
    if draw < 0.17:
        return (
            "\\begin{figure}\n  \\includegraphics{f}\n  \\caption{"
            + sentence(chance, 12)
            + "}\n\\end{figure}\n\n"
        )
    if draw < 0.2:
        items = "".join(f"  \\item {sentence(chance, 10)}\n" for _ in range(4))
        return f"\\begin{{itemize}}\n{items}\\end{{itemize}}\n% a remark\n"
    text = "\n".join(_cited(chance, keys) for _ in range(chance.randint(3, 8)))
    return text + "\n\n"


def _cited(chance: random.Random, keys: list[str]) -> str:
    words = sentence(chance, chance.randint(10, 22))
    command = chance.choice(("citep", "citep", "citet", "citep[see][p.~3]", "see"))
    picked = ",".join(chance.sample(keys, chance.randint(1, 3)))
    cite = f"~\\{command}{{{picked}}}" if chance.random() < 0.4 else ""
    return f"{words.capitalize()} {chance.choice(FORMULAS)}{cite}."


def sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))
