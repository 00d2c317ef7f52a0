"""`texgeist map`: the papers around a draft as SVG."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from texgeist_server.command_line.plots import around, bars

from .test_cli import texgeist


@pytest.mark.model
def test_a_draft_is_drawn_with_those_that_would_be_cited(
    paper: Path, searching: dict[str, str], tmp_path: Path
) -> None:
    picture = tmp_path / "map.svg"
    done = texgeist(searching, "map", str(paper / "main.tex"), str(picture))
    assert done.returncode == 0, done.stderr
    drawn = ElementTree.parse(picture).getroot()
    chosen = drawn.findall(".//{*}circle[@class='chosen']")
    assert len(chosen) > 3 and len(drawn.findall(".//{*}circle[@class='left']")) > 3
    assert f"{len(chosen)} of them chosen" in done.stderr
    size = [float(part) for part in drawn.attrib["viewBox"].split()]
    for point in chosen:
        assert 0 < float(point.attrib["cx"]) < size[2] and 0 < float(point.attrib["cy"]) < size[3]
    piped = texgeist(searching, "map", str(paper / "main.tex"), "-")
    assert piped.stdout.startswith("<svg") and ElementTree.fromstring(piped.stdout) is not None


def test_strangers_titles_are_text_alone() -> None:
    paper = {
        "title": '<script>alert(1)</script> & "more"',
        "year": None,
        "similarity": 0.5,
        "x": 0.2,
        "y": 0.1,
    }
    drawn = ElementTree.fromstring(around("A <b> draft & more", [{**paper, "chosen": True}]))
    assert not drawn.findall(".//{*}script") and "<script>" in "".join(drawn.itertext())
    assert ElementTree.fromstring(bars("a < b", {"x&y": (0.0, 0.0, 0.0)})) is not None
