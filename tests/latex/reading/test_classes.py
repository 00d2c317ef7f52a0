"""The front matter of classes and templates that people submit with: title, authors, abstract, place."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft

W = "We study how theories are structured and we show that this is useful for many systems and their users in practice."
CASES = {
    "elsarticle": r"\documentclass{elsarticle}\begin{document}\begin{frontmatter}\title{T\tnoteref{t1}}\tnotetext[t1]{Thanks}\author[inst1]{Ada Lovelace\corref{cor1}}\ead{a@b}\author[inst2]{Alan Turing}\cortext[cor1]{Corresponding author}\affiliation[inst1]{organization={Dept},city={X}}\begin{abstract}WORDS\end{abstract}\begin{keyword}a \sep b\end{keyword}\end{frontmatter}\section{Introduction}I.\section{Method}M.\end{document}",
    "sn-jnl": r"\documentclass[sn-mathphys]{sn-jnl}\begin{document}\title[Short]{T}\author*[1,2]{\fnm{Ada} \sur{Lovelace}}\email{a@b}\author[2]{\fnm{Alan} \sur{Turing}}\affil*[1]{\orgdiv{D}}\abstract{WORDS}\keywords{k}\maketitle\section{Introduction}I.\section{Method}M.\end{document}",
    "mdpi": r"\documentclass[x]{mdpi}\Title{T}\Author{Ada Lovelace $^{1,\dagger}$\orcidA{}, Alan Turing $^{2}$ and Kurt Gödel $^{2,}$*}\AuthorNames{Ada L.}\abstract{WORDS}\begin{document}\section{Introduction}I.\section{Method}M.\end{document}",
    "ieee": r"\documentclass[journal]{IEEEtran}\begin{document}\title{T}\author{Ada~Lovelace,~\IEEEmembership{Member,~IEEE,} Alan~Turing,~\IEEEmembership{Fellow,~OSA,} and~Kurt~Gödel\thanks{A. L. is with the Dept}}\markboth{J}{S}\maketitle\begin{abstract}WORDS\end{abstract}\begin{IEEEkeywords}k\end{IEEEkeywords}\IEEEpeerreviewmaketitle\section{Introduction}\IEEEPARstart{T}{his} is.\section{Method}M.\end{document}",
    "ieee-compsoc": r"\documentclass[compsoc]{IEEEtran}\begin{document}\title{T}\author{Ada Lovelace}\IEEEtitleabstractindextext{\begin{abstract}WORDS\end{abstract}\begin{IEEEkeywords}k\end{IEEEkeywords}}\maketitle\section{Introduction}I.\section{Method}M.\end{document}",
    "llncs": r"\documentclass{llncs}\begin{document}\title{T}\author{Ada Lovelace\inst{1}\orcidID{0000-1} \and Alan Turing\inst{2,3}}\institute{Princeton University \and Springer}\maketitle\begin{abstract}WORDS \keywords{a \and b}\end{abstract}\section{Introduction}I.\section{Method}M.\end{document}",
    "acl": r"\documentclass{article}\usepackage{acl}\title{T}\author{Ada Lovelace \\ Affiliation / Address line 1 \\ \texttt{email@domain} \\\And Alan Turing \\ Affiliation \\ \texttt{x@y} \\}\begin{document}\maketitle\begin{abstract}WORDS\end{abstract}\section{Introduction}I.\section{Method}M.\end{document}",
    "neurips": "\\documentclass{article}\\usepackage{neurips_2023}\\title{T}\\author{%\n  Ada S.~Lovelace\\thanks{Use footnote} \\\\\n  Department of Computer Science\\\\\n  Cranberry-Lemon University\\\\\n  Pittsburgh, PA 15213 \\\\\n  \\texttt{h@cs} \\\\\n  \\And\n  Alan Turing \\\\\n Affiliation \\\\ Address \\\\ \\texttt{email} \\\\}\\begin{document}\\maketitle\\begin{abstract}WORDS\\end{abstract}\\section{Introduction}I.\\section{Method}M.\\end{document}",
    "jmlr": r"\documentclass{article}\usepackage{jmlr2e}\begin{document}\title{T}\author{\name Ada Lovelace \email a@b \\ \addr Dept\\ Univ\\ Seattle, WA, USA \AND \name Alan Turing \email b \\ \addr X}\editor{E}\maketitle\begin{abstract}WORDS\end{abstract}\begin{keywords}a\end{keywords}\section{Introduction}I.\section{Method}M.\end{document}",
    "abstractname": r"\documentclass{article}\begin{document}\title{T}\author{Ada Lovelace}\maketitle\section*{\abstractname}WORDS\section{Introduction}I.\section{Method}M.\end{document}",
    "centering": r"\documentclass{report}\begin{document}\title{T}\author{Ada Lovelace}\chapter*{\centering \large Abstract}\addcontentsline{toc}{chapter}{Abstract}WORDS\tableofcontents\chapter{Introduction}I.\chapter{Method}M.\end{document}",
    "thu": r"\documentclass{thuthesis}\begin{document}\begin{abstract}本文研究了理论的结构，并表明这对许多系统有用。\end{abstract}\begin{abstract*}WORDS WORDS\end{abstract*}\chapter{引言}I.\chapter{方法}M.\end{document}",
    "twocol": r"\documentclass{article}\begin{document}\twocolumn[\icmltitle{T}\begin{icmlauthorlist}\icmlauthor{Ada Lovelace}{x}\end{icmlauthorlist}\icmlaffiliation{x}{U}]\begin{abstract}WORDS\end{abstract}\section{Introduction}I.\section{Method}M.\end{document}",
    "german": r"\documentclass{scrreprt}\usepackage[ngerman]{babel}\begin{document}\title{T}\author{Ada Lovelace}\maketitle\addchap*{Kurzfassung}In dieser Arbeit wird gezeigt, dass die Theorie mit der Praxis nicht zu vereinen ist und das auch so bleibt.\addchap*{Abstract}WORDS WORDS\tableofcontents\chapter{Einleitung}Warum.\chapter{Grundlagen}G.\chapter{Verwandte Arbeiten}V.\chapter{Methode}M.\end{document}",
    "french": r"\documentclass{article}\begin{document}\title{T}\author{Ada Lovelace}\maketitle\begin{abstract}WORDS\end{abstract}\section{Introduction}I.\section{État de l'art}E.\section{M}\end{document}",
    "pnas": r"\documentclass{pnas-new}\title{T}\author[a,c,1]{Ada Lovelace}\author[b,1,2]{Alan Turing}\affil[a]{A One}\begin{abstract}WORDS\end{abstract}\dates{x}\begin{document}\maketitle\dropcap{T}his.\section*{Results}R.\end{document}",
    "acm old": r"\documentclass{sig-alternate}\begin{document}\title{T}\author{\alignauthor Ada Lovelace\\ \affaddr{X}\\ \email{a}\alignauthor Alan Turing\\ \affaddr{Y}}\maketitle\begin{abstract}WORDS\end{abstract}\category{H}{M}{x}\terms{T}\keywords{k}\section{Introduction}I.\section{Method}M.\end{document}",
    "conditional abstract": "\\documentclass{article}\\newif\\iflong\\begin{document}\\title{T}\\author{Ada Lovelace}\\begin{abstract}\\iflong\nWORDS\n\\fi\\end{abstract}\\section{Introduction}I.\\section{Method}M.\\end{document}",
}
PLACES = {
    "german": "in the section “Verwandte Arbeiten”",
    "french": "in the section “État de l'art”",
    "pnas": "at the end of the text",
}


@pytest.mark.parametrize("name", CASES)
def test_front_matter(name: str, tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(CASES[name].replace("WORDS", W))
    draft = read_draft(tmp_path / "main.tex", workspace=tmp_path, programs=False)
    assert W in draft.abstract and len(draft.abstract) < 2.2 * len(W)
    assert W not in " ".join(page.text for page in draft.pages)
    if name != "thu":
        assert draft.title == "T"
        assert draft.authors[0] in ("Ada Lovelace", "Ada S. Lovelace")
        assert draft.authors[1:2] == (("Alan Turing",) if "Alan" in CASES[name] else ())
    assert draft.insertion is not None
    assert draft.insertion.reason == PLACES.get(name, "after the introduction")
