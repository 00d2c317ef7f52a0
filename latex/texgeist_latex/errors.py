"""Errors of reading and planning.

    LatexError
    ├── NoRoot        no root document for this file
    ├── Unreadable    the file cannot be read at all
    ├── OutOfBounds   a path leads out of the project, or to a file of a wrong kind
    ├── Uncertain     it is not certain which document is meant, so nothing is written
    ├── NoPlace       no suitable place for the section or the bibliography
    ├── Changed       a file on disk has changed since it was read (read it again and retry)
    ├── Unwritable    a file cannot be written, or not in its encoding
    └── Unfit         foreign content cannot be written into a document as intended

Invalid LaTeX is not an error: it is read as far as possible, and reported as a `Problem`. `WrongThread` is a
programming error and therefore not a LatexError.
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
