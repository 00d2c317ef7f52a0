"""How fast projects are read and kept: a made-up thesis of 1 MB, the largest real ones, 72,000 entries.

    python -m benchmarks.latex [--edits 200] [--data ../shared/data/latex] [--json]

Each part runs in a process of its own, so that its memory is its own. Times are wall-clock on the
machine as it is: trust the ratios to pylatexenc's full parse of the same text in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from .thesis import bibliography, write_thesis

TARGETS = {
    "first read (s)": 1.0,
    "change to diagnostics p95 (ms)": 50.0,
    "hover p95 (ms)": 20.0,
    "definition p95 (ms)": 20.0,
    "completion p95 (ms)": 20.0,
    "code actions p95 (ms)": 10.0,
    "memory (MB)": 150.0,
    "72,000 entries: ready in the background (s)": 10.0,
    "72,000 entries: completion p95 (ms)": 50.0,
    "change to diagnostics while it loads p95 (ms)": 50.0,
}
REAL = (
    "duvenaud-thesis/thesis.tex",
    "anesthesia-thesis-es/main.tex",
    "dms-svjour/asej_main.tex",
    "relconv/tmlr/main.tex",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[3] / "shared" / "data" / "latex")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.part](options.root, options.edits)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        root = write_thesis(Path(folder))
        figures = {"thesis, 1 MB in 40 files, 5,000 entries": _apart("editing", root, options.edits)}
        figures["the same, 72,000 entries"] = _apart("background", root, options.edits)
        figures["the same by pylatexenc, parse alone"] = _apart("pylatexenc", root, 1)
    for name in REAL:
        if (options.data / name).is_file():
            figures[name] = _apart("editing", options.data / name, options.edits)
    print(json.dumps(figures, indent=2) if options.json else _table(figures))
    return 0


def _apart(part: str, root: Path, edits: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.latex", "--part", part, "--root", str(root)]
    answer = subprocess.run([*command, "--edits", str(edits)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def editing(root: Path, edits: int) -> dict[str, float]:
    """An editor's hour: open, type, hover, complete, jump, ask for actions."""
    before = memory()
    from texgeist_latex.reading.workspace import Workspace

    workspace = Workspace([root.parent], programs=False)
    path = _chapter(root)
    text = path.read_bytes().decode("utf-8", "replace")
    begun = time.perf_counter()
    workspace.open(path, text)
    problems = workspace.problems(path)
    first = time.perf_counter() - begun
    begun = time.perf_counter()
    draft = workspace.draft(path)
    whole = time.perf_counter() - begun
    places = [c.span.start for c in draft.citations if c.span.file == path][:200] or [len(text) // 2]
    middle = text.find("\n\n", len(text) // 2)
    typed = [
        text[:middle] + "\n\nSome \\citep{" + "x" * (i % 9) + "} words" + text[middle:] for i in range(edits)
    ]

    def change(i: int) -> None:
        workspace.change(path, typed[i % edits])
        workspace.problems(path)

    changes = times(change, edits)
    workspace.change(path, text)
    workspace.problems(path)
    hover = times(lambda i: _hover(workspace, path, places[i % len(places)]), edits)
    definition = times(lambda i: workspace.definition(path, places[i % len(places)]), edits)
    completion = times(lambda i: workspace.complete(path, places[i % len(places)] + i % 4), edits)
    actions = times(
        lambda i: (workspace.root(path), workspace.abstract_span(path), workspace.text(path)), edits
    )

    def read_anew(i: int) -> None:
        workspace.change(path, typed[i])
        workspace.draft(path)

    redraft = times(read_anew, min(edits, 30))
    return {
        "first read (s)": first,
        "whole draft, the first time (s)": whole,
        **percentiles("change to diagnostics", changes),
        **percentiles("hover", hover),
        **percentiles("definition", definition),
        **percentiles("completion", completion),
        **percentiles("code actions", actions),
        **percentiles("change to whole draft", redraft),
        "memory (MB)": memory(),
        "memory above the bare interpreter (MB)": memory() - before,
        "megabytes": sum(len(s.text) for p, s in draft.sources.items() if p.suffix == ".tex") / 1e6,
        "citations": len(draft.citations),
        "entries": sum(len(b.entries) for b in draft.bibliographies),
        "problems": len(problems),
    }


def background(root: Path, edits: int) -> dict[str, float]:
    """A bibliography of 72,000 entries: what it costs to have it, and whether anything waits for it."""
    import random
    import threading

    from texgeist_latex.reading.workspace import Workspace

    chance = random.Random(3)
    keys = [f"paper{i}x{chance.randint(1980, 2025)}" for i in range(72_000)]
    (root.parent / "refs.bib").write_text(bibliography(chance, keys), encoding="utf-8")
    ready = threading.Event()
    workspace = Workspace([root.parent], programs=False, loaded=ready.set)
    path = _chapter(root)
    text = path.read_text()
    begun = time.perf_counter()
    workspace.open(path, text)
    workspace.problems(path)
    first = time.perf_counter() - begun
    waits: list[tuple[float, float]] = []

    def change(i: int) -> None:
        workspace.change(path, text + " " * (len(waits) % 5))
        workspace.problems(path)

    while not ready.wait(0.02):
        waits += times(change, 1)
    loaded = time.perf_counter() - begun
    started = time.perf_counter()
    workspace.problems(path)
    after = time.perf_counter() - started
    place = text.index("\\citep{") + 7
    queries = ("", "paper", "paper71", "smith", "garcía 2019", "kernel gradient", "müller chen", "zzz")
    typed = [text[:place] + queries[i % len(queries)] + "}" + text[place:] for i in range(edits)]

    def complete(i: int) -> None:
        workspace.complete(path, place + len(queries[i % len(queries)]))

    completion: list[tuple[float, float]] = []
    for query in range(edits):
        workspace.change(path, typed[query])
        completion += times(complete, 1, query)
    workspace.stop()
    return {
        "first read (s)": first,
        "72,000 entries: ready in the background (s)": loaded,
        **percentiles("change to diagnostics while it loads", waits or [(0.0, 0.0)]),
        "first diagnostics after it (ms)": after * 1e3,
        **percentiles("72,000 entries: completion", completion),
        "memory (MB)": memory(),
    }


def pylatexenc(root: Path, edits: int) -> dict[str, float]:
    """The yardstick: the library's own full parse of the same files."""
    from pylatexenc.latexwalker import LatexWalker

    texts = [path.read_text() for path in sorted(root.parent.glob("*.tex"))]
    begun = time.perf_counter()
    for text in texts:
        LatexWalker(text, tolerant_parsing=True).get_latex_nodes()
    return {"first read (s)": time.perf_counter() - begun, "memory (MB)": memory()}


PARTS: dict[str, Callable[[Path, int], dict[str, float]]] = {
    "editing": editing,
    "background": background,
    "pylatexenc": pylatexenc,
}


def _chapter(root: Path) -> Path:
    """The longest text beside the root: what somebody is working on."""
    return max(root.parent.glob("*.tex"), key=lambda p: p.stat().st_size)


def _hover(workspace: object, path: Path, offset: int) -> None:
    from texgeist_latex.reading.workspace import Workspace

    assert isinstance(workspace, Workspace)
    citation = workspace.citation_at(path, offset)
    if citation is not None:
        workspace.root(path)
        workspace.entry(path, citation.key)


def times(function: Callable[[int], object], count: int, first: int = 0) -> list[tuple[float, float]]:
    """Milliseconds of each call: on the wall, and of this thread's processor time."""
    taken = []
    for index in range(first, first + count):
        begun, worked = time.perf_counter(), time.thread_time()
        function(index)
        taken.append(((time.perf_counter() - begun) * 1e3, (time.thread_time() - worked) * 1e3))
    return taken


def percentiles(name: str, taken: Sequence[tuple[float, float]]) -> dict[str, float]:
    """A machine that does other things too stretches the first, not the second."""
    wall, work = sorted(a for a, _ in taken), sorted(b for _, b in taken)
    high = min(len(taken) - 1, int(len(taken) * 0.95))
    return {
        f"{name} p50 (ms)": wall[len(wall) // 2],
        f"{name} p95 (ms)": wall[high],
        f"{name} p95, processor (ms)": work[high],
    }


def memory() -> float:
    """Resident memory of this process in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def _table(figures: dict[str, dict[str, float]]) -> str:
    lines = []
    for part, values in figures.items():
        lines.append(f"\n{part}")
        for name, value in values.items():
            target = TARGETS.get(name)
            mark = "" if target is None or "pylatexenc" in part else f"   (wanted: {target:g})"
            lines.append(f"  {name:<52} {value:>10.2f}{mark}")
    yard = figures.get("the same by pylatexenc, parse alone", {}).get("first read (s)")
    own = figures["thesis, 1 MB in 40 files, 5,000 entries"]
    if yard:
        both = own["first read (s)"] + own["whole draft, the first time (s)"]
        lines.append(
            f"\nfirst read and whole draft against pylatexenc's parse: {yard / both:.1f} times as fast"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
