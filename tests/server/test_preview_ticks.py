"""A preview whose user leaves papers out: what is ticked is a whole section with its bibliography and record."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types as lsp
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft
from texgeist_latex.writing.edits import plan_related_work
from texgeist_latex.writing.sentences import keys_of
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Paragraph,
    Passage,
    Query,
    QueryPart,
    Result,
    Section,
    Selected,
    Sentence,
)
from texgeist_server.errors import EditDeclined, EditRefused
from texgeist_server.lsp import applying, ticks
from texgeist_server.lsp.clients import Client
from texgeist_server.lsp.documents import Documents
from texgeist_server.lsp.editor import Editor
from texgeist_server.lsp.landed import inverse
from texgeist_server.lsp.positions import Lines
from texgeist_server.sections import provenance, recording
from texgeist_server.sections.edit_request import Pending
from texgeist_server.sections.in_latex import references_of, section_of

TEXT = "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\nWords.\n\\bibliography{refs}\n\\end{document}\n"
OLD = "@article{old, title={An Old Paper on Bells}, author={Olive Oak}, year=1999}\n"
NAMES = {"a": "Ash", "b": "Birch", "c": "Cedar", "d": "Elder"}
Unticks = Callable[[lsp.TextEdit | lsp.AnnotatedTextEdit, str], bool]


class Ticking:
    """An editor that shows every edit first: it leaves out what its user unticks, and tells of it afterwards."""

    def __init__(self, documents: Documents) -> None:
        self.documents, self.unticks = documents, cast(Unticks, lambda edit, label: False)
        self.shown: list[lsp.WorkspaceEdit] = []
        self.refuses: Callable[[], object] | None = None  # what happens while it refuses the edit

    async def workspace_apply_edit_async(
        self, params: lsp.ApplyWorkspaceEditParams
    ) -> lsp.ApplyWorkspaceEditResult:
        self.shown.append(params.edit)
        if self.refuses:
            self.refuses()
            return lsp.ApplyWorkspaceEditResult(applied=False)
        labels = params.edit.change_annotations or {}
        for change in params.edit.document_changes or ():
            assert isinstance(change, lsp.TextDocumentEdit)
            uri = change.text_document.uri
            document = next((d for p, d in self.documents._now.items() if d.uri == uri), None)
            text = document.text if document else Path(uri.removeprefix("file://")).read_text()
            lines, made, at = Lines(text, "utf-16"), "", 0
            for edit in sorted(change.edits, key=lambda each: lines.offsets(each.range)):
                start, end = lines.offsets(edit.range)
                label = labels[edit.annotation_id].label if isinstance(edit, lsp.AnnotatedTextEdit) else ""
                assert not isinstance(edit, lsp.SnippetTextEdit)
                if not (label and self.unticks(edit, label)):
                    made, at = made + text[at:start] + edit.new_text, end
            self.documents.open(uri, made + text[at:], (document.version or 1) + 1 if document else 1)
        return lsp.ApplyWorkspaceEditResult(applied=True)


def editor_in(folder: Path) -> tuple[Editor, Ticking, Path]:
    main, documents = folder / "main.tex", Documents()
    main.write_text(TEXT)
    (folder / "refs.bib").write_text(OLD)
    server = Ticking(documents)
    documents.open(main.as_uri(), TEXT, 1)
    settings = SimpleNamespace(editor=SimpleNamespace(review="preview"))
    client = Client(document_changes=True, annotations=True)

    async def draft(path: Path) -> Draft:
        texts = {path: document.text for path, document in documents._now.items()}
        for file, text in texts.items():
            file.write_text(text)  # as saved: the draft is read from the disk here
        return read_draft(path, programs=False)

    made = (
        server,
        SimpleNamespace(client=client, settings=settings),
        documents,
        SimpleNamespace(draft=draft),
    )
    return Editor(*cast(Any, made)), server, main


def pending_of(main: Path) -> Pending:
    papers = [
        Paper(id, f"On the Theory of {name}", authors=(f"Ann {name}",), year=2020)
        for id, name in NAMES.items()
    ]
    evidence = [Evidence(f"e{p.id}", Passage(p.id, None, "Words."), 0.7) for p in papers]
    first = (
        Sentence("Ash trees fall in storms.", ("ea",)),
        Sentence("Birch and Cedar trees stand.", ("eb", "ec")),
    )
    second = (Sentence("Elder trees bend.", ("ed",)), Sentence("We plant trees.", ()))
    result = Result(
        query=Query("abstract", (QueryPart("Text.", "abstract"),)),
        section=Section("Related Work", (Paragraph(first), Paragraph(second))),
        selected=tuple(
            Selected(Candidate(p, 0.7, n), (e,), 0.7, "first")
            for n, (p, e) in enumerate(zip(papers, evidence, strict=True))
        ),
    )
    return Pending(
        result,
        lambda draft, made: plan_related_work(draft, section_of(made), references_of(made)),
        main,
        "Related work",
    )


def texts(editor: Editor, main: Path) -> tuple[str, str]:
    now = {path.name: document.text for path, document in editor.documents._now.items()}
    return now["main.tex"], now.get("refs.bib", OLD)


def is_whole(tex: str, bib: str) -> None:
    """Markers, heading, no gap too many; every citation has its entry, and every new entry its citation."""
    section = tex.split("% texgeist:begin related-work\n")[1].split("\n% texgeist:end related-work\n")[0]
    assert (
        section.startswith("\\section{Related Work}")
        and "\n\n\n" not in section
        and tex.count("texgeist:") == 2
    )
    entries = set(re.findall(r"@\w+\{(\w+),", bib))
    assert keys_of(section) == entries - {"old"}, (section, bib)
    assert tex.replace(
        tex[tex.index("% texgeist:begin") :].split("% texgeist:end related-work")[0], ""
    ).count("Words.")


@pytest.mark.parametrize(
    ("unticks", "left", "edits"),
    [
        (lambda edit, label: False, "abcd", 1),
        (lambda edit, label: "Ash" in label, "bcd", 2),  # sentence and entry
        (lambda edit, label: "Ash" in label and "fall" in edit.new_text, "bcd", 2),  # its sentence alone
        (lambda edit, label: "Ash" in label and "@" in edit.new_text, "bcd", 2),  # its entry alone
        (lambda edit, label: "Cedar" in label and "stand" in edit.new_text, "ad", 2),
        (lambda edit, label: "Birch" in label and "{birch" in edit.new_text, "ad", 2),  # told with Cedar
        (lambda edit, label: "Elder" in label or "plant" in edit.new_text, "abc", 2),  # a whole paragraph
        (lambda edit, label: "Ash" not in label and "bend" not in edit.new_text, "a", 2),  # frame unticked too
        (lambda edit, label: "texgeist:" in edit.new_text, "abcd", 2),  # the frame alone
    ],
)  # fmt: skip
async def test_what_is_ticked_is_whole(tmp_path: Path, unticks: Unticks, left: str, edits: int) -> None:
    editor, server, main = editor_in(tmp_path)
    server.unticks = unticks
    done = await applying.land(editor, pending_of(main))
    tex, bib = texts(editor, main)
    is_whole(tex, bib)
    names = {name for name in NAMES.values() if name in tex}
    assert names == {NAMES[id] for id in left} and set(done.plan.keys) == set(left)
    assert len(server.shown) == edits
    assert all(change.change_annotations is None for change in server.shown[1:])  # nothing is asked twice
    assert recording.land(done.staged) == ""
    record = provenance.read(main)
    assert record["citations"].keys() == set(done.plan.keys.values())
    _, after = inverse(done.draft, done.plan)
    assert {path.name: text for path, text in after.items()} == {"main.tex": tex, "refs.bib": bib}
    assert {path.name for path in (tmp_path / ".texgeist").iterdir()} == {".gitattributes", "provenance.json"}


async def test_each_paper_is_named_beside_its_changes(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    await applying.land(editor, pending_of(main))
    labels = {one.label for one in (server.shown[0].change_annotations or {}).values()}
    assert "ash2020theory: On the Theory of Ash" in labels or any(
        "On the Theory of Ash" in one for one in labels
    )
    assert any("On the Theory of Birch; " in one and one.endswith("On the Theory of Cedar") for one in labels)


async def test_where_nothing_is_ticked_nothing_is_written(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    server.unticks = lambda edit, label: "@" not in edit.new_text  # the entries alone
    with pytest.raises(EditRefused, match="Nothing of the text was ticked"):
        await applying.land(editor, pending_of(main))
    assert texts(editor, main) == (TEXT, OLD) and not (tmp_path / ".texgeist").exists()


async def test_what_is_discarded_is_no_fault_and_what_was_overtaken_is(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    server.refuses = lambda: None
    with pytest.raises(EditDeclined, match="discarded in the preview"):
        await applying.land(editor, pending_of(main))
    assert texts(editor, main) == (TEXT, OLD) and not (tmp_path / ".texgeist").exists()
    server.refuses = lambda: server.documents.open(main.as_uri(), TEXT.replace("Words.", "More words."), 2)
    with pytest.raises(EditRefused) as overtaken:
        await applying.land(editor, pending_of(main))
    assert not isinstance(overtaken.value, EditDeclined)


async def test_what_somebody_typed_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, server, main = editor_in(tmp_path)
    apply = server.workspace_apply_edit_async

    async def typed(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        done = await apply(params)
        text = texts(editor, main)[0].replace("Words.", "Words, and more.")
        editor.documents.open(main.as_uri(), text, 9)
        return done

    monkeypatch.setattr(server, "workspace_apply_edit_async", typed)
    await applying.land(editor, pending_of(main))
    assert "Words, and more." in texts(editor, main)[0] and len(server.shown) == 1


async def test_an_update_brings_back_nothing_that_was_unticked(tmp_path: Path) -> None:
    editor, server, main = editor_in(tmp_path)
    server.unticks = lambda edit, label: "Ash" in label
    done = await applying.land(editor, pending_of(main))
    recording.land(done.staged)
    section = provenance.read(main)["sections"]["related-work"]
    assert "Ash trees fall" in section["text"] and any("Ash trees fall" in one for one in section["gone"])


@pytest.mark.parametrize(("now", "wanted"), [
    ("abc", "abc"), ("abcd", "abd"), ("ab", "aab"), ("", "x"), ("x", ""), ("aXa", "aa"), ("aa", "aXa"), ("abab", "ab"),
])  # fmt: skip
def test_what_differs_is_changed_and_nothing_else(now: str, wanted: str) -> None:
    for edit in ticks.changes(now, wanted, Path("x")):
        assert now[: edit.start] + edit.text + now[edit.end :] == wanted and now != wanted
