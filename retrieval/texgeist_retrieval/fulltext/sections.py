"""Sections of a full text: their types, from their headings, and their division into passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ..text.sentences import split_sentences
from ..types import Block, Passage, SectionType, TextSection

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


LONGEST, OVERLAP, USUAL = 500, 100, 400  # tokens
CHUNKING = "2"  # changed whenever these rules change, so that older indexes are updated
MOST_BYTES = 60_000  # of a passage
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_+")
_LETTERS = 7  # letters of a word for each token; measured on papers with BERT's vocabulary


def chunks_of(paper_id: str, sections: Sequence[TextSection]) -> list[Passage]:
    """The passages of a paper in order. `Passage.place` counts from 1."""
    kinds = section_types([section.heading for section in sections])
    found: list[Passage] = []
    for section, kind in zip(sections, kinds, strict=True):
        for blocks in _windows(_pieces(section.blocks)):
            found.append(_passage(paper_id, blocks, kind, section.heading, len(found) + 1))
    return found


def tokens_in(text: str) -> int:
    """Approximate number of tokens of a language model."""
    return sum(1 + (len(piece) - 1) // _LETTERS for piece in _TOKEN.findall(text))


def _passage(paper: str, blocks: Sequence[Block], kind: SectionType, heading: str, place: int) -> Passage:
    text = " ".join(f"\n{block.text}\n" if block.whole else block.text for block in blocks)
    page = next((block.page for block in blocks if block.page is not None), None)
    return Passage(
        paper, page, re.sub(r" ?\n ?\n? ?", "\n", text).strip(), section=kind, heading=heading, place=place
    )


def _pieces(blocks: Sequence[Block]) -> list[tuple[Block, int]]:
    """The blocks with their numbers of tokens. Text longer than a passage is divided; units are divided only
    if they are longer than `MOST_BYTES`."""
    found: list[tuple[Block, int]] = []
    for block in blocks:
        size = tokens_in(block.text)
        if (size > LONGEST and not block.whole) or len(block.text.encode()) > MOST_BYTES:
            found += [(Block(part, block.page), tokens_in(part)) for part in _divided(block.text, size)]
        elif size:
            found.append((block, size))
    return found


def _divided(text: str, size: int) -> Iterator[str]:
    """Divides at sentences if possible, else at words."""
    sentences = split_sentences(text)
    if len(sentences) > 1 and all(tokens_in(sentence) <= LONGEST for sentence in sentences):
        yield from sentences
        return
    words = text.split()
    if len(words) < 2:  # a text without spaces
        yield from (text[at : at + LONGEST * 4] for at in range(0, len(text), LONGEST * 4))
        return
    step = max(1, len(words) * OVERLAP // size)
    yield from (" ".join(words[at : at + step]) for at in range(0, len(words), step))


def _windows(pieces: Sequence[tuple[Block, int]]) -> Iterator[list[Block]]:
    """Windows of equal size, about USUAL tokens, each starting OVERLAP tokens before the end of the previous
    window; a single window if all pieces together have at most LONGEST tokens. A piece belongs to the windows
    that contain its middle; a large piece is in only one window."""
    total = sum(size for _, size in pieces)
    if not total:
        return
    count = 1 if total <= LONGEST else max(2, round((total - OVERLAP) / (USUAL - OVERLAP)))
    width = (total + OVERLAP * (count - 1)) / count
    starts = [
        end - size for (_, size), end in zip(pieces, accumulate(size for _, size in pieces), strict=True)
    ]
    middles = [start + size / 2 for start, (_, size) in zip(starts, pieces, strict=True)]
    placed = -1  # index of the last piece that is in a window
    for number in range(count):
        begin = number * (width - OVERLAP)
        inside = [n for n, middle in enumerate(middles) if begin <= middle < begin + width or (
            number == count - 1 and middle >= begin)]  # fmt: skip
        gap = max((n for n in inside if n <= placed and pieces[n][1] > OVERLAP), default=-1)
        inside = [n for n in inside if n > gap]
        if inside and inside[-1] > placed:
            placed = inside[-1]
            yield [pieces[n][0] for n in inside]
