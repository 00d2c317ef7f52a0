"""Bibliographies merged from two git branches: nothing is lost, and fewer conflicts than by lines."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.writing.blocks import prose_of
from texgeist_latex.writing.branches import _merge_lines, merge_bib, merge_tex

from .edit_scripts import played
from .test_merge_properties import BODIES, flat

BASE = "@string{j = {Journal}}\n\n@misc{a,\n  title = {A},\n  year = {1}\n}\n\n@misc{b,\n  title = {B}\n}\n"
NEW = "\n@misc{%s,\n  title = {New %s}\n}\n"


def keys(text: str) -> list[str]:
    return [entry.key for entry in read_bib(Path("x.bib"), text).entries]


@pytest.mark.parametrize(
    ("ours", "theirs", "merged", "conflicts"),
    [
        (BASE + NEW % ("c", "c"), BASE + NEW % ("d", "d"), ["a", "b", "d", "c"], 0),
        (BASE.replace("{A}", "{AA}"), BASE.replace("{1}", "{2}"), ["a", "b"], 0),
        (BASE.replace("{A}", "{AA}"), BASE.replace("{A}", "{BB}"), ["a", "a", "b"], 1),
        (BASE.replace("misc{a", "misc{z"), BASE.replace("{1}", "{2}"), ["z", "b"], 0),
        (BASE[: BASE.index("@misc{b")], BASE.replace("{B}", "{BB}"), ["a", "b"], 0),
        (BASE[: BASE.index("@misc{b")], BASE, ["a"], 0),
        (BASE, BASE + "@string{k = {K}}\n", ["a", "b"], 0),
    ],
)
def test_entries_are_merged_one_by_one(ours: str, theirs: str, merged: list[str], conflicts: int) -> None:
    text, found = merge_bib(BASE, ours, theirs)
    assert (keys(text), found) == (merged, conflicts) and "@string{j" in text
    for mark in re.finditer("^(?:<<<<<<<|=======|>>>>>>>)", text, re.MULTILINE):
        assert all(
            not e.span.start < mark.start() < e.span.end for e in read_bib(Path("x.bib"), text).entries
        )


FIRST, SECOND = "@misc{k,\n  title = {First}\n}\n", "@misc{k,\n  title = {Second}\n}\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "title"),
    [
        (FIRST + BASE, BASE + SECOND.replace("{k", "{K"), "Second"),
        (BASE.replace("misc{a", "misc{k"), BASE + SECOND, "A"),
        ("% x\n" + FIRST + BASE, BASE + SECOND + "% y\n", "First"),  # merged by lines
    ],
)
def test_a_key_that_both_branches_bring_is_a_conflict(ours: str, theirs: str, title: str) -> None:
    text, conflicts = merge_bib(BASE, ours, theirs)
    assert conflicts == 1 and "{Second}" in text and f"{{{title}}}" in text
    inside = text[text.index("<<<<<<< ours") : text.index(">>>>>>> theirs")]
    assert [key.lower() for key in keys(inside)] == ["k", "k"]
    same, none = merge_bib(BASE, "% x\n" + FIRST + BASE, BASE + FIRST + "% y\n")
    assert (keys(same), none) == (["k", "a", "b"], 0)


def test_two_keys_that_both_branches_bring_in_another_order(entry: str = "@misc{%s, title={%s}}\n") -> None:
    ours, theirs = (
        [entry % ("n", "One"), entry % ("q", "Two")],
        [entry % ("Q", "Three"), entry % ("N", "Four")],
    )
    text, conflicts = merge_bib(BASE, BASE + "\n" + "".join(ours), BASE + "\n" + "".join(theirs))
    assert conflicts == 2 and text.count("<<<<<<< ours") == text.count(">>>>>>> theirs") == 2
    assert all(text.count(each.strip()) == 1 for each in ours + theirs)


def test_a_file_that_git_does_not_merge_keeps_both_versions() -> None:
    base = BASE + BASE  # repeated keys are merged by lines
    text, conflicts = merge_bib(base, base + "\0", base + NEW % ("c", "c"))
    assert conflicts and base + "\0" in text and base + NEW % ("c", "c") in text


def as_a_coauthor(text: str, name: str, chance: random.Random) -> str:
    """What co-authors do to a bibliography: append, sort, change a field, rename a key, remove an entry."""
    for number in range(chance.randint(1, 3)):
        entries = read_bib(Path("x.bib"), text).entries
        some = chance.choice(entries)
        did = chance.choice(["append", "append", "append", "edit", "edit", "rename", "remove", "sort"])
        if did == "append":
            text = text.rstrip() + "\n" + NEW % (f"{name}{number}", chance.random())
        elif did == "edit":
            body = text[some.span.start : some.span.end]
            values = list(re.finditer(r"= *\{([^{}]+)\}", body))
            if values:
                at = some.span.start + chance.choice(values).end() - 1
                text = f"{text[:at]} {name}{number}{text[at:]}"
        elif did == "rename":
            at = text.index(some.key, some.span.start)
            text = f"{text[:at]}{name}{number}-{text[at:]}"
        elif did == "remove":
            text = text[: some.span.start] + text[some.span.end :].lstrip()
        else:
            bodies = sorted((e.key.lower(), text[e.span.start : e.span.end]) for e in entries)
            text = text[: entries[0].span.start] + "\n\n".join(body for _, body in bodies) + "\n"
    return text


def merges(shared_data: Path) -> Iterator[tuple[str, str, str]]:
    files = [
        file.read_text("utf-8", "surrogateescape") for file in sorted(shared_data.glob("latex/*/**/*.bib"))
    ]
    usable = [text for text in files if 5 < len(set(keys(text))) == len(keys(text)) < 400]
    assert len(usable) >= 10
    for seed in range(210):
        chance, base = random.Random(seed), usable[seed % len(usable)]
        yield base, as_a_coauthor(base, "mine", chance), as_a_coauthor(base, "theirs", chance)


def test_of_210_merges_no_entry_is_lost_and_half_the_conflicts_are(shared_data: Path) -> None:
    ours_conflicts = lines_conflicts = 0
    for base, ours, theirs in merges(shared_data):
        text, conflicts = merge_bib(base, ours, theirs)
        before, mine, other = (set(keys(each)) for each in (base, ours, theirs))
        after = keys(text)
        assert conflicts or ((mine | other) - before | before & mine & other <= set(after))
        assert conflicts or len(set(after)) == len(after)
        for body in re.findall(r"(?:mine|theirs)\d\}|New [\d.]+", ours + theirs):
            assert body in text
        ours_conflicts += bool(conflicts)
        lines_conflicts += bool(_merge_lines(base, ours, theirs)[1])
    print(f"conflicts: {ours_conflicts} by entry, {lines_conflicts} by line")
    assert ours_conflicts <= lines_conflicts / 2


def document(section: str) -> str:
    begin, end = "% texgeist:begin related-work", "% texgeist:end related-work"
    return f"\\begin{{document}}\n{begin}\n\\section{{Related Work}}\n{section}{end}\n\\end{{document}}\n"


def test_sections_are_merged_by_sentence_and_lose_none() -> None:
    """Two co-authors edit each generated section by random scripts."""
    by_sentence = by_line = 0
    for seed in range(60):
        base = BODIES[seed % len(BODIES)]
        ours, theirs = (played(base, seed + more, 2).text().replace("\r\n", "\n") for more in (0, 5000))
        text, conflicts = merge_tex(*map(document, (base, ours, theirs)))
        by_sentence += bool(conflicts)
        by_line += bool(_merge_lines(*map(document, (base, ours, theirs)))[1])
        mine, other, old, now = (
            set(flat(each)) for each in (ours, theirs, base, prose_of(text[text.index("%") :]))
        )
        assert conflicts or now - {""} == ((mine | other) - old | mine & other) - {""}
    print(f"conflicts: {by_sentence} by sentence, {by_line} by line")
    assert by_sentence <= by_line / 2


def test_text_outside_of_sections_is_merged_by_lines() -> None:
    base = document("A \\cite{a}.\n") + "One.\n\nTwo.\n"
    text, conflicts = merge_tex(base, base.replace("One", "1"), base.replace("Two", "2"))
    assert (text, conflicts) == (base.replace("One", "1").replace("Two", "2"), 0)
    text, conflicts = merge_tex(base, base.replace("One", "1"), base.replace("One", "I"))
    assert conflicts == 1 and "1." in text and "I." in text


def test_git_uses_it(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *names, *words], cwd=tmp_path, check=True, capture_output=True)

    def commit(text: str) -> None:
        (tmp_path / "x.bib").write_text(text)
        git("add", "-A")
        git("commit", "-qm", "x")

    git("init", "-q", "-b", "main")
    driver = [sys.executable, "-m", "texgeist_server", "merge-driver"]
    assert subprocess.run([*driver, "x.bib"], cwd=tmp_path, capture_output=True).returncode == 2
    said = subprocess.run(driver, cwd=tmp_path, check=True, capture_output=True, text=True).stderr
    assert sys.executable in said.replace("\n", "")
    commit(BASE)
    git("checkout", "-qb", "other")
    commit(BASE + NEW % ("d", "d"))
    git("checkout", "-q", "main")
    commit(BASE + NEW % ("c", "c"))
    git("merge", "-q", "other")
    assert keys((tmp_path / "x.bib").read_text()) == ["a", "b", "d", "c"]
    assert "*.tex merge=texgeist" in (tmp_path / ".gitattributes").read_text()
