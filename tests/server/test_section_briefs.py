"""Which section is meant, and what the draft has for it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from texgeist_latex.errors import NoPlace, Unreadable
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft
from texgeist_retrieval.types import Note
from texgeist_server.sections.queries import NothingToAsk
from texgeist_server.sections.section_briefs import at_or_again, section_at, section_named, section_query

TEXT = r"""\documentclass{article}
% texgeist: hypothesis: sleep helps recall
\begin{document}
\title{Sleep and Word Pairs}\maketitle
\begin{abstract}
Recall was better after sleep, in forty adults who learned word pairs.
\end{abstract}
\section{Introduction}
Sleep is old.
% texgeist:begin introduction
Generated words.
% texgeist:end introduction
\section{Materials and Methods}
Forty adults took part.
\subsection{Procedure}
They learned word pairs.
\section{Results}
\begin{table}\caption{Recall by group.}
\begin{tabular}{lr} Sleep & 71.2 \\ Awake & 58.8 \end{tabular}
\end{table}
Recall rose.
% texgeist: findings: recall rose by 12.4 points
\paragraph{Threats to validity.} Few took part.
\section{Concluding remarks}
\end{document}
"""


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    (tmp_path / "main.tex").write_text(TEXT)
    return read_draft(tmp_path / "main.tex")


@pytest.mark.parametrize(
    ("name", "title", "kind", "id"),
    [
        ("introduction", "Introduction", "introduction", "introduction"),
        ("Methods", "Materials and Methods", "methods", "methods"),
        ("procedure", "Procedure", "methods", "methods"),
        ("results", "Results", "results", "results"),
        ("Conclusion", "Concluding remarks", "conclusion", "conclusion"),
        ("abstract", "Abstract", "abstract", "abstract"),
    ],
)
def test_a_section_is_found_by_its_heading_or_its_kind(
    draft: Draft, name: str, title: str, kind: str, id: str
) -> None:
    found = section_named(draft, name)
    assert (found.title, found.kind, found.id) == (title, kind, id)


def test_a_part_of_a_heading_names_a_section_if_no_other_heading_contains_it(draft: Draft) -> None:
    assert section_named(draft, "Threats").title.startswith("Threats to validity")
    assert section_named(draft, "and methods").title == "Materials and Methods"
    with pytest.raises(NoPlace):
        section_named(draft, "al")


def test_what_is_not_there_is_said_with_what_is(draft: Draft) -> None:
    with pytest.raises(NoPlace, match=r"no section “Discussion”") as refused:
        section_named(draft, "Discussion")
    assert "“Materials and Methods”" in refused.value.help


def test_the_brief_holds_the_authors_own_words_alone(draft: Draft) -> None:
    query = section_query(draft, section_named(draft, "Introduction"))
    brief = query.brief
    assert brief is not None and query.written == "Sleep is old." and query.kind == "section"
    assert brief.captions == ("Recall by group.",)
    assert brief.tables == ("Sleep | 71.2\nAwake | 58.8",)
    assert set(brief.notes) == {
        Note("hypothesis", "sleep helps recall"),
        Note("findings", "recall rose by 12.4 points"),
    }
    names = [heading for heading, _ in brief.neighbours]
    assert names[0] == "Materials and Methods" and "Results" in names
    assert (
        dict(brief.neighbours)["Materials and Methods"]
        == "Forty adults took part.\n\nThey learned word pairs."
    )
    assert "Generated" not in str(query)


def test_what_is_planned_under_another_heading_is_planned_for_that(tmp_path: Path) -> None:
    planned = (
        "% texgeist: plan: why sleep\n\\section{Introduction}\n% texgeist: plan: begin with Ebbinghaus\n"
    )
    results = (
        "% texgeist: plan: a figure by group\n% texgeist: findings: recall rose\n% texgeist: say it shortly\n"
    )
    (tmp_path / "main.tex").write_text(
        f"\\documentclass{{article}}\\begin{{document}}\n{planned}Sleep is old.\n"
        f"\\section{{Results}}\n{results}Recall rose.\n\\end{{document}}\n"
    )
    read = read_draft(tmp_path / "main.tex")
    notes = {
        name: [note.text for note in section_query(read, section_named(read, name)).brief.notes]  # type: ignore[union-attr]
        for name in ("Introduction", "Results")
    }
    assert notes["Introduction"] == ["begin with Ebbinghaus", "why sleep", "recall rose"]
    assert notes["Results"] == ["a figure by group", "recall rose", "say it shortly", "why sleep"]


def test_the_cursor_finds_its_section_and_that_again_when_the_text_has_moved(
    draft: Draft, tmp_path: Path
) -> None:
    file = tmp_path / "main.tex"
    at = TEXT.index("\\section{Results}") + 3
    assert section_at(draft, file, at).title == section_at(draft, file, at - 3).title == "Results"
    assert section_at(draft, file, TEXT.index("They learned")).title == "Procedure"
    assert section_at(draft, file, TEXT.index("Recall was better")).kind == "abstract"
    find = at_or_again(file, at)
    before = find(draft)
    file.write_text(TEXT.replace("Sleep is old.", "Sleep is old.\n\nAnd it is long."))
    after = find(read_draft(file))
    assert after.title == "Results" and after.place.start == before.place.start + len("\n\nAnd it is long.")
    file.write_text(TEXT.replace("\\section{Results}", "\\section{What was found}"))
    with pytest.raises(NoPlace, match="is not where it was"):
        find(read_draft(file))
    with pytest.raises(NoPlace, match="no section at the cursor"):
        section_at(draft, file, 3)


def test_sections_of_one_name_keep_apart(tmp_path: Path) -> None:
    """A thesis has an introduction in every chapter; what was drafted for one is not replaced by another's."""
    file = tmp_path / "main.tex"
    text = (
        "\\documentclass{book}\n\\begin{document}\n\\chapter{One}\n\\section{Introduction}\nFirst.\n"
        "% texgeist:begin introduction\nOurs.\n% texgeist:end introduction\n"
        "\\chapter{Two}\n\\section{Introduction}\nSecond.\n\\end{document}\n"
    )
    file.write_text(text)
    draft = read_draft(file)
    first = section_at(draft, file, text.index("First."))
    second = section_at(draft, file, text.index("Second."))
    assert (first.id, second.id) == ("introduction", "introduction-2")


