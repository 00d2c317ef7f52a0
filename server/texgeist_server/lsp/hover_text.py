"""Why a citation is there, in Markdown: from provenance, else from the bibliography. The sentences themselves are
made when a paper is chosen (`pipeline/reasons` of retrieval).

Everything in here came from papers and bibliographies of strangers, so it is escaped, and links are made
from ids alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from texgeist_latex.types import BibEntry
from texgeist_retrieval.types import Description

MOST_LINES = 25
_PARTS = 6  # of a score, that are named
_QUOTE = 420  # code points of an evidence passage that are shown
_SPECIAL = re.compile(  # the last three: what editors turn into links without any sign of Markdown
    r"[\\`*_{}\[\]<>#|!~$&]|(?<=[a-z]):(?=//)|(?<=www)\.|@", re.I
)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]<>#|!~$&:.@])")


def why(key: str, record: dict[str, Any]) -> str:
    """Markdown for a citation that texgeist wrote, from its provenance record: in words, and what is counted
    after them."""
    blocks = [
        _heading(record.get("paper", {})),
        *(_reasons(record) or (*_evidence(record), escaped(str(record.get("why", ""))))),
        _summary(record),
        _numbers(record),
        _made(record),
        _remove(key),
    ]
    return _bounded(blocks)


def _reasons(record: dict[str, Any]) -> list[str]:
    """The draft's sentence, the paper's passage, what it is to the draft, what it was preferred to; nothing
    where these were not kept."""
    found = record.get("reasons") or {}
    yours, theirs = (str(found.get(name) or "") for name in ("yours", "theirs"))
    if not theirs:
        return []
    page = escaped(f"page {found['page']}") if found.get("page") else "abstract"
    return [
        f"*You write:* {escaped(cut(yours, _QUOTE))}" if yours else "",
        f"*It says* ({page}):\n> {escaped(cut(theirs, _QUOTE))}",
        escaped(cut(str(found.get("relation") or ""), _QUOTE)),
        escaped(cut(str(found.get("against") or ""), _QUOTE)),
    ]


def entry_text(entry: BibEntry, abstract: str = "") -> str:
    """Markdown for a citation that the author wrote, from its bibliography entry."""
    about = _words(entry.fields.get("abstract", "")) or abstract
    return _bounded(
        [_heading(paper_facts(entry)), escaped(cut(about, 900)) if about else "", f"`{_code(entry.key)}`"]
    )


def others_say(said: Sequence[Description]) -> str:
    """Sentences of other papers on this one; "" for none."""
    lines = []
    for one in said:
        where = ", ".join(filter(None, [one.by, one.heading, f"page {one.page}" if one.page else ""]))
        lines.append(f"> {escaped(cut(one.text, _QUOTE))} ({escaped(where)})")
    return "\n\n*Others say:*\n" + "\n>\n".join(lines) if lines else ""


def judged_text(message: str) -> str:
    """Markdown for what a judge said of a sentence."""
    return f"*Checked:* {escaped(cut(message, 2 * _QUOTE))}"


def paper_facts(entry: BibEntry) -> dict[str, Any]:
    """What an entry says of its paper, in a record's terms."""
    fields = entry.fields
    venue = fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle") or ""
    return {
        "title": _words(fields.get("title", entry.key)),
        "authors": _names(fields.get("author", "")),
        "venue": _words(venue),
        "year": fields.get("year") or fields.get("date", "")[:4],
        "arxiv": _arxiv(entry),
        "doi": _doi(entry),
    }


def visible(text: str) -> str:
    """Text of others in one line, with a space for each control character and mark of direction: these would show
    other words than the ones that stand there."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def escaped(text: str) -> str:
    """Text as Markdown that shows just this text, in one line and without links."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def unmarked(markdown: str) -> str:
    """The Markdown of this module as plain text."""
    text = re.sub(r"\[((?:\\.|[^\]\\])*)\]\(([^)]*)\)", r"\1 <\2>", markdown)
    text = re.sub(r"(?<!\\)[*`]+", "", text)
    return _ESCAPE.sub(r"\1", text)


