"""Prepares titles for bibliographies: BibTeX styles convert them to lower case, except for names and acronyms
in braces."""

from __future__ import annotations

import re

from texgeist_latex.tex.accents import romanise_words
from texgeist_latex.tex.symbols import read_markup
from texgeist_latex.writing.escape import Charset, escape

# Names that are recognised even in titles that are capitalised throughout.
_NAMES = frozenset(
    """
    Bayes Bayesian Bernoulli Boltzmann Brownian Cauchy Chinese Dirichlet English Euclidean Euler Fourier
    French
    Gauss Gaussian German Gibbs Hamiltonian Hawkes Hebbian Hermitian Hessian Hilbert Hoeffding Hopfield
    Internet
    Jacobian Japanese Kalman Lagrangian Langevin Laplace Laplacian Lipschitz Lyapunov Markov Markovian
    Monte Carlo
    Nash Newton Newtonian Poisson Rademacher Riemann Riemannian Russian Sobolev Spanish Stein Thompson
    Twitter Voronoi Wasserstein Wiener Wikipedia Wikidata YouTube Python Java Haskell Linux Android
    Africa African
    America American Asia Asian Europe European Arabic Hindi Korean Latin Turkish Schrödinger Poincaré
    Erdős Rényi
    """.split()
)
_WORD = re.compile(r"(\$[^$]*\$)|([^\s\-–—/]+)|([\s\-–—/]+)")
_BRACED = re.compile(r"(?<![\\\w^_}])\{([\w\- ]+)\}")  # capitals already in braces
_JOINTS = ("-", "--", "/")
_PLAIN = re.compile(r"\{[^{}\\$]+\}\{[^{}\\$]+\}")
_EDGES = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


def protect_capitals(title: str, charset: Charset, *, braces: bool = True) -> str:
    """The escaped title, with braces around words whose capitals must be kept: `BERT`, `GPT-4`, `iPhone`,
    names, formulas. In a title in sentence case, these are also all capitalised words after the first."""
    title = " ".join(title.split())
    title = title if title.endswith("...") else title.rstrip(".")
    title = title if "greek" in charset.raw else romanise_words(title)  # short words would look like symbols
    title = "".join(part if part[:1] == "$" else _words(part) for part in re.split(r"(\$[^$]*\$)", title))
    if not braces:
        return escape(title, charset)
    return _merge(_protected(title, charset))


def _words(part: str) -> str:
    """Text between formulas, without markup."""
    return _BRACED.sub(r"\1", read_markup(part))


def _protected(title: str, charset: Charset) -> list[str]:
    sentence = _is_sentence_case(title)
    pieces: list[str] = []
    opening = True  # at the start and after a colon, where BibTeX keeps the first letter
    for match in _WORD.finditer(title):
        word = match[0]
        if match[3]:
            pieces.append(escape(f"x{word}x", charset)[1:-1])
            continue
        shown = escape(word, charset)
        if shown.startswith("$") or (match[1] and "$" in shown) or "$" in shown.replace("\\$", ""):
            pieces.append(f"{{{shown}}}")
        else:
            pieces.append(_braced(word, charset) if _is_name(word, sentence and not opening) else shown)
        opening = word.endswith((":", "?", "!", "."))
    return pieces


def _braced(word: str, charset: Charset) -> str:
    match = _EDGES.match(word)
    assert match is not None  # matches always, as each part may be empty
    before, core, after = match.groups()
    return escape(before, charset) + f"{{{escape(core, charset)}}}" + escape(after, charset)


def _is_name(word: str, capital_is_name: bool) -> bool:
    letters = re.sub(r"[^\w]", "", word)
    if any(char.isupper() for char in letters[1:]) or (
        letters[:1].isupper() and any(map(str.isdigit, letters))
    ):
        return True
    if letters.removesuffix("s") in _NAMES or letters in _NAMES or word.split("’")[0].split("'")[0] in _NAMES:
        return True
    return capital_is_name and letters[:1].isupper()


def _is_sentence_case(title: str) -> bool:
    """Whether most long words after the first are in lower case."""
    words = re.findall(r"[^\W\d_]{4,}", title)[1:]
    return bool(words) and sum(word[0].islower() for word in words) * 2 > len(words)


def _merge(pieces: list[str]) -> str:
    """Joins `{GPT}`, `-`, `{X}` to `{GPT-X}`. Only plain words are joined, because braces of formulas and
    accents are significant."""
    merged: list[str] = []
    for piece in pieces:
        if len(merged) > 1 and merged[-1] in _JOINTS and _PLAIN.fullmatch(merged[-2] + piece):
            joint, before = merged.pop(), merged.pop()
            piece = before[:-1] + joint + piece[1:]
        merged.append(piece)
    return "".join(merged)
