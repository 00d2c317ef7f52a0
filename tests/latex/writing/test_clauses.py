"""Several papers in one sentence, each cited at its own place."""

from __future__ import annotations

import pytest
from texgeist_latex.types import ProseSection, ProseSentence
from texgeist_latex.writing.edits import plan_related_work

from .conftest import ADAM_BIB, PAPERS

DOCUMENT = r"""\documentclass{article}
\usepackage{natbib}
\begin{document}
\section{Introduction}
Text \citep{kingma2015adam}.
\bibliography{refs}
\end{document}
"""


def sentence(*clauses: tuple[str, tuple[str, ...]], textual: bool = False, lead: str = "") -> ProseSentence:
    references = tuple(name for _, names in clauses for name in names)
    return ProseSentence(" ".join(text for text, _ in clauses), references, textual, lead, clauses)


@pytest.mark.parametrize(
    ("told", "latex"),
    [
        (
            sentence(("BERT reads text,", ("bert",)), ("while Adam optimises 5% of it.", ("adam",))),
            r"BERT reads text~\citep{devlin2018bert}, while Adam optimises 5\% of it~\citep{kingma2015adam}.",
        ),
        (
            sentence(("BERT reads text;", ("bert",)), ("this paper writes it.", ())),
            r"BERT reads text~\citep{devlin2018bert}; this paper writes it.",
        ),
        (
            sentence(
                ("read text,", ("bert",)), ("others optimise.", ("adam",)), textual=True, lead="Before,"
            ),
            r"Before, \citet{devlin2018bert} read text, others optimise~\citep{kingma2015adam}.",
        ),
        (
            sentence((r"\input{x},", ("bert",)), ("and more.", ("adam",))),
            r"\textbackslash{}input\textbraceleft{}x\textbraceright{}~\citep{devlin2018bert}, and more~\citep{kingma2015adam}.",
        ),
    ],
)
def test_each_clause_is_cited_at_its_end(project, told, latex):
    here = project({"main.tex": DOCUMENT, "refs.bib": ADAM_BIB})
    plan = plan_related_work(here.draft(), ProseSection("Related Work", ((told,),)), PAPERS)
    assert plan.sentence_latex == (latex,)
