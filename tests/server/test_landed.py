"""Taking back what was written: all of it, and nothing else."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.types import Edit, EditPlan, SourceFile
from texgeist_server.errors import EditRefused
from texgeist_server.lsp.edits.landed import found_again
from texgeist_server.lsp.jobs import writing_jobs
from texgeist_server.sections.recording import inverse

FILE = Path("/nowhere/main.tex")


class Read:
    def __init__(self, text: str) -> None:
        self.sources = {FILE: SourceFile(FILE, text)}
        self.bibliographies = ()


@given(
    st.text(max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5), st.text(max_size=8)), max_size=5),
)
@settings(max_examples=300, deadline=None)
def test_the_inverse_of_any_edits_gives_the_text_back(text: str, asked: list[tuple[int, int, str]]) -> None:
    edits, last = [], 0
    for start, length, new in sorted(asked):
        begin, end = max(start, last), max(start, last) + length
        if end <= len(text):
            edits.append(Edit(FILE, begin, end, new))
            last = end
    back, after = inverse(Read(text), EditPlan(tuple(edits), "", "", {}))  # type: ignore[arg-type]
    made = after.get(FILE, text)
    for edit in reversed(back):  # of two at one place the first stands first, as in the protocol
        made = made[: edit.start] + edit.text + made[edit.end :]
    assert made == text


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        ("ab WRITTEN\nc", (3, 11)),
        ("typed before: ab WRITTEN\nc", (17, 25)),
        ("ab WRITTEN", (3, 10)),  # its line end was taken off
        ("ab WRIT-TEN\nc", None),
        ("x WRITTEN WRITTEN", None),  # which of the two?
        ("", None),
    ],
)
def test_what_was_written_is_found_again_or_left_alone(now: str, wanted: tuple[int, int] | None) -> None:
    found = found_again(now, "ab WRITTEN\nc", Edit(FILE, 3, 11, ""))
    assert (found and (found.start, found.end)) == wanted


@pytest.mark.parametrize("now", ["\\cite{a,smith2020b} more", "\\cite{a;b,smith2020x}"])
def test_a_piece_of_something_else_is_not_what_was_written(now: str) -> None:
    assert found_again(now, "\\cite{a,smith2020}", Edit(FILE, 7, 17, "")) is None


async def test_an_older_message_does_not_act_on_what_was_written_since() -> None:
    async def draft(path: Path) -> SimpleNamespace:
        return SimpleNamespace(root=FILE)

    writing = SimpleNamespace(
        editor=SimpleNamespace(reader=SimpleNamespace(draft=draft)),
        last={FILE: object()},
        pending={FILE: object()},
        since={FILE: "an entry was added"},
    )
    with pytest.raises(EditRefused, match="not undone"):
        await writing_jobs.undo(writing, None, FILE, object())  # type: ignore[arg-type]
    with pytest.raises(EditRefused, match="not inserted"):
        await writing_jobs.insert_pending(writing, None, FILE, object())  # type: ignore[arg-type]
    with pytest.raises(EditRefused, match="an entry was added since"):  # a command that names nothing
        await writing_jobs.undo(writing, None, FILE)  # type: ignore[arg-type]
    assert writing.last and writing.pending
