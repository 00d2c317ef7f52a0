"""LaTeX as people read it."""

from __future__ import annotations

import pytest
from texgeist_latex.tex.plaintext import plain


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\SI{5}{\meter}, \num{3.4e5}, \qty{3}{\kilo\gram}", "5 meter, 3.4e5, 3 kilo gram"),
        (
            r"Let $x\in\mathbb{R}^{n}$ and \[ \sum_{i=1}^n \frac{a_i}{b} \] hold.",
            "Let x∈R^n and ∑_i=1^n (a_i)/b hold.",
        ),
        (r"\textsc{Bert}~\cite{x} is {\bf bold} and {\em it}.", "Bert is bold and it."),
        (r"``Quoted'' --- dash -- en. \LaTeX{} \& \% \_ \# \$5", "“Quoted” — dash – en. LaTeX & % _ # $5"),
        (r"na\"ive caf\'e \c{c}a \v{S} \ss{} \'{\i} Erd\H{o}s \~n \={a}", "naïve café ça Š ß í Erdős ñ ā"),
        (r"\begin{itemize}\item one \item[x] two\end{itemize} after", "one\n\nx two\n\nafter"),
        (
            r"\footnote{note} text\footnotemark[1] \url{http://a.b/c_d%20} \href{http://x%20}{link} end",
            "text http://a.b/c_d%20 link end",
        ),
        (r"\begin{equation}\label{e} E = mc^2 \end{equation} where $E$.", "E = mc^2 where E."),
        (r"\textcolor{red}{warn} \todo{fix} \emph{nested \textbf{deep} here}", "warn nested deep here"),
        (r"$\text{softmax}(QK^\top/\sqrt{d_k})V$", "softmax(QK^⊤/√(d_k))V"),
        (r"$\mathcal{O}(n\log n)$ and $\|x\|_2$", "O(nlog n) and ‖x‖_2"),
        (r"\textless{} 5 \textgreater{} \ldots{}", "< 5 > …"),
        (r"\newcommand{\foo}{bar} text \def\x{y} \let\a\b \ifx\a\b yes\else no\fi", "text yes no"),
        (r"\enquote{quoted} H$_2$O m\textsuperscript{2}", "quoted H_2O m2"),
        (r"\verb|code_x| \texttt{a\_b} \lstinline!int x! \mintinline{c}{int}", "code_x a_b int x int"),
        (r"\IEEEPARstart{T}{his} is \lettrine{A}{nd} that", "This is And that"),
        (r"\unknown{one}{two} \other[opt]{three}", "one two three"),
        ("one % a remark\ntwo%\nthree\n\nfour", "one twothree\n\nfour"),
        (r"see (\cite{a}) and [\cite{b}, \cite{c}] .", "see and."),
        (r"As said\footcitet{smith2020}, \onlinecites[3]{a,b} so", "As said, so"),
        ("As said\\footcitet*[see][]{smith2020, % why\n  b}.", "As said."),
        (
            r"\bstctlcite{IEEEexample:BSTcontrol}We show \citeneeded{a long remark} it.",
            "We show a long remark it.",
        ),
        (r"\volcite{2}[3]{a}\citefield{a}{title}\ftvolcite{2}{b}x", "x"),
        (r"\newcommand{\x}{y}\citetext{see there}", "see there"),
        (r"broken \emph{group and $math", "broken group and math"),
        (r"\begin{align} a &= b \\ c &= d \end{align}", "a = b c = d"),
        ("<<Дром>> \\uline{<<x>>}", "«Дром» «x»"),
        (r"\section{A Title} Text.", "A Title.\n\nText."),
        ("", ""),
        ("\\", "\\"),
    ],
)
def test_plain(latex: str, text: str) -> None:
    assert plain(latex) == text
