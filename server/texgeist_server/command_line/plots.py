"""Plots as SVG: measurements, and the papers around a draft. The colours follow the reader's light or dark
theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import typer
from texgeist_retrieval.codec import to_plain

from .common import DRAFT, FORCE, INDEX, draft_from, load_settings, new_file, plainly, working
from .terminal import echo, inform
from .writing_commands import draft_to_write

_STYLE = """<style>
svg { font: 13px system-ui, sans-serif; --ink: #1f2328; --weak: #8b949e; --fill: #3b6ea8; --other: #b0b8c1; --back: #ffffff }
@media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --weak: #7d8590; --fill: #79b0ea; --other: #565d66; --back: #0d1117 } }
.back { fill: var(--back) } text { fill: var(--ink) } .weak { fill: var(--weak) } .bar, .chosen { fill: var(--fill) }
.left { fill: var(--other) } line, .ring { stroke: var(--weak); fill: none } .range { stroke: var(--ink) }
</style>"""
_BAR, _GAP, _LABEL = 18, 8, 110
_WIDTH = 760
_LONGEST = 44  # characters of a title beside its point


def bars(title: str, values: Mapping[str, tuple[float, float, float]]) -> str:
    """A horizontal bar chart. `values`: for each name, the mean and the lower and upper end of its interval,
    all in [0, 1]."""
    most = max([high for _, _, high in values.values()] + [1e-6])
    scale = (_WIDTH - _LABEL - 170) / most
    parts = [f'<text x="0" y="16" font-weight="600">{escape(title)}</text>']
    for row, (name, (mean, low, high)) in enumerate(values.items()):
        y = 32 + row * (_BAR + _GAP)
        middle = y + _BAR / 2
        parts += [
            f'<text x="{_LABEL - 8}" y="{middle + 4:.1f}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="bar" x="{_LABEL}" y="{y}" width="{mean * scale:.1f}" height="{_BAR}"/>',
            f'<line class="range" x1="{_LABEL + low * scale:.1f}" x2="{_LABEL + high * scale:.1f}" '
            f'y1="{middle:.1f}" y2="{middle:.1f}"/>',
            f'<text class="weak" x="{_LABEL + high * scale + 8:.1f}" y="{middle + 4:.1f}">'
            f"{100 * mean:.1f} [{100 * low:.1f}, {100 * high:.1f}]</text>",
        ]
    return _svg(_WIDTH, 40 + len(values) * (_BAR + _GAP), parts, title)


def around(draft: str, papers: Sequence[Mapping[str, Any]]) -> str:
    """A map with the draft in the middle. The distance of a paper from the middle shows how dissimilar it is
    to the draft. `papers`: with `x` and `y` in [-1, 1], and `chosen`; chosen papers are filled and named."""
    middle, radius = 380.0, 320.0
    parts = [f'<text x="12" y="20" font-weight="600">{escape(draft)}</text>']
    parts += [
        f'<circle class="ring" cx="{middle}" cy="{middle}" r="{radius * part:.0f}"/>' for part in (0.5, 1.0)
    ]
    for paper in sorted(papers, key=lambda one: bool(one["chosen"])):
        x, y = middle + radius * paper["x"], middle + radius * paper["y"]
        kind, size = ("chosen", 6) if paper["chosen"] else ("left", 4)
        told = f"{paper['title']} ({paper['year'] or 'no year'}), similarity {paper['similarity']:.2f}"
        parts.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"><title>{escape(told)}</title></circle>'
        )
    parts += _names([one for one in papers if one["chosen"]], middle, radius)
    parts.append(
        f'<path class="chosen" d="M{middle} {middle - 9}l9 9l-9 9l-9 -9z"><title>Your draft</title></path>'
    )
    return _svg(1100, 2 * middle, parts, draft)


def _names(chosen: Sequence[Mapping[str, Any]], middle: float, radius: float) -> list[str]:
    """The titles of the chosen papers, beside the map because titles on the map would overlap. They are
    ordered by height, and a line joins each title to its point."""
    ordered = sorted(chosen, key=lambda one: one["y"])
    step = min(24.0, 2 * (middle - 20) / max(len(ordered), 1))
    top = middle - step * (len(ordered) - 1) / 2
    parts = []
    for row, paper in enumerate(ordered):
        x, y = middle + radius * paper["x"], middle + radius * paper["y"]
        at = top + row * step
        title = paper["title"]
        short = title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1].rstrip()}…"
        parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="732" y2="{at:.1f}" stroke-opacity=".35"/>')
        parts.append(f'<text x="738" y="{at + 4:.1f}">{escape(short)}</text>')
    return parts


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">'
    back = f'<rect class="back" width="{width:.0f}" height="{height:.0f}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", _STYLE, back, *parts, "</svg>", ""])


def register(app: typer.Typer) -> None:
    app.command("map")(map_)


def map_(
    file: Path = DRAFT,
    picture: Path = typer.Argument(..., help="The .svg file to write; - for standard output."),
    index: str | None = INDEX,
    force: bool = FORCE,
) -> None:
    """Draw a map of the papers around the abstract, as on the review page. Similar papers are near the centre;
    papers that would be cited are filled and labelled."""
    from ..config.credentials import keys_from_environment
    from ..sections.queries import section_query
    from ..sections.requests import Choice
    from ..sections.safeguards import check_certain

    settings, keys = load_settings(), keys_from_environment()
    with plainly(), ExitStack() as stack:
        printed = str(picture) == "-"
        target = picture if printed else stack.enter_context(new_file(picture, (".svg",), force))
        given = draft_from(file)
        with working("Searching") as monitor:
            from ..adapters import setup_of
            from ..worker import choice

            draft, _ = draft_to_write(given.path, settings, written=False, texts=given.texts)
            check_certain(draft)
            query = replace(section_query(draft, "abstract"), references=given.references)
            setup = setup_of(settings, keys, index, "extractive")
            shown = choice.as_shown(choice.hold(query, setup, Choice(), monitor), Choice())
        chosen = set(shown.chosen)
        papers = [{**to_plain(paper), "chosen": paper.id in chosen} for paper in shown.papers]
        svg = around(query.title or given.path.name, papers)
        if printed:
            echo(svg, nl=False)
        else:
            target.write_text(svg, "utf-8")
            words = f"{len(papers)} papers, {len(chosen)} of them chosen, in {picture}"
            inform(words)
