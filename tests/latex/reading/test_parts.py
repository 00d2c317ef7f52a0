"""What stands under each heading, and beside its prose: captions, tables, the author's notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from texgeist_latex.reading.contents import captions, notes, tables

Draw = Callable[[str], Any]
PROJECT = r"""
%! main.tex
\documentclass{article}
\begin{document}
\section{Introduction}
Why we ask. % texgeist: hypothesis: sleep helps
\input{intro}
After the file.
\section{Results}
% texgeist: findings: recall was 12.4 points better
Recall rose.
\begin{table}
\caption[short]{Recall by \emph{group}.}
\begin{tabular}{l@{ }r}
\toprule
Group & Recall \\ \midrule
\multicolumn{1}{l}{Sleep} & $71.2$ \\[2pt]
Awake & 58.8 % measured twice
\\ \bottomrule
\end{tabular}
\end{table}
\subsection{Ablations}
Without naps.
\begin{verbatim}
\caption{none}
\end{verbatim}
% texgeist: needs a source: how many took part
% texgeist:begin results
Generated.
% texgeist:end results
\section{Conclusion}
Sleep.
\bibliographystyle{plain}
\bibliography{refs}
\appendix
\section{Proofs}
Long.
\end{document}
%! intro.tex
In the file.

A second paragraph.
"""


def read(draw: Draw) -> dict[str, Any]:
    draft = draw(PROJECT).draft()
    assert [part.heading for part in draft.parts] == list(draft.headings)
    return {part.heading.title: (draft, part) for part in draft.parts}


def gathered(pair: Any, what: Callable[..., list[Any]]) -> list[Any]:
    draft, part = pair
    return [found for span in part.pieces for found in what(draft.sources[span.file], span)]


def test_text_is_in_reading_order_over_files(draw: Draw) -> None:
    found = read(draw)
    words = [p.text for p in found["Introduction"][1].paragraphs]
    assert words == ["Why we ask.", "In the file.", "A second paragraph.", "After the file."]
    files = [span.file.name for span in found["Introduction"][1].pieces]
    assert files == ["main.tex", "intro.tex", "main.tex"]
    assert found["Ablations"][1].paragraphs[0].text == "Without naps."


def test_more_goes_behind_the_text_and_before_subsection_and_bibliography(draw: Draw) -> None:
    before = {}
    for name, (draft, part) in read(draw).items():
        assert part.place.start == part.place.end
        before[name] = draft.sources[part.place.file].text[: part.place.start].splitlines()[-1]
    assert before == {
        "Introduction": "After the file.",
        "Results": "\\end{table}",
        "Ablations": "Generated.",
        "Conclusion": "Sleep.",
    }


def test_notes_captions_and_tables(draw: Draw) -> None:
    found = read(draw)
    assert [(n.kind, n.text) for n in gathered(found["Results"], notes)] == [
        ("findings", "recall was 12.4 points better")
    ]
    assert gathered(found["Ablations"], notes) == []
    assert gathered(found["Results"], captions) == ["Recall by group."]
    assert gathered(found["Ablations"], captions) == []
    assert gathered(found["Results"], tables) == ["Group | Recall\nSleep | 71.2\nAwake | 58.8"]
