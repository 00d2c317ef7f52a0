"""The prompts for writing a section of the draft, one for each kind of section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...models.structured_call import Prompt
from ...types import Query, SectionType, Selected
from .prompts import CITING, SYSTEM, blocks_of, quoted

_LONGEST_OWN = 2400  # characters of one of the author's passages

OWN = """
- What the authors did, used, found or think is said only as their own passages say it, whose ids begin with D: these are \
cited like the others, [D2], right behind what they say; a sentence that speaks of both cites both, each at its place. A \
sentence that no passage says is not written, nor a figure that no passage cited in that sentence has."""
RULES = f"""{CITING}{OWN}
- What a sentence says of a paper includes its joints. That two findings agree or disagree, that one explains, causes \
or follows from another, that two works share an aim, is said only where a passage says it, or where both measured the \
same thing; and so is a cause that a finding is given. Findings on different matters stand side by side, each with \
what it was found on and by whom (people or models), without “against this”, “therefore”, “one explanation”, \
“the difference”. “So that” and “which improves” are joints too, in what is said of the authors' work as well: gains \
are those of the whole system that was measured, and what the authors join by “and” is joined by “and”. Who did what \
to what stays as the passage has it.
- A finding that speaks against a choice of the authors is used where an own passage answers it; else it goes into \
"needs", as a request to answer it.
- What the own passages say elsewhere in the paper is not said again in the same words: take from it what this section \
needs, and say what follows for it.
- What the section should say and no own passage says (a number, a reason, a limit, a choice) goes into "needs", each \
as one short request to the authors; it is never made up. Results are not asked for where the draft says that there \
are none yet.
- The authors' own text of the section stays as it is, in front of yours: go on from its last sentence, take up what \
it leaves open, and say nothing again that it says.
- Speak for the authors: "we" and "this paper" are theirs. Report papers indirectly, never in quotation marks. \
No praise, no filler. One statement a sentence, plain words, no pronoun far from what it stands for; a word that \
leads on (“this”, “moreover”) has what it leads on from right before it."""

_ASKED: Mapping[SectionType, str] = {
    "introduction": (
        "the Introduction. Lead from what is known to what is open, and from there to what this paper does about it: "
        "the problem and why it matters by the evidence, what was tried and where it ends, then the question and the "
        "contribution by the own passages. A line of work is not shown by one example that stands for it. The last "
        "paragraph is the authors' own."
    ),
    "methods": (
        "the Methods. Say in the order of the work what was done, by the own passages alone; cite where a method, an "
        "instrument, a data set or a measure comes from, and what supports a choice. What a reader would need to "
        "repeat the work and no own passage says is asked for in “needs”."
    ),
    "results": (
        "the Results. Say what was found, by the own passages, notes, captions and tables alone, the main finding "
        "first, each figure as it stands there. Interpretation belongs elsewhere; cite where a finding is set beside "
        "a published one of the same measure."
    ),
    "discussion": (
        "the Discussion. Begin with the main finding by the own passages. Then set each finding beside published "
        "ones of the same matter: where they agree, where they disagree, the reason where a passage gives one, and what "
        "follows for this work, its costs included. Give the evidence that speaks against as much room as that which "
        "speaks for. Then the limits, by the own passages, each with what is done about it. Fewer sources, each put to "
        "use, before many."
    ),
    "conclusion": (
        "the Conclusion. What was asked, what was found and what follows, by the own passages, in one or two short "
        "paragraphs; cite only where the finding answers to a named line of work. Nothing new is brought up."
    ),
    "abstract": (
        "the Abstract. One paragraph by the own passages alone: problem, what was done, main finding with its figures, "
        "what follows. The evidence shows in which light it will be read; an abstract cites nothing, so name "
        "evidence only where a sentence cannot stand without it."
    ),
}
_WORDS: Mapping[SectionType, int] = {
    "introduction": 450,
    "methods": 350,
    "results": 350,
    "discussion": 500,
    "conclusion": 200,
    "abstract": 180,
}
_LEAST_WORDS = 120


def writes(section: SectionType) -> str:
    """The instruction for this kind of section."""
    kind = _ASKED.get(section, "a section, on the matter that its heading names.")
    return (
        f"Write {kind} You are given what the draft has, as own passages with ids, and passages of published papers, "
        "each with an id, gathered for this section. Not all of these need be cited: take those that carry the argument. "
        "“plan” says in a line for each paragraph what it argues, “section” is the text, with an empty line between "
        f"paragraphs and without headings.\n{RULES}"
    )


def words_of(query: Query) -> int:
    """The length of the new text in words: the usual length of such a section minus the length of the
    author's text."""
    kind: SectionType = query.brief.section if query.brief else "other"
    return max(_WORDS.get(kind, 350) - len(query.written.split()), _LEAST_WORDS)


def own_passages(query: Query) -> dict[str, tuple[str, str]]:
    """The author's text as passages, (source, text) by id. Passages of the section to write come first."""
    brief = query.brief
    found: list[tuple[str, str]] = []
    heading = brief.heading if brief else "the section"
    found += [(f"{heading}, as it stands", p) for p in query.written.split("\n\n")]
    if brief is not None:
        found += [(f"note: {note.kind or 'to the writer'}", note.text) for note in brief.notes]
    found.append(("abstract", query.abstract))
    if brief is not None:
        found += [("caption", caption) for caption in brief.captions[:12]]
        found += [("table", table) for table in brief.tables[:6]]
        found += [(name, p) for name, text in brief.neighbours[:6] for p in text.split("\n\n")[:6]]
    told = dict.fromkeys((label, text.strip()) for label, text in found if text.strip())
    return {f"D{n}": pair for n, pair in enumerate(list(told)[:60], 1)}


def draft_prompt(
    query: Query, own: Mapping[str, tuple[str, str]], selected: Sequence[Selected], instructions: str
) -> Prompt:
    style = f"The author's wishes on style: {instructions.strip()[:1000]}\n" if instructions.strip() else ""
    lines = [
        f'<own id="{id}" from="{quoted(label, 120)}">{quoted(text, _LONGEST_OWN)}</own>'
        for id, (label, text) in own.items()
    ]
    title = quoted(query.title, 300)
    own_text = f'{style}<draft title="{title}">\n' + "\n".join(lines) + "\n</draft>\n\n"
    section: SectionType = query.brief.section if query.brief else "other"
    heading = quoted(query.brief.heading, 200) if query.brief else ""
    words = words_of(query)
    user = (
        f"{writes(section)}\n\nWrite now what the section “{heading}” still needs, each sentence with what it stands on. "
        f"At most {words} words."
    )
    return Prompt(SYSTEM, own_text + blocks_of(selected), user, 1500 + 6 * words)
