"""All benchmarks, one after the other: `python -m benchmarks`, or some by name: `python -m benchmarks keystrokes`.

Each prints its own figures and targets; what lacks its data or a server says so and is left out. Trust
ratios within one run: seconds differ from machine to machine.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"


def commands() -> dict[str, list[str]]:
    """What is run, by name."""
    from texgeist_server.config.storage import cache_folder, model_folder

    model = str(model_folder())
    kept = str(cache_folder() / "benchmark-evidence")
    return {
        "keystrokes": ["-m", "benchmarks.keystrokes"],
        "written": ["-m", "benchmarks.latex.written"],
        "embedding": ["-m", "benchmarks.embedding", model, str(DATA / "arxiv" / "records.jsonl.gz")],
        "sync": ["-m", "benchmarks.index", "sync"],
        "search": ["-m", "benchmarks.index", "lite"],
        "milvus": ["-m", "benchmarks.index", "server"],
        "retrieval": ["-m", "benchmarks.retrieval"],
        "writing": ["-m", "benchmarks.writing", "--model", model],
        "hostile": ["-m", "benchmarks.writing.fuzz"],
        "verify": ["-m", "benchmarks.verify"],
        "discovery": ["-m", "benchmarks.discovery"],
        "plain-references": ["-m", "benchmarks.plain_references"],
        "fitting": ["-m", "benchmarks.fitting"],
        "evidence": ["-m", "benchmarks.evidence", kept, "--model", model],
    }


def main() -> int:
    wanted = sys.argv[1:] or list(commands())
    if unknown := set(wanted) - set(commands()):
        print(
            f"No benchmark {', '.join(sorted(unknown))}. There are: {', '.join(commands())}.", file=sys.stderr
        )
        return 2
    failed = []
    for name in wanted:
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        if subprocess.run([sys.executable, *commands()[name]], cwd=ROOT, check=False).returncode:
            failed.append(name)
        print(f"-- {name}: {time.monotonic() - started:.0f} s", flush=True)
    print(f"\nNot finished: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
