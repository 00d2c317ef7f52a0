"""Hostile sentences through the whole gate of a model's answer, and into a document.

    python -m benchmarks.writing.fuzz [--count 20000] [--seed 1]

Counted are the citations that were not retrieved, commands that no escaped character is written with, control
characters, tracebacks, and sentences that take over a second: all must be 0."""

from __future__ import annotations

import argparse
import sys
import time

from tests.retrieval.writing.hostile import SLOW, attack


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    tally = attack(options.count, options.seed)
    print(
        f"{tally.sentences} hostile sentences in {time.monotonic() - begun:.0f} s: {tally.kept} kept, ",
        end="",
    )
    print(f"{tally.written} written as LaTeX and read again")
    print(f"citations that were not retrieved {len(tally.foreign)}, commands {len(tally.commands)}, ", end="")
    print(f"tracebacks {len(tally.tracebacks)}, over {SLOW:.0f} s {len(tally.slow)} (targets: 0)")
    for reason, count in tally.refused.most_common(12):
        print(f"  {count:6} {reason}")
    for found in (tally.foreign, tally.commands, tally.tracebacks, tally.slow):
        print(*found[:3], sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
