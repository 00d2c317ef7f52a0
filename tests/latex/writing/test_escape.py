"""Text from strangers becomes LaTeX that shows it and does nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.tex.symbols import FORMULA_COMMANDS, LETTERS, SPECIAL, T1_LETTERS, is_safe_formula
from texgeist_latex.writing.escape import Charset, escape, lost

PLAIN = Charset()
RAW = Charset(frozenset({"latin", "cyrillic", "cjk"}), t1=True)
LATIN1 = Charset(frozenset({"latin"}), encoding="latin-1")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("100% of #1 & x_y", r"100\% of \#1 \& x\_y"),
        ("\\input{/etc/passwd}", r"\textbackslash{}input\textbraceleft{}/etc/passwd\textbraceright{}"),
        ("\\end{document} % bye", r"\textbackslash{}end\textbraceleft{}document\textbraceright{} \% bye"),
        (
            "a ~ b ^ c | <d>",
            r"a \textasciitilde{} b \textasciicircum{} c \textbar{} \textless{}d\textgreater{}",
        ),
        ('"so" he said: "yes".', "``so'' he said: ``yes''."),
        ("“curly” and ‘single’ — dash – …", "``curly'' and `single' --- dash -- \\ldots{}"),
        ("it costs $5 and $10", r"it costs \$5 and \$10"),
        ("in $O(n \\log n)$ time", r"in $O(n \log n)$ time"),
        ("$\\input{x}$", r"\$\textbackslash{}input\textbraceleft{}x\textbraceright{}\$"),
        ("α ≤ β", r"$\alpha$ $\leq$ $\beta$"),
        ("x² and H₂O", r"x$^{2}$ and H$_{2}$O"),
        ("ﬁnal oﬀer ½", "final offer 1/2"),
        ("two\n\nparagraphs\tand \u00a0 space", "two paragraphs and space"),
        ("Poincar\\'e, Erd\\H{o}s", r"Poincar{\'e}, Erd{\H o}s"),
        ("soft\u00adhyphen zero\u200bwidth\x07", "softhyphen zerowidth"),
        ("François Wałęsa Nguyễn Þór", r"Fran{\c c}ois Wa{\l}esa Nguy{\~{\^e}}n Th{\'o}r"),
        ("Иванов", "Ivanov"),
        ("深度学习 works", "? works"),
    ],
)
def test_in_a_document_that_knows_ascii_alone(text: str, latex: str):
    assert escape(text, PLAIN) == latex


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Γιώργος Παπαδόπουλος", "Giorgos Papadopoulos"),
        ("Ευάγγελος ΘΕΟΔΩΡΟΣ Ιησού", "Eyaggelos THEODOROS Iisou"),
        ("Ἀριστοτέλης", "Aristotelis"),
        ("αϋπνία και το ΝΑΤΟ", "aypnia kai to NATO"),
        ("the word λόγος", "the word logos"),
        (
            "a lone α, β₂, ΛCDM, μm, αβγ",
            r"a lone $\alpha$, $\beta_{2}$, $\Lambda$CDM, $\mu$m, $\alpha\beta\gamma$",
        ),
    ],
)
@pytest.mark.parametrize("charset", [PLAIN, Charset(any_letter=True)])
def test_greek_words_are_romanised_and_greek_symbols_are_formulas(text: str, latex: str, charset: Charset):
    """Neither pdfLaTeX nor the usual fonts of LuaLaTeX have Greek letters for text."""
    assert escape(text, charset) == latex and lost(text, charset) == ""


def test_accents_that_biber_would_turn_into_letters_beyond_the_fonts():
    assert escape("Nguyễn Wałęsa", Charset(frozenset({"latin"}), t1=True, decoded=True)) == "Nguyên Wałęsa"
    assert escape("Nguyễn Wałęsa", Charset(decoded=True)) == r"Nguy{\^e}n Wa{\l}esa"


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("10⁻³", "10$^{-3}$"),
        ("10⁻³⁺ⁿ of xᵀ", "10$^{-3+n}$ of x$^{T}$"),
        ("α²β₂₃", "$\\alpha^{2}\\beta_{23}$"),
        ("x²₃", "x$^{2}_{3}$"),
        ("x²₃²", "x$^{2}_{3}{}^{2}$"),  # no second superscript on one sign
        ("x²′ and x′²", "x$^{2}{}'$ and x$'{}^{2}$"),
        ("f′″", "f$'''$"),
        ("90°ⁿ", "90$^{\\circ n}$"),
        ("1²⁄₃", "1$^{2}$/$_{3}$"),
    ],
)
def test_runs_of_raised_and_lowered_signs_are_one_formula(text: str, latex: str):
    assert escape(text, PLAIN) == latex


@pytest.mark.parametrize(
    "code",
    [
        "x",
        "O(n \\log n)",
        "a_1^2",
        "\\frac{1}{2}",
        "\\alpha_{i,j}",
        "f_{\\mathrm{loss}}",
        "x''",
        "\\hat{x} \\in S",
        "\\{1,2\\}",
    ],
)
def test_known_formulas_stay(code: str):
    assert is_safe_formula(code)


@pytest.mark.parametrize(
    "code",
    [
        "\\input{x}", "\\def\\x{}", "\\csname x\\endcsname", "x^", "x__y", "x^1^2", "a}{b", "{a", "a}", "\\frac{1}",
        "\\sqrt", "x # y", "a & b", "a \\\\ b", "50 percent of", "~", "%", "\\mathbb{R}", "\\write18{ls}", " ", "",
        "\\hat x", "x'^2", "\\begin{x}", "^^41", "x^\\hat{a}", "x_\\sqrt{a}",
    ],
)  # fmt: skip
def test_other_formulas_do_not(code: str):
    assert not is_safe_formula(code)


_COMMANDS = (
    {command for value in SPECIAL.values() for command in re.findall(r"\\(\w+|.)", value)}
    | {value[1:] for value in LETTERS.values()}
    | {command[1:] for command, _ in T1_LETTERS.values()}
    | set(FORMULA_COMMANDS)
    | set("`'^~=\"uvHcdbkr.,")
    | {"ldots", "bullet", "circ"}
)
_WILD = st.one_of(
    st.text(max_size=120),
    st.lists(st.sampled_from(["\\", "{", "}", "$", "%", "#", "&", "_", "^", "~", "x", " ", "\n", "`", "'", '"', "\\input", "\\alpha",
                              "é", "α", "中", "ﬁ", "\x00", "2", "\\'e", "\\c{c}"]), max_size=40).map("".join),
)  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(_WILD, st.sampled_from([PLAIN, RAW, LATIN1, Charset(any_letter=True, t1=True, ams=True)]))
def test_nothing_but_characters_and_known_formulas_comes_out(text: str, charset: Charset):
    latex = escape(text, charset)
    assert "\n" not in latex and "\r" not in latex
    bare = re.sub(r"\\[\\{}$%#&_]", "", latex)
    assert bare.count("{") == bare.count("}")
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert bare.count("$") % 2 == 0
    assert not re.search(r"(?<!\\)[%#&~]", latex)
    for command in re.findall(r"\\([A-Za-z]+|.)", latex):
        assert command in _COMMANDS or command in "\\{}$%#&_,;:!" or command in ("mathbb", "text"), (
            command,
            latex,
        )
    latex.encode(charset.encoding)
