"""A Quarto document in an editor."""

from __future__ import annotations

from pathlib import Path

from texgeist_server.bibliography_checks.checking import read_file

from .editor import editor

PAPER = "---\nabstract: We study bees and their dance.\nbibliography: refs.bib\n---\n\nBees dance [@li2021]. We use late interaction [@\n\nNobody [@missing].\n"
REFS = "@article{li2021, title={Dancing Bees}, author={Li, Bo}, year={2021}}\n@misc{ann, title={Late Interaction}, author={Ann, A.}, year=2020}\n"


async def test_keys_as_in_latex(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(REFS)
    path = tmp_path / "paper.qmd"
    path.write_text(PAPER)
    async with editor(tmp_path) as one:
        one.open(path)
        found = await one.completions(path, "interaction [@", len("interaction [@"))
        assert [item.label for item in found.items] == ["ann", "li2021"]
        assert "Dancing Bees" in await one.hover(path, "li2021")
        [place] = await one.definition(path, "li2021")
        assert place.uri.endswith("refs.bib")
        await one.until(
            lambda: any("missing" in d.message for d in one.client.diagnostics.get(one.uri(path), []))
        )
        titles = set(await one.actions(path, one.range(path, "We use late interaction")))
        assert "texgeist: find citations for the selection" in titles
        assert not [title for title in titles if "related work" in title] and not await one.lenses(path)


def test_its_bibliographies_are_checked(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(REFS)
    (tmp_path / "paper.md").write_text(PAPER)
    read = read_file(tmp_path / "paper.md")
    assert [b.path.name for b in read.bibliographies] == ["refs.bib"]
    assert [p.code for p in read.problems] == ["undefined-citation"]
