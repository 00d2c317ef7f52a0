"""The record of why: stable, merged by section, never lost, shown safely."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.entry_checks.contradictions import check_alone
from texgeist_latex.errors import Unreadable
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing import admission
from texgeist_latex.writing.entries import new_entry
from texgeist_latex.writing.entry_style import BibStyle
from texgeist_latex.writing.escape import Charset
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Passage,
    Query,
    QueryPart,
    Reasons,
    Result,
    Section,
    Selected,
    Sentence,
    papers,
)
from texgeist_server.lsp.hover_text import MOST_LINES, NO_ABSTRACT, unmarked, why
from texgeist_server.references import reference_of
from texgeist_server.sections import provenance, provenance_model, recording
from texgeist_server.sections.provenance_model import CitationRecord
from texgeist_server.sections.recording import RecordedEdit


def selected(id: str, rank: int) -> Selected:
    paper = Paper(id, f"Title {id}", authors=("Ann Smith", "Müller, Bob"), year=2020)
    evidence = (
        Evidence(f"{rank}a", Passage(id, None, f"Abstract of {id}."), 0.71),
        Evidence(f"{rank}p", Passage(id, 3, "A page."), 0.66),
    )
    reasons = Reasons(numbers=f"{rank}nd of 60 by similarity to your abstract, 0.71")
    return Selected(Candidate(paper, 0.71, rank), evidence, 0.66, reasons=reasons)


def result(*ids: str) -> Result:
    sentences = tuple(Sentence(f"About {id}.", (f"{rank}a",)) for rank, id in enumerate(ids, 1))
    return Result(
        query=Query("abstract", (QueryPart("Text.", "abstract"),)),
        section=Section("Related Work", (sentences,)),
        selected=tuple(selected(id, rank) for rank, id in enumerate(ids, 1)),
        found=60,
        writer="extractive",
        index="your own library",
        model="all-mpnet-base-v2",
    )


def travelled(made: Result) -> Result:
    """A result after its way from the worker."""
    return from_plain(Result, json.loads(json.dumps(to_plain(made))))


def edit_of(root: Path, section: str, *ids: str, date: str = "2026-01-02") -> RecordedEdit:
    plan = EditPlan((), "", "", {id: f"key{id}" for id in ids}, section_id=section)
    return RecordedEdit(Draft(root), plan, result(*ids), date=date)


def save(root: Path, section: str, *ids: str, date: str = "2026-01-02") -> None:
    recording.save(edit_of(root, section, *ids, date=date))


def test_a_record_comes_back_and_is_stable(tmp_path: Path) -> None:
    root = tmp_path / "main.tex"
    save(root, "related-work", "1", "2")
    first = provenance.file_of(root).read_bytes()
    save(root, "related-work", "1", "2")
    assert provenance.file_of(root).read_bytes() == first
    record = provenance.read(root)
    assert record.citations["key1"].evidence[1].page == 3
    assert provenance.before(Draft(root), "related-work") is None, "the record has no text to merge with"


def test_writing_a_section_anew_replaces_its_citations_alone(tmp_path: Path) -> None:
    root = tmp_path / "main.tex"
    save(root, "related-work", "1", "2")
    save(root, "answer-1", "3")
    save(root, "related-work", "2", "4")
    record = provenance.read(root)
    assert set(record.citations) == {"key2", "key3", "key4"}


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("<<<<<<< mine\n{}\n=======\n{}\n>>>>>>> theirs\n", "Remove the lines that begin with <<<<<<<"),
        ('{"version": 1, "citations": {', "is damaged"),
        ("[]", "is damaged"),
        ('{"version": 1, "citations": []}', "is damaged"),
        ('{"version": 99, "citations": {}, "sections": {}}', "Update texgeist."),
    ],
)
def test_a_file_that_cannot_be_read_is_never_rewritten(tmp_path: Path, held: str, words: str) -> None:
    root = tmp_path / "main.tex"
    file = provenance.file_of(root)
    file.parent.mkdir()
    file.write_text(held)
    assert provenance.read(root).citations == {}
    for act in (
        lambda: provenance.check(root),
        lambda: save(root, "related-work", "1"),
        lambda: recording.recorded(edit_of(root, "related-work", "1")),
        lambda: provenance.write(root, provenance.read(root)),
    ):
        with pytest.raises(Unreadable) as error:
            act()
        assert words in error.value.sentence() and "Nothing was changed." in str(error.value)
    assert words in recording.remember(edit_of(root, "related-work", "1"))
    assert [(each.name, each.read_text()) for each in file.parent.iterdir()] == [(file.name, held)]


def test_a_file_of_the_first_version_is_read(tmp_path: Path) -> None:
    root = tmp_path / "main.tex"
    save(root, "related-work", "1")
    old = {**json.loads(provenance.file_of(root).read_text()), "version": 1}
    provenance.file_of(root).write_text(json.dumps(old, indent=1))
    save(root, "answer-1", "2")
    assert provenance.read(root).citations.keys() == {"key1", "key2"}
    assert json.loads(provenance.file_of(root).read_text())["version"] == provenance_model.VERSION


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *own, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def committed(folder: Path, *each: tuple[str, ...], date: str = "2026-01-02") -> None:
    for section, *ids in each:
        save(folder / "main.tex", section, *ids, date=date)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "words")


@pytest.mark.parametrize("way", ["merge", "rebase"])
@pytest.mark.parametrize("start", [(), ("answer-5",), ("answer-5", "related-work", "z")])
def test_two_authors_versions_merge_in_git(tmp_path: Path, way: str, start: tuple[str, ...]) -> None:
    """Each has written, or written anew, a section of theirs: the record holds both, and says why of both."""
    git(tmp_path, "init", "-qb", "main")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "begun")
    if start:
        committed(tmp_path, *((name, f"{n}", f"{n}5") for n, name in enumerate(start)))
    git(tmp_path, "checkout", "-qb", "ours")
    committed(tmp_path, ("related-work", "30", "7", "8"), date="2026-02-01")
    git(tmp_path, "checkout", "-q", "main")
    committed(tmp_path, ("answer-1", "31", "71", "9"), ("z", "32", "99"), date="2026-03-01")
    git(tmp_path, "checkout", "-q", "ours")
    git(tmp_path, *(("merge", "-q", "--no-edit", "main") if way == "merge" else ("rebase", "-q", "main")))
    merged = provenance.read_to_write(tmp_path / "main.tex")
    assert merged.sections.keys() == {*start, "related-work", "answer-1", "z"}
    cited = {"30", "7", "8", "31", "71", "9", "32", "99"}
    assert {f"key{id}" for id in cited} <= merged.citations.keys()
    assert {merged.citations[f"key{id}"].section for id in ("30", "7", "8")} == {"related-work"}
    assert merged.sections["related-work"].date == "2026-02-01"
    save(tmp_path / "main.tex", "more", "50")
    whole = json.loads(provenance.file_of(tmp_path / "main.tex").read_text())
    assert whole["sections"].keys() == {*merged.sections, "more"}


def test_of_one_section_written_by_both_the_younger_counts(tmp_path: Path) -> None:
    git(tmp_path, "init", "-qb", "main")
    committed(tmp_path, ("related-work", "1"))
    git(tmp_path, "checkout", "-qb", "ours")
    committed(tmp_path, ("related-work", "2"), date="2026-02-02")
    git(tmp_path, "checkout", "-q", "main")
    committed(tmp_path, ("related-work", "3"), date="2026-02-01")
    git(tmp_path, "merge", "-q", "--no-edit", "ours")
    merged = provenance.read_to_write(tmp_path / "main.tex")
    assert merged.sections["related-work"].date == "2026-02-02"
    assert {"key2", "key3"} <= merged.citations.keys()


def test_an_authors_own_rule_for_git_stays(tmp_path: Path) -> None:
    root = tmp_path / "main.tex"
    rule = provenance.file_of(root).parent / ".gitattributes"
    rule.parent.mkdir()
    rule.write_text("* -text\n")
    save(root, "related-work", "1")
    assert rule.read_text() == "* -text\n"


def test_what_strangers_wrote_stays_text_in_a_hover() -> None:
    nasty = "[click](http://evil.example) <img src=x> `code` **bold** $x$ | a\n\n# heading"
    record = {
        "paper": {"title": nasty, "authors": [nasty], "venue": nasty, "arxiv": "1) [x](http://evil.example"},
        "evidence": [{"text": nasty * 50, "page": 2, "similarity": 1.0}],
        "why": nasty,
        "summary": nasty,
        "date": nasty,
    }
    shown = why(CitationRecord.model_validate(record))
    assert "](http://evil" not in shown.replace("\\]", "") and "<img" not in shown.replace("\\<", "")
    assert "\n# heading" not in shown
    assert len(shown.split("\n")) <= MOST_LINES
    assert "[click](http://evil.example)" in unmarked(shown)


@pytest.mark.parametrize("reasons", [{}, {"yours": "Ours reads.", "theirs": "A {Title}"}])
def test_a_title_is_not_shown_as_a_passage_of_the_paper(reasons: dict[str, str]) -> None:
    """A paper without an abstract is searched by its title."""
    passage = {"page": None, "text": "A Title", "similarity": 0.5}
    record = {"paper": {"title": "A Title"}, "reasons": reasons, "evidence": [passage]}
    shown = why(CitationRecord.model_validate(record))
    assert NO_ABSTRACT in shown and "It says" not in shown and "> A" not in shown
    record["evidence"] = [{**passage, "page": 2, "text": "A whole page."}]
    assert "A whole page" in why(CitationRecord.model_validate({**record, "reasons": {}}))


def test_what_cannot_be_remembered_is_said_and_not_raised(tmp_path: Path) -> None:
    """The text has landed by then: only the reasons are lost."""
    (tmp_path / ".texgeist").write_text("a file in the way")
    said = recording.remember(edit_of(tmp_path / "main.tex", "related-work", "1"))
    assert ".texgeist is not a folder" in said and recording.remember(
        edit_of(tmp_path / "sub" / "main.tex", "a", "1")
    )
    (tmp_path / ".texgeist").unlink()
    assert recording.remember(edit_of(tmp_path / "main.tex", "related-work", "1")) == ""


PAPERS = [
    Paper("2001.00001", "New", authors=("Ann Ash",), year=2020, primary="cs.CL"),
    Paper("hep-th/9901001", "Old", year=1999, venue="Physics", doi="10.5555/old"),
    Paper("doi:10.5555/journal", "Journal", authors=("A", "B"), venue="Journal of Kinds"),
    Paper("doi:10.5555/nowhere", "Nowhere", url="https://example.org/nowhere"),
    Paper("bib:key", "Own", venue="Proceedings", year=2001),
    Paper("bib:book", "Book", year=2001, kind="book", details=("publisher=P = Q", "edition=Second")),
]


def test_the_fields_that_are_kept_are_those_that_may_be_written() -> None:
    assert frozenset(papers.DETAILS) == admission.DETAILS


def test_a_registry_knows_what_was_published_in_proceedings() -> None:
    kinds = [reference_of(paper, "inproceedings").kind for paper in PAPERS]
    assert kinds == ["preprint", "preprint", "inproceedings", "preprint", "inproceedings", "preprint"]
    assert [reference_of(paper, "book").kind for paper in PAPERS[2:3]] == ["article"]


@pytest.mark.parametrize("year", [2015, 2016])
def test_a_preprint_is_written_without_the_doi_of_the_published_paper(year: int) -> None:
    """Our own check would call the entry wrong."""
    preprint = Paper("1512.02363", "Preintegration", year=year, doi="10.1109/tro.2016.2597321")
    written = new_entry(reference_of(preprint), "s", BibStyle(), Charset(any_letter=True))
    assert "1512.02363" in written and "10.1109" not in written


def test_a_paper_known_only_by_its_doi_is_written_with_the_year_of_the_doi() -> None:
    """Crossref may date the published paper by its preprint, and our own check would call the entry wrong."""
    paper = Paper("doi:10.1109/iceccs.2017.12", "Likely Invariants", authors=("Sun, Jun",), year=2016)
    made = reference_of(paper)
    [entry] = read_bib(Path("a.bib"), new_entry(made, "s", BibStyle(), Charset(any_letter=True))).entries
    assert (made.doi, made.year) == ("10.1109/iceccs.2017.12", 2017) and not check_alone(entry, 2026)
