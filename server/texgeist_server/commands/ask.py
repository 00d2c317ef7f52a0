"""`texgeist ask`: a scientific question, answered from papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..sections.advice import advice
from .common import INDEX, JSON, load_settings, messages, overrides, plainly, print_json, working
from .related_work import DRY_RUN, WRITER, WriterName, print_preview

if TYPE_CHECKING:
    from ..sections.outcome import Outcome


def register(app: typer.Typer) -> None:
    @app.command("ask")
    def ask(
        question: str = typer.Argument(..., help="The question."),
        file: Path | None = typer.Option(None, "--draft", help="Answer in the light of this draft."),
        breadth: int | None = typer.Option(None, min=1, max=60, help="How many papers to answer from."),
        writer: WriterName = WRITER,
        index: str | None = INDEX,
        dry_run: bool = DRY_RUN,
        as_json: bool = JSON,
    ) -> None:
        """Answer a question from the papers of the index, with citations."""
        from ..config.credentials import keys_from_environment
        from ..sections import runs
        from ..sections.queries import ask_for_answer

        settings, keys = load_settings(), keys_from_environment()
        with plainly():
            draft = None
            if file is not None:
                from texgeist_latex.reading.project import read_draft

                from ..sections.keeping import check_certain

                draft = read_draft(file)
                check_certain(draft)
            asked = ask_for_answer(draft, question)
            job = runs.Job("answer", asked, index, writer.value, overrides(breadth=breadth))
            with working("Searching") as monitor:
                if dry_run:
                    print_preview(runs.preview(job, settings, keys, monitor), as_json)
                    return
                outcome = runs.run(job, settings, keys, monitor)
        if as_json:
            print_json(described(outcome))
        else:
            _show(outcome)


def described(outcome: Outcome) -> dict[str, Any]:
    """The answer as plain data; papers by id, since there is no bibliography to have keys."""
    proofs = {proof.id: (paper, proof) for paper in outcome.chosen for proof in paper.proofs}
    return {
        "answer": {
            "text": _text(outcome),
            "sentences": [
                {
                    "text": " ".join(filter(None, [sentence.lead, sentence.text])),
                    "papers": list(sentence.references),
                    "evidence": [
                        {"paper": paper.reference.id, "text": proof.text, "page": proof.page}
                        for paper, proof in (proofs[i] for i in ids if i in proofs)
                    ],
                }
                for sentence, ids in zip(outcome.sentences(), outcome.sentence_proofs, strict=True)
            ],
        },
        "papers": [
            {
                "id": paper.reference.id,
                "title": paper.reference.title,
                "authors": list(paper.reference.authors),
                "year": paper.reference.year,
                "similarity": round(paper.similarity, 4),
                "rank": paper.rank,
                "why": paper.why,
                "evidence": [{"text": proof.text, "page": proof.page} for proof in paper.proofs],
            }
            for paper in outcome.chosen
        ],
        "notes": [*outcome.notes, *advice(outcome)],
        "writer": outcome.writer,
        "index": outcome.index,
        "model": outcome.model,
    }


def _text(outcome: Outcome) -> str:
    """The answer with numbered references, for reading on a terminal."""
    numbers = {paper.reference.id: n for n, paper in enumerate(outcome.chosen, 1)}
    names = {paper.reference.id: _authors(paper.reference.authors) for paper in outcome.chosen}
    paragraphs = []
    for paragraph in outcome.section.paragraphs:
        words = []
        for sentence in paragraph:
            marks = ", ".join(str(numbers[r]) for r in sentence.references if r in numbers)
            if sentence.textual and sentence.references:
                subject = f"{names.get(sentence.references[0], '')} [{marks}]"
                words.append(" ".join(filter(None, [sentence.lead, subject, sentence.text])))
            elif marks:
                end = sentence.text[-1:] if sentence.text[-1:] in ".?!" else ""
                words.append(f"{sentence.text.removesuffix(end)} [{marks}]{end}")
            else:
                words.append(sentence.text)
        paragraphs.append(" ".join(words))
    return "\n\n".join(paragraphs)


def _authors(authors: tuple[str, ...]) -> str:
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in authors if name.strip()]
    if not names:
        return "The authors"
    return names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."


def _show(outcome: Outcome) -> None:
    typer.echo(_text(outcome))
    typer.echo("")
    for number, paper in enumerate(outcome.chosen, 1):
        reference = paper.reference
        names = _authors(reference.authors) if reference.authors else ""
        year = f"({reference.year})" if reference.year else ""
        who = " ".join(filter(None, [names, year]))
        title = reference.title if reference.title.endswith((".", "?", "!")) else f"{reference.title}."
        typer.echo(" ".join(filter(None, [f"[{number}]", f"{who}." if who else "", title, reference.url])))
    for note in [*outcome.notes, *advice(outcome)]:
        messages().print(note, style="yellow", markup=False)
    if spent := outcome.spent():
        messages().print(spent, markup=False)
