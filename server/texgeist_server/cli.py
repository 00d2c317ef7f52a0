"""The command line, `texgeist`."""

from __future__ import annotations


def main() -> None:
    """Entry point of the console command."""
    raise SystemExit("texgeist is being built")
