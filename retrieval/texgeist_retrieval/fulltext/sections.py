"""The type of a section, from its heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..types import SectionType

# Words that indicate the type, in order of precedence: "Conclusion and Future Work" is a conclusion,
# "Experimental Methods" are methods, "Results and Discussion" are results.
_KINDS: tuple[tuple[SectionType, str], ...] = (
    ("abstract", r"abstract|synopsis|summary of the paper|kurzfassung|résumé|resumen"),
    ("conclusion", r"conclu\w*|concluding|summary|future (?:work|directions?|research)|outlook|closing remarks|zusammenfassung|fazit|schluss\w*|ausblick|perspectives"),
    ("related work", r"(?:related|previous|prior|existing|earlier|other) (?:\w+ ){0,2}(?:works?|research|approaches|"
     r"studies|literature|methods)|state of the art|literature (?:review|survey)|background|preliminaries|"
     r"comparison (?:with|to) (?:other|previous|related)|verwandte arbeiten|(?:forschungs)?stand der \w+|forschungsstand|"
     r"hintergrund|travaux (?:connexes|antérieurs)|état de l.art|trabajos (?:relacionados|previos)|estado del arte"),
    ("introduction", r"intro\w*|einleitung|einführung|motivation|overview|problem (?:statement|definition|formulation)"),
    ("results", r"results?|ergebnisse|befunde|auswertung|résultats|resultados|findings|experiments?|experimental (?:results?|evaluation|study|analysis|comparison)|"
     r"experimentation|evaluations?|empirical\w*|ablations?|performance|case stud(?:y|ies)|benchmarks?"),
    ("discussion", r"discussions?|diskussion|discusión|limites|grenzen|analys[ie]s of (?:the )?(?:results|errors)|error analysis|limitations?|"
     r"implications|threats to validity|lessons"),
    ("methods", r"methods?|methoden?|méthod\w+|métodos?|metodolog\w+|matériels?|methodolog\w*|materials|approach(?:es)?|models?|modell?ing|algorithms?|architecture|"
     r"system|framework|procedures?|implementation|training|decod\w+|inference|learning|features?|data|"
     r"datasets?|corpus|corpora|setup|settings?|design|participants|patients|subjects|measures?|statistic\w*|"
     r"formulation|theory|proofs?|parsing|estimation|optimi[sz]ation|randomi[sz]ation|intervention|protocol|"
     r"representation|generation|extraction"),
)  # fmt: skip
_COMPILED = tuple((kind, re.compile(rf"\b(?:{words})\b")) for kind, words in _KINDS)
_SETUP = re.compile(
    r"\b(?:experiment\w*|evaluation|results?) (?:set-?up|settings?|design|data\w*|methods?|procedures?)\b"
)
_NUMBER = re.compile(
    r"^\W*(?:section\s+)?(?:(?:\d{1,2}|[ivxl]{1,5}|[a-h])(?:\.\d{1,2})*[.):]?(?=\s|$)\s*)?", re.I
)


def section_type(heading: str) -> SectionType:
    """The section type of a heading with or without number. "Abstract ::: Methods", a form used in some
    collections, is an abstract."""
    words = bare_heading(heading).casefold().replace("-", " ")
    if words.startswith("abstract"):
        return "abstract"
    if _SETUP.search(words):
        return "methods"
    return next((kind for kind, pattern in _COMPILED if pattern.search(words)), "other")


def bare_heading(heading: str) -> str:
    """The heading without number and surrounding dots. Split small capitals ("I NTRODUCTION") are joined."""
    text = " ".join(heading.split())
    text = re.sub(r"\b([A-Z]) (?=[A-Z]{2,}\b)", r"\1", text) if text.isupper() else text
    return _NUMBER.sub("", text, count=1).strip(" .:")


def section_types(headings: Sequence[str]) -> tuple[SectionType, ...]:
    """The types of a paper's headings, in order. An unrecognised heading gets the type of the section that
    contains it by its number ("4.2 Penn Treebank" gets that of "4 Experiments"). Otherwise it is "methods"
    between the introduction and the first results, and "other" elsewhere."""
    own = [section_type(heading) for heading in headings]
    by_number = {number: kind for heading, kind in zip(headings, own, strict=True)
                 if (number := _chapter(heading)) and "." not in number}  # fmt: skip
    found: list[SectionType] = []
    for heading, kind in zip(headings, own, strict=True):
        above = _chapter(heading).partition(".")
        if kind == "other" and above[1] and by_number.get(above[0], "other") != "other":
            found.append(by_number[above[0]])
        else:
            found.append(kind)
    results = next((n for n, kind in enumerate(found) if kind in ("results", "discussion", "conclusion")), 0)
    begin = next((n for n, kind in enumerate(found) if kind == "introduction"), len(found))
    return tuple(
        "methods" if kind == "other" and begin < n < results else kind for n, kind in enumerate(found)
    )


def _chapter(heading: str) -> str:
    match = re.match(r"^\W*(\d{1,2}(?:\.\d{1,2})*)", heading)
    return match[1] if match else ""
