"""Reads a streamed answer to its end, whatever the protocol of its events."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from .answers import Answer
from .failures import endless
from .retry import Stopped, TransientFailure

RAMBLING = 8  # characters per token beyond which a server clearly ignores max_tokens
THINKING = 4000  # tokens for thinking, which counts as output and cannot be switched off in current models


def collected(
    events: Iterable[Any], read: Callable[[Any, Answer], str], stop: threading.Event, most: int, name: str
) -> Answer:
    """The complete answer of at most `most` characters. `read` returns the text of an event and notes in the answer
    what else the event says. Raises `TransientFailure` for a stream that ends without a reason, because it was
    interrupted."""
    answer, pieces, length = Answer(), [], 0
    for event in events:
        if stop.is_set():
            raise Stopped
        pieces.append(read(event, answer))
        length += len(pieces[-1])
        if length + len(answer.refusal) > most:
            raise endless(name)
    if answer.finish is None:
        raise TransientFailure("its answer broke off")
    answer.text = "".join(pieces)
    return answer