def _heading(paper: dict[str, Any]) -> str:
    title = escaped(str(paper.get("title") or "(no title)"))
    link = _link(paper)
    authors = list(paper.get("authors") or ())
    names = ", ".join(escaped(str(name)) for name in authors[:6]) + (" et al." if len(authors) > 6 else "")
    where = ", ".join(escaped(str(part)) for part in (paper.get("venue"), paper.get("year")) if part)
    lines = [f"**[{title}]({link})**" if link else f"**{title}**"]
    lines += [line for line in (names, where) if line]
    return "  \n".join(lines)


def _link(paper: dict[str, Any]) -> str:
    if arxiv := str(paper.get("arxiv") or ""):
        return "https://arxiv.org/abs/" + quote(arxiv, safe="/.")
    if doi := str(paper.get("doi") or ""):
        return "https://doi.org/" + quote(doi, safe="/.:;-")
    return ""


def _evidence(record: dict[str, Any]) -> list[str]:
    """At most two passages, the best first, each with its page."""
    found = sorted(record.get("evidence", ()), key=lambda e: -float(e.get("similarity") or 0))
    blocks = []
    for proof in found[:2]:
        place = escaped(f"page {proof['page']}") if proof.get("page") else "abstract"
        text = proof.get("summary") or proof.get("text", "")
        blocks.append(f"> {escaped(cut(str(text), _QUOTE))} ({place})")
    return blocks


def _numbers(record: dict[str, Any]) -> str:
    """All that is counted, in one block: the place and closeness, and what the order was made by."""
    told = str((record.get("reasons") or {}).get("numbers") or "")
    return "  \n".join(filter(None, [f"*In numbers:* {escaped(told)}" if told else "", _parts(record)]))


def _parts(record: dict[str, Any]) -> str:
    """What the ranker's score is made of, the weightiest first; the rest as one sum."""
    found = record.get("score_parts")
    parts = found.items() if isinstance(found, dict) else ()
    numbers = [(name, part) for name, part in parts if isinstance(part, (int, float))]
    ordered = sorted(numbers, key=lambda item: -abs(item[1]))
    shown, rest = ordered[:_PARTS], sum(part for _, part in ordered[_PARTS:])
    words = [f"{escaped(name)} {part:+.2f}" for name, part in shown]
    if len(ordered) > _PARTS:
        words.append(f"{len(ordered) - _PARTS} others {rest:+.2f}")
    return f"*Score (log odds):* {', '.join(words)}" if words else ""


def _summary(record: dict[str, Any]) -> str:
    summary = str(record.get("summary") or "")
    return f"*For your draft:* {escaped(cut(summary, 600))}" if summary else ""


def _made(record: dict[str, Any]) -> str:
    parts = [
        f"Added {record.get('date', '')}",
        f"written by {record['writer']}" if record.get("writer") else "",
        f"found in {record['index']}" if record.get("index") else "",
        f"with {record['model']}" if record.get("model") else "",
    ]
    return escaped(", ".join(part for part in parts if part) + ".")


def _remove(key: str) -> str:
    return f"To remove it, delete `{_code(key)}` from the sentence, or run *Remove this section*."


def _bounded(blocks: list[str]) -> str:
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(lines[:MOST_LINES])


def cut(text: str, most: int) -> str:
    text = visible(text)
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"


def _words(latex: str) -> str:
    """A field's value as text."""
    from texgeist_latex.tex.plaintext import plain

    return " ".join(plain(latex).split())


def _names(field: str) -> list[str]:
    """Authors as "First Last"."""
    from texgeist_latex.bib.authors import parse_name, split_authors

    parsed = [parse_name(name) for name in split_authors(field)]
    return [_words(" ".join(filter(None, (name.first, name.last, name.suffix)))) for name in parsed]


def _code(text: str) -> str:
    return visible(text).replace("`", "'")


def _arxiv(entry: BibEntry) -> str:
    from texgeist_latex.bib.identity import arxiv_id_of

    return arxiv_id_of(entry) or ""


def _doi(entry: BibEntry) -> str:
    from texgeist_latex.bib.identity import doi_of

    return doi_of(entry) or ""
