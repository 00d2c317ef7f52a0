"""Converts sentences with references to LaTeX: escapes them, adds citations in the document's style, and breaks lines.
Also replaces the LaTeX in a sentence by marks, ⟨1⟩, ⟨2⟩, and restores it, so that a model can reword the sentence
without reading or writing LaTeX."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from texgeist_latex.bib.authors import parse_name
from texgeist_latex.errors import Unfit
from texgeist_latex.tex.markdown import PARENTHETICAL, TEXTUAL, cited_key
from texgeist_latex.tex.scan import without_comments
from texgeist_latex.tex.symbols import read_markup
from texgeist_latex.tex.wordlists import guess_language, language_of
from texgeist_latex.types import Draft, ProseSentence, Reference
from texgeist_latex.writing.admission import comment
from texgeist_latex.writing.escape import Charset, escape
from texgeist_latex.writing.habits import Layout, tie_before_citation
from texgeist_latex.writing.targets import Target

_STYLE = re.compile(r"\\bibliographystyle\s*\{\s*([^{}]*?)\s*\}")

# Styles that give natbib no author names: \citet prints "(author?)" with them.
_WITHOUT_AUTHORS = frozenset(
    "plain unsrt alpha abbrv acm ieeetr siam ieee ieee_fullname IEEEtran IEEEtranS amsplain amsalpha "
    "splncs splncs03 "
    "splncs04 spmpsci spphys plainurl unsrturl alphaurl abbrvurl vancouver naturemag JHEP aaai is-plain "
    "is-unsrt".split()
)


def citing_style(draft: Draft, charset: Charset, target: Target | None, prose: str = "") -> Citing:
    """How to cite in this document. `prose`: the new text, whose language may differ from the document's."""
    style = draft.style
    return Citing(
        parenthetical=style.parenthetical,
        textual=style.textual,
        named=style.package != "plain"
        and style.textual != style.parenthetical
        and _knows_authors(draft, target),
        tie=tie_before_citation(draft),
        language=guess_language(prose, draft.language),
        charset=charset,
    )


def _knows_authors(draft: Draft, target: Target | None) -> bool:
    """Whether a textual citation shows names. This is assumed if the author uses textual citations."""
    if sum(each.command.rstrip("*") == draft.style.textual for each in draft.citations) > 1:
        return True
    if draft.style.package == "biblatex":
        return True
    if target is not None and target.bibliography.kind == "thebibliography":
        return any("(" in entry.fields.get("label", "") for entry in target.bibliography.entries)
    texts = [without_comments(source.text) for source in draft.texts]
    styles = [match[1] for text in texts for match in _STYLE.finditer(text)]
    return not styles or styles[-1] not in _WITHOUT_AUTHORS


_COMMENT = 96  # characters in a comment line
_FINAL = re.compile(r"((?:\.{3}|(?<!\\)[.!?…。！？,;:])[)'’”\"]*)$")


@dataclass(frozen=True, slots=True)
class Citing:
    r"""How the document cites. `named`: whether `textual` prints the authors' names. If not (plain `\cite`,
    or natbib with a style without authors), the names are written out."""

    parenthetical: str
    textual: str
    named: bool
    tie: str
    language: str
    charset: Charset

    def heading(self, title: str) -> str:
        return rf"\paragraph{{{title}.}}"

    @property
    def conjunction(self) -> str:
        return escape(language_of(self.language).conjunction, self.charset)


def sentence_latex(
    sentence: ProseSentence, citing: Citing, keys: Mapping[str, str], papers: Mapping[str, Reference]
) -> str:
    """The LaTeX of a sentence, in a single line."""
    if sentence.aside == "heading":
        return citing.heading(escape(sentence.text, citing.charset))
    if sentence.clauses:
        return " ".join(_clause_latex(clause, citing, keys, papers) for clause in _as_sentences(sentence))
    return _clause_latex(sentence, citing, keys, papers)


def _as_sentences(sentence: ProseSentence) -> list[ProseSentence]:
    """The clauses as separate sentences; only the first can have a citation as subject."""
    first, *rest = (ProseSentence(text, references) for text, references in sentence.clauses)
    return [replace(first, textual=sentence.textual, lead=sentence.lead), *rest]


def _clause_latex(
    sentence: ProseSentence, citing: Citing, keys: Mapping[str, str], papers: Mapping[str, Reference]
) -> str:
    text = escape(sentence.text, citing.charset)
    found = list(dict.fromkeys(sentence.references))
    if not found:
        return " ".join(part for part in (escape(sentence.lead, citing.charset), text) if part)
    if sentence.textual:
        subject = _subject([papers[name] for name in found], citing, keys)
        gap = "" if text[:1] in ",.;:!?)" or text.startswith("'s") else " "
        lead = escape(sentence.lead, citing.charset)
        start = f"{lead} {subject}" if lead else subject[:1].upper() + subject[1:]
        return f"{start}{gap}{text}"
    return with_citation(text, citation(citing.parenthetical, [keys[name] for name in found]), citing.tie)


def citation(command: str, keys: Sequence[str]) -> str:
    """The citation in LaTeX, or in Markdown if `command` is Markdown's."""
    if command == PARENTHETICAL:
        return f"[{'; '.join(map(cited_key, dict.fromkeys(keys)))}]"
    if command == TEXTUAL:
        return cited_key(keys[0])
    return f"\\{command}{{{','.join(dict.fromkeys(keys))}}}"


def with_citation(text: str, cited: str, tie: str) -> str:
    """Adds the citation before the final punctuation of a sentence or clause."""
    if match := _FINAL.search(text):
        return f"{_without_end(text[: match.start()])}{tie}{cited}{match[1]}"
    return f"{_without_end(text)}{tie}{cited}"


