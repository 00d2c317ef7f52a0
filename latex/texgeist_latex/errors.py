"""Failures of reading or planning.

    LatexError
    ├── NoRoot        no root document for this file
    ├── Unreadable    the file cannot be read at all
    ├── OutOfBounds   a path that the project names lies outside of it, or is of the wrong kind
    ├── Uncertain     it is not certain which document is meant, so none is written to
    ├── NoPlace       there is no sensible place for the section or the bibliography
    ├── Changed       a file on the disk is no longer what was read (read again, then try again)
    ├── Unwritable    a file cannot be written, or not in its encoding
    └── Unfit         what came from outside cannot be written into a document as what it says it is

Bad LaTeX is never a failure: it is read as far as it goes, with a `Problem` beside it. `WrongThread` is a
mistake in the program, so it is none of these, and nobody catches it with them.
"""

from __future__ import annotations

import threading


class LatexError(Exception):
    retryable = False

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help

    def sentence(self) -> str:
        return f"{self} {self.help}".strip()


class NoRoot(LatexError): ...


class Unreadable(LatexError): ...


class OutOfBounds(LatexError): ...


class Uncertain(LatexError): ...


class NoPlace(LatexError): ...


class Changed(LatexError):
    retryable = True


class Unwritable(LatexError): ...


class Unfit(LatexError): ...


class WrongThread(RuntimeError):
    def __init__(self, owner: str) -> None:
        super().__init__(f"This belongs to the thread {owner}; {threading.current_thread().name} touched it.")