def test_an_abstract_in_a_commands_argument_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "main.tex"
    file.write_text(
        "\\documentclass{article}\n\\begin{document}\n\\abstract{We study sleep, and what it does to learning.}\n"
        "\\section{A}\nB.\n\\end{document}\n"
    )
    with pytest.raises(NoPlace, match="argument of a command"):
        section_named(read_draft(file), "Abstract")


def test_a_draft_without_words_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "main.tex"
    file.write_text("\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\n\\end{document}\n")
    draft = read_draft(file)
    with pytest.raises(NothingToAsk, match="no words to search with"):
        section_query(draft, section_named(draft, "Introduction"))


def test_what_was_generated_in_the_abstract_is_not_the_authors(tmp_path: Path) -> None:
    file = tmp_path / "main.tex"
    block = "\n% texgeist:begin abstract\nGenerated words.\n% texgeist:end abstract\n\\end{abstract}"
    file.write_text(TEXT.replace("\n\\end{abstract}", block))
    draft = read_draft(file)
    query = section_query(draft, section_named(draft, "Abstract"))
    assert query.written == query.abstract and query.abstract.startswith("Recall was better")
    assert "Generated" not in str(query) and section_named(draft, "Abstract").id == "abstract"


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("\\subsection{{S {n}}}\nText {n} here.\n", 6000),
        ("% texgeist:begin results-{n}\nText.\n% texgeist:end results-{n}\n\n", 6000),
        ("% texgeist: plan: say that sleep {n} helps\n", 30_000),
    ],
)
def test_a_section_costs_as_much_as_it_is_long(tmp_path: Path, body: str, count: int) -> None:
    """Subsections, generated blocks and notes by the thousand, in a project that somebody sent: a quarter of a minute
    and more where each was held against all."""
    file, many = tmp_path / "main.tex", "".join(body.format(n=n) for n in range(count))
    file.write_text(TEXT.replace("Recall rose.\n", f"Recall rose.\n{many}"))
    draft = read_draft(file, programs=False)
    begun = time.process_time()
    brief = section_query(draft, section_named(draft, "Results")).brief
    assert brief is not None and time.process_time() - begun < 6


def test_a_results_file_is_the_authors_own_material(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "table.csv").write_text("group,recall\nSleep,71.2\nAwake,58.8\n" + "x,1\n" * 2000)
    text = TEXT.replace("% texgeist: findings:", "% texgeist: results: runs/table.csv\n% texgeist: findings:")
    (tmp_path / "main.tex").write_text(text)
    draft = read_draft(tmp_path / "main.tex")
    brief = section_query(draft, section_named(draft, "Results")).brief
    assert brief is not None and brief.notes[0].kind == "findings"
    assert brief.tables[0].startswith(
        "Results in runs/table.csv:\ngroup | recall\nSleep | 71.2\nAwake | 58.8\n"
    )
    assert "lines left out" in brief.tables[0] and brief.tables[1].startswith("Sleep | 71.2")
    other = section_query(draft, section_named(draft, "Introduction")).brief
    assert other is not None and not other.tables[0].startswith("Results in")


@pytest.mark.parametrize(
    "name", ["../out.csv", "/etc/passwd", "link.csv", "gone.csv", "run.bin", "nul.txt", "big.log"]
)
def test_a_results_file_that_is_no_text_of_the_project_is_refused(tmp_path: Path, name: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "out.csv").write_text("a,b\n")
    (project / "link.csv").symlink_to("/etc/hostname")
    (project / "run.bin").write_bytes(b"x")
    (project / "nul.txt").write_bytes(b"a\0b")
    with (project / "big.log").open("wb") as file:
        file.truncate(2_000_000_000)
    (project / "main.tex").write_text(
        TEXT.replace("% texgeist: findings:", f"% texgeist: results: {name}\n% ")
    )
    draft = read_draft(project / "main.tex")
    with pytest.raises(Unreadable, match=r"results file"):
        section_query(draft, section_named(draft, "Results"))