def _without_end(text: str) -> str:
    r"""The text without trailing white space, except for the space in `\ `: without this space, the backslash
    and the tie would be an accent."""
    bare = text.rstrip()
    return f"{bare} " if len(bare) < len(text) and bare.endswith("\\") else bare


def break_lines(sentences: Sequence[str], layout: Layout) -> str:
    """The sentences as a paragraph, broken into lines like the document's prose; never inside a word or at a
    tie."""
    if layout.kind == "sentence":
        return "\n".join(sentences)
    joined = " ".join(sentences)
    if layout.kind == "paragraph":
        return joined
    return "\n".join(
        textwrap.wrap(joined, layout.width, break_long_words=False, break_on_hyphens=False) or [joined]
    )


def paragraph(sentences: Sequence[tuple[ProseSentence, str]], layout: Layout) -> str:
    """The sentences as a paragraph; asides are put between them, as comments or as run-in headings."""
    lines: list[str] = []
    for aside, group in groupby(((s.aside, text) for s, text in sentences if text), key=lambda each: each[0]):
        texts = [text for _, text in group]
        lines += [aside_lines(aside, text) for text in texts] if aside else [break_lines(texts, layout)]
    return "\n".join(lines)


def aside_lines(aside: str, text: str) -> str:
    """A comment for the author: missing information, or a note on evidence. For "heading", the text itself."""
    if aside == "heading":
        return text
    first = "% texgeist: needs " if aside == "needs" else "% - "
    return "\n".join(
        textwrap.wrap(
            comment(text),
            _COMMENT,
            initial_indent=first,
            subsequent_indent="%   ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _subject(papers: Sequence[Reference], citing: Citing, keys: Mapping[str, str]) -> str:
    if citing.named:
        cited = [citation(citing.textual, [keys[paper.id]]) for paper in papers]
    else:
        cited = [_spelled(paper, citing, keys[paper.id]) for paper in papers]
    conjunction = citing.conjunction
    if len(cited) < 3:
        return f" {conjunction} ".join(cited)
    return ", ".join(cited[:-1]) + f"{',' if citing.language == 'en' else ''} {conjunction} {cited[-1]}"


def _spelled(paper: Reference, citing: Citing, key: str) -> str:
    r"""`Smith and Jones~\cite{k}`; neutral words if there are no names."""
    cited = citation(citing.parenthetical, [key])
    names = [escape(parse_name(name).last, citing.charset, maths=False) for name in paper.authors]
    names = [name.replace(" ", "~") for name in names if name.strip("?")]
    more = "others" in names[1:]
    if not names:
        return f"the authors of{citing.tie or ' '}{cited}" if citing.language == "en" else cited
    if len(names) == 1:
        shown = names[0]
    elif len(names) == 2 and not more:
        shown = f"{names[0]} {citing.conjunction} {names[1]}"
    else:
        et_al = escape(language_of(citing.language).et_al, citing.charset).replace(" ", "~") or "et~al."
        shown = f"{names[0]} {et_al}"
    return f"{shown}{citing.tie}{cited}"


_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_LATEX = re.compile(
    rf"~?\\[A-Za-z@]+\*?(?:[ \t]*\[[^\[\]]*\])*(?:[ \t]*{_GROUP})*|\$\$?[^$]+\$\$?|\\\([^$]*?\\\)|{_GROUP}"
)
_ACCENT = re.compile(
    r"\\[`'^\"~=.uvHcdbkr](?![A-Za-z@]{2})[ \t]*(?:\{\\?[A-Za-z]\}|\\?[A-Za-z])|\\(?:ss|oe|OE|ae|AE|aa|AA|o|O|l|L|i|j)(?:\{\}|(?![A-Za-z]))"
)
_COMMENT_SIGN = re.compile(r"(?<!\\)%")
MARK = re.compile(r"⟨(\d{1,3})⟩")


def marked(latex: str) -> tuple[str, tuple[str, ...]]:
    """The sentence with marks, and the LaTeX for each mark. Raises `Unfit` if the LaTeX cannot be split."""
    if MARK.search(latex) or _COMMENT_SIGN.search(latex):  # a comment that moves would comment out words
        raise Unfit(
            "The sentence contains a comment, or characters that texgeist uses itself.", "Change it by hand."
        )
    pieces: list[str] = []

    def put(match: re.Match[str]) -> str:
        if _ACCENT.fullmatch(match[0]):
            return match[0]
        pieces.append(match[0])
        return f"⟨{len(pieces)}⟩"

    words = read_markup(_LATEX.sub(put, latex))
    text = " ".join(words.replace("\\ ", " ").replace("~", " ").split())
    if re.search(r"[\\{}$]", text):
        raise Unfit("The words of the sentence cannot be separated from its LaTeX.", "Change it by hand.")
    return text, tuple(pieces)


def unmarked(text: str, pieces: tuple[str, ...], charset: Charset) -> str:
    """Turns marked text back into LaTeX: escapes the words and replaces each mark by its LaTeX in `pieces`.
    Raises `Unfit` unless each mark occurs once."""
    if sorted(int(mark) for mark in MARK.findall(text)) != list(range(1, len(pieces) + 1)):
        raise Unfit(
            "The new wording lost a citation or formula, so the sentence was not changed.", "Try again."
        )
    parts = MARK.split(text)
    made = ""
    for at, part in enumerate(parts):
        if at % 2:
            piece = pieces[int(part) - 1]
            made = made.rstrip(" ") + piece if piece.startswith("~") else made + piece
        else:
            lead, tail = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
            made += (lead and " ") + escape(part, charset) + (tail and " " if part.strip() else "")
    return made.strip()
