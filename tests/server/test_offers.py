"""A citation offered at the end of a sentence that needs it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_latex.reading.workspace import Workspace

from .editor import editor

BIB = """
@article{khattab20, title={ColBERT: Late Interaction over BERT}, author={Omar Khattab and Matei Zaharia}, year=2020}
@article{lewis20, title={Retrieval-Augmented Generation for Knowledge Tasks}, author={Patrick Lewis and Ethan Perez}}
@article{aardvark, title={Diets of Aardvarks}, author={Ada Ant}}
@article{luck, title={Chance in Biology}, author={Lou Luck}}
"""
NEEDS = "The model ColBERT of Khattab and Zaharia uses late interaction over BERT"
FRAME = (
    "\\documentclass{{article}}\\usepackage{{natbib}}\n\\begin{{document}}\nPassages help readers \\citep{{lewis20}}.\n\n"
    "{}\n\n\\bibliography{{refs}}\n\\end{{document}}\n"
)


def offer(tmp_path: Path, body: str) -> str:
    marked = FRAME.format(body)
    place = marked.index("|")
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / "main.tex").write_text(marked.replace("|", ""))
    found = Workspace().offer(tmp_path / "main.tex", place)
    return f"{found.at - place}{found.latex}" if found else ""


@pytest.mark.parametrize(
    ("body", "offered"),
    [
        (NEEDS + "|", "0~\\citep{khattab20}"),
        (NEEDS + "|.", "0~\\citep{khattab20}"),
        (NEEDS + ".|", "-1~\\citep{khattab20}"),
        (NEEDS + "| and more", ""),
        (NEEDS + "~\\citep{khattab20}.|", ""),
        (NEEDS + "|~\\citep{khattab20}.", ""),
        (f"As \\citet{{khattab20}} say, {NEEDS}.|", ""),
        ("ColBERT is due to \\citet{khattab20}. " + "Nothing is said here. " * 40 + NEEDS + ".|", ""),
        ("% " + NEEDS + "|", ""),
        (f"\\begin{{equation}} {NEEDS}|\n\\end{{equation}}", ""),
        (f"$x = {NEEDS}|\n$", ""),
        (f"\\section{{{NEEDS}|}}", ""),
        (f"\\begin{{verbatim}}\n{NEEDS}|\n\\end{{verbatim}}", ""),
        ("Importantly, finding a thing is not the same as luck.|", ""),
        ("We describe what we did in this study of nothing much.|", ""),
    ],
)
def test_offered_only_where_a_citation_is_needed(tmp_path: Path, body: str, offered: str) -> None:
    assert offer(tmp_path, body) == offered


def test_nothing_is_offered_in_the_preamble_or_in_odd_places(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    text = f"\\documentclass{{article}}\n{NEEDS}.\n" + FRAME.format(NEEDS)[23:]
    (tmp_path / "main.tex").write_text(text)
    model = Workspace()
    assert model.offer(tmp_path / "main.tex", text.index(NEEDS) + len(NEEDS)) is None
    for offset in (0, 1, len(text), len(text) + 5):
        assert model.offer(tmp_path / "main.tex", offset) is None
    assert model.offer(tmp_path / "refs.bib", 30) is None and model.offer(tmp_path / "gone.tex", 3) is None


async def test_as_inline_completion_and_quick_fix_with_a_switch(tmp_path: Path, env: dict[str, str]) -> None:
    main, stop = tmp_path / "main.tex", NEEDS + "."
    (tmp_path / "refs.bib").write_text(BIB)
    main.write_text(FRAME.format(stop))

    async def inline(one: object, inside: int) -> list[tuple[str, int]]:
        params = lsp.InlineCompletionParams(
            lsp.InlineCompletionContext(lsp.InlineCompletionTriggerKind.Automatic),
            one.document(main),  # type: ignore[attr-defined]
            one.position(main, stop, inside),  # type: ignore[attr-defined]
        )
        found = await one.client.text_document_inline_completion_async(params)  # type: ignore[attr-defined]
        return [(i.insert_text, i.range.end.character - i.range.start.character) for i in found.items]

    async with editor(tmp_path, env=env) as one:
        one.open(main)
        assert await inline(one, len(NEEDS)) == [("~\\citep{khattab20}", 0)]
        assert await inline(one, len(stop)) == [("~\\citep{khattab20}.", 1)]
        assert await inline(one, 20) == []
        at = one.position(main, stop, len(stop))
        titles = [fix.title for fix in await one.fixes(main, lsp.Range(at, at))]
        assert titles == ["texgeist: cite khattab20"]
    config = Path(env["TEXGEIST_CONFIG"])
    config.write_text('[editor]\nshow = ["completion"]\n')
    async with editor(tmp_path, env=env) as one:
        one.open(main)
        assert await inline(one, len(NEEDS)) == []
