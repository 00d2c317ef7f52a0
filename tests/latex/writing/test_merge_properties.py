"""500 random scripts of an author's edits over sections that texgeist wrote, each merged with a section that
it wrote at another time: nothing of the author's is lost, nothing stands twice, and the result compiles."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from texgeist_latex.tex.sentences import keys_of, split
from texgeist_latex.types import SourceFile
from texgeist_latex.writing.blocks import find_blocks, prose_span
from texgeist_latex.writing.habits import Layout
from texgeist_latex.writing.merge import LineBreaks, Merge, merge

from .edit_scripts import OWN_KEYS, Edited, papers_gone, played
from .test_sentences import LATEX

SECTIONS = sorted((Path(__file__).parent / "sections").glob("*.tex"))
SCRIPTS = 500
COMPILED = 12  # of them


def body_of(file: Path) -> str:
    text = file.read_text("utf-8")
    [block] = find_blocks([SourceFile(file, text)])
    start, end = prose_span(text, block)
    return text[start:end]


BODIES = [body_of(file) for file in SECTIONS]


def run(seed: int) -> tuple[str, Edited, str, Merge]:
    rng = random.Random(seed)
    base, new = rng.sample(BODIES, 2)
    made = played(base, seed)
    layout = Layout(random.Random(seed).choice(["width", "sentence", "paragraph"]), 80)
    return base, made, new, merge(base, made.text(), new, lines=LineBreaks(layout, made.newline))


def flat(text: str) -> list[str]:
    return [piece.normal for piece in split(text) if piece.text]


@pytest.mark.parametrize("part", range(10))
def test_scripts(part: int) -> None:
    for seed in range(part * SCRIPTS // 10, (part + 1) * SCRIPTS // 10):
        base, made, new, merged = run(seed)
        at = 0
        for text in made.mine:
            own = text.replace("\n", made.newline)
            at = merged.text.find(own, at)
            assert at >= 0, f"script {seed}: {text!r} is lost, or not where it was"
            at += len(own)
        theirs = Counter(flat(made.text()))
        allowed = theirs | Counter(flat(new))
        twice = {text: n for text, n in Counter(flat(merged.text)).items() if n > max(allowed[text], 1)}
        assert not twice, f"script {seed}"
        came = Counter(flat(merged.text)) - theirs
        assert not {keys_of(text) for text in came} & papers_gone(made), f"script {seed}"
        assert not set(came) & set(made.gone), f"script {seed}"
        assert made.newline == "\n" or "\n" not in merged.text.replace("\r\n", ""), f"script {seed}"
        assert merged.text.count("{") == merged.text.count("}"), f"script {seed}"
        for own, reworded in merged.kept:
            assert own in theirs and own not in flat(base), f"script {seed}"
            assert reworded in flat(new) and reworded not in came, f"script {seed}"
        again = merge(new, merged.text, new, gone=merged.gone, lines=LineBreaks(newline=made.newline))
        assert again.text == merged.text and not again.kept, f"script {seed}: another run changes more"


def test_few_sentences_are_in_conflict() -> None:
    done = [run(seed) for seed in range(SCRIPTS)]
    kept = sum(len(merged.kept) for *_, merged in done)
    sentences = sum(sum(piece.kind == "sentence" for piece in split(merged.text)) for *_, merged in done)
    assert kept / sentences <= 0.05


def test_without_edits_the_new_section_stands() -> None:
    for base in BODIES:
        for new in BODIES:
            merged = merge(base, base, new)
            assert Counter(flat(merged.text)) == Counter(flat(new)) and not merged.kept


@settings(max_examples=300, deadline=None)
@given(LATEX, LATEX, LATEX)
@example("One more. \nTwo more. ", "One more. \x0cTwo more. ", "")  # a form feed is no end of a line
def test_whatever_stands_there_the_authors_pieces_stay(base: str, theirs: str, new: str) -> None:
    merged = merge(base, theirs, new).text
    written, at = set(flat(base)), 0
    for piece in split(theirs):
        if piece.text and piece.normal not in written:
            at = merged.index(piece.text, at) + len(piece.text)
    assert merge(base, theirs, base).text == theirs


@pytest.mark.latex
def test_results_compile(tmp_path: Path) -> None:
    if not shutil.which("pdflatex"):
        message = "pdflatex not found: scripts/test-tools installs TeX Live"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    for seed in random.Random(7).sample(range(SCRIPTS), COMPILED):
        text = run(seed)[-1].text
        keys = sorted(keys_of(text) | set(OWN_KEYS))
        items = "\n".join(f"\\bibitem[A({2000 + n})]{{{key}}} Words." for n, key in enumerate(keys))
        main = tmp_path / f"s{seed}.tex"
        document = (
            "\\documentclass{article}\n\\usepackage[T1]{fontenc}\\usepackage{amsmath,natbib}\n\\begin{document}\n"
            f"{text}\n\\begin{{thebibliography}}{{99}}\n{items}\n\\end{{thebibliography}}\n\\end{{document}}\n"
        )
        main.write_bytes(document.encode())
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", main.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, f"script {seed}: {done.stdout.decode('latin-1')[-800:]}"
