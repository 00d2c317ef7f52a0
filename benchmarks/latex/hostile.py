"""Sentences and papers such as nobody should write: what the fuzzers feed to the planner."""

from __future__ import annotations

import random
import string

from texgeist_latex.types import ProseSentence, Reference

COMMANDS = r"""\input{/etc/passwd} \write18{ls} \immediate\write18{ls} \def\x{y} \let\a\b \csname x\endcsname \end{document}
\begin{verbatim} \catcode`\@=11 \openout3=x \special{x} \includegraphics{x} \cite{k} \footnote{x} \verb|x| \\ \par \bye
\usepackage{x} \expandafter \loop\repeat \newcommand{\z}{q} \directlua{os.exit()} \textcolor{red}{x} \the\day \% \& \_ \{ \}
^^5cinput{x} ^^M ^^41 % texgeist:end % # ## #1 & && ~ ~~ _ __ ^ ^^ $ $$ { } {{{ }}} [ ] \[ \] \( \) \ \\[1cm] | < > << >>
" "' `` '' ``` ''' `"' !` ?` ?“ ‘“ ”’ «‹ ,, -- --- ---- "= "- "a =: :: ; ! @ @article{x, @string{ @comment{ / // /* *
$x$ $x^2$ $x_1^2$ $\alpha$ $\frac{1}{2}$ $\{1,2\}$ $\{$ $\}$ $x \in \{$ $\input{x}$ $x^{2}-{y}$ $\mathbb{R}$ $a''$ $'$ $^2$
$\left($ $\sqrt{x}$ $\hat{x}$ $x^$ $x__y$ $\mathrm{loss}$ $50 and $60 {\'e} \'e \"{u} \c{c} \H{o} \k{a} \dj \ss \i \aa \~n \. \v \relax
{\it x} \emph{x} \textbf{x} \mu \alpha \leq \textsuperscript{2}""".split()
SIGNS = [
    *"⁰¹²³⁻⁺⁽⁾ⁿᵀ₀₁₂₃₋₊ₙᵢ′″°ªº¼½℃ℝ𝛼𝔸αβΩϵ≤→∑∫√∞×·−–—…•©®™€£¥§¶†‡¡¿№ﬁﬀĳǅßøłæœåıđðþŋħŧ",
    *"éèêëñçüőęșțảễžÅÉŁŻ\u0301\u0308\u0328\u20d7\u0489\u00ad\u200b\u200d\u202e\u2028\u2029\u00a0\u3000\ufeff\ufffd\ufffe",
    *"中文日本語한국ицЖשלاعहिไทย🤖👩🏽\u0000\u0001\u0007\u0008\u000b\u000c\u001b\u007f\u0085\u009b\ud800\udfff\ue000\U000e0041\U0010ffff",
]
WORDS = (
    "Attention is all you need BERT GPT-4 graph neural iPhone A of and others AND et al. Jr. von de".split()
)
NAMES = [
    "{{{", "}", "\\", "~", "-", "--", "'", '"', "", " ", ",", ",,", ", Jr", "Jr.", "and", "others", "A and B", "Lee, Jr, Ann",
    "A, B, C, D", "{x", "x}", "de la Cruz", "Team X", "%", "#1", "\\'", "{\\'{}}", "\ud800", "🤖", "李明", "‘A’ “B”", "\\ss", "x,",
    "al-Ḥasan", "O'Neil", "Nguyễn Văn Đức", "J.-P. Serre", "{\\relax}", "von", "jean dupont", "a@b.c", "(the team)", "[x]", "$x$", "²",
]  # fmt: skip
ADDRESSES = [
    "", "junk", "https://x.org/a_b%20c~d#e", "https://x.org/{a}", "https://x.org/$x$&y", "http://x.org/\x00", "https://é.org/ü?q='\"",
    "javascript:alert(1)", "https://x.org/" + "a" * 3000, "https://x.org/\ud800", "https://x.org/%", "https://x.org/^^M", "HTTPS://X.org/#%_&",
]  # fmt: skip
DOIS = ["", "10.1000/a_b", "10.1000/x%y#z&", "10.1002/(SICI)1097<1::AID>3.0.CO;2-O", "junk", "10.1000/$x$", "10.1000/\x01", "10.1000/\ud800"]  # fmt: skip
IDS = ["", "2001.00001", "math/0309136", "garbage", "2001.00001\x00", "9" * 100_000]


def words(chance: random.Random, most: int) -> str:
    """Up to `most` pieces with or without spaces between them."""
    count = chance.randint(0, most)
    return "".join(_piece(chance) + chance.choice(("", "", " ")) for _ in range(count))


def sentence(chance: random.Random) -> str:
    if chance.random() < 0.002:
        return _piece(chance) * 2000
    return words(chance, 25)


def paper(chance: random.Random, identifier: str) -> Reference:
    return Reference(
        identifier,
        title=_piece(chance) * 20_000 if chance.random() < 0.01 else words(chance, 12),
        authors=tuple(_name(chance) for _ in range(400 if chance.random() < 0.01 else chance.randint(0, 5))),
        year=chance.choice((None, 2020, 1999, 0, -5, 10**29, 99999)),
        arxiv_id=chance.choice(IDS),
        primary_class=chance.choice(("", "cs.CL", "x}", "cs.CL\x00")),
        doi=chance.choice(DOIS),
        venue=chance.choice(("", "NeurIPS", "Journal of Things & Co.", words(chance, 5))),
        kind=chance.choice(("preprint", "article", "inproceedings")),
        url=chance.choice(ADDRESSES),
    )


def cited(chance: random.Random, identifiers: list[str]) -> ProseSentence:
    """A hostile sentence that cites some of the papers."""
    chosen = tuple(chance.sample(identifiers, min(len(identifiers), chance.randint(0, 3))))
    return ProseSentence(words(chance, 20), chosen, chance.random() < 0.4, words(chance, 3))


def _piece(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(WORDS)
    if kind < 0.6:
        return chance.choice(COMMANDS)
    if kind < 0.9:
        return chance.choice(SIGNS)
    return chr(chance.choice((chance.randrange(0x250), chance.randrange(0x3000), chance.randrange(0x110000))))


def _name(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.4:
        return chance.choice(NAMES)
    if kind < 0.7:
        return words(chance, 3)
    return f"{chance.choice(string.ascii_uppercase)}. {chance.choice(WORDS)}{chance.choice(SIGNS)}"
