"""Converts exceptions of a streamed answer into retries or errors for the user."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from ..addresses import origin
from ..errors import WriterDenied, WriterError, WriterInvalid, WriterRefused, WriterTruncated
from .answers import error_message
from .retry import Stopped, TransientFailure

Special = Callable[[int, str], Exception | None]


@contextmanager
def as_writer_errors(name: str, key: str, special: Special = lambda *_: None) -> Iterator[None]:
    """Converts exceptions in a `with` block that reads a streamed answer. `special` is called first with the
    status and text of an HTTP error; if it returns an exception, this is raised."""
    import httpx2

    from .client import UnboundedAnswer

    try:
        yield
    except (Stopped, WriterError):
        raise
    except TransientFailure as error:
        raise TransientFailure(without_key(str(error), key)[:200]) from None
    except UnboundedAnswer as words:
        raise out_of_bounds(name, words) from None
    except httpx2.HTTPStatusError as error:
        answer = error.response
        status, text = answer.status_code, answer.content.decode(errors="replace")
        message = without_key(_message(text), key)
        raise special(status, text) or status_error(status, message, answer.headers, name) from None
    except httpx2.TimeoutException:
        raise TransientFailure("it did not answer in time") from None
    except httpx2.TransportError as error:
        raise TransientFailure(f"the connection broke ({type(error).__name__})") from None
    except Exception as error:  # noqa: BLE001 an invalid stream may fail in any way
        raise malformed(name, error) from None


def _message(text: str) -> str:
    """The message in the text of an HTTP error, which is usually JSON."""
    with suppress(ValueError, RecursionError):
        answer = json.loads(text)
        if isinstance(answer, dict) and "error" in answer:
            return error_message(answer["error"])
    return text


def refused(name: str) -> WriterRefused:
    return WriterRefused(f"{name} declined to answer.", "Try another model, or the extractive writer.")


def cut_off(name: str) -> WriterTruncated:
    return WriterTruncated(f"{name} was cut off before the end of its answer.", "Ask for fewer papers.")


def endless(name: str) -> WriterTruncated:
    return WriterTruncated(f"{name} sent an answer without an end.", "Try another model.")


def malformed(name: str, error: Exception) -> WriterInvalid:
    return WriterInvalid(
        f"{name} did not answer like a language model ({type(error).__name__}).",
        "Check the address, or use the extractive writer.",
    )


def out_of_bounds(name: str, words: Exception) -> WriterDenied:
    return WriterDenied(
        f"{name} {words}, so nothing of it was used.",
        "Check the address in the settings, or use the extractive writer.",
    )


def without_key(message: str, key: str) -> str:
    """Removes the key, also if partly masked, and unprintable characters from a provider's message."""
    message = "".join(c if c.isprintable() else " " for c in message)
    message = message.replace(key, "***") if key else message
    return re.sub(r"\b(?:sk|key|AIza)[-_][\w*-]{6,}", "***", message)


def status_error(
    status: int, message: str, headers: Mapping[str, str], name: str
) -> WriterError | TransientFailure:
    """The error for an HTTP status. `TransientFailure` is tried again."""
    short = re.sub(r"\s+", " ", message)[:300]
    if 400 <= status < 500 and (refusal := _too_small_or_not_loaded(short, name)):
        return refusal
    if 300 <= status < 400:
        return WriterDenied(
            f"{name} redirects requests to another address ({status}): {origin(headers.get('location', ''))}. "
            "Your text is not sent there.",
            "If you trust that address, set it as the model's address.",
        )
    if status in (408, 409, 425, 429) or status >= 500:
        busy = {429: "it asks for fewer requests (429)", 529: "it is overloaded (529)"}
        return TransientFailure(busy.get(status, f"it answered {status}"), retry_after(headers))
    if status in (401, 403):
        return WriterDenied(f"{name} refused the key ({status}).", "Check the key and its rights.")
    if status == 402:
        return WriterDenied(f"{name} requires payment (402).", "Check the account's credit.")
    if status == 404:
        return WriterDenied(
            f"{name} was not found at its address (404): {short}", "Check the model's name and the address."
        )
    if status == 413:
        return WriterInvalid(f"{name} found the request too large.", "Ask for fewer papers or fewer pages.")
    return WriterInvalid(f"{name} did not accept the request ({status}): {short}", "Try another model.")


def _too_small_or_not_loaded(message: str, name: str) -> WriterError | None:
    """The error for the two most frequent refusals of model servers on the author's machine, else None: the
    request is longer than the context of the loaded model, or the model is not loaded. These servers share no
    error codes, so the message is searched."""
    if re.search(r"context[ _](?:length|size|window|the overflows)", message, re.I):
        return WriterInvalid(
            f"{name} was loaded with a context that is too small for this request: {message}",
            "Load it with a larger context (Ollama: OLLAMA_CONTEXT_LENGTH; LM Studio: its context length; llama.cpp: "
            "-c), or ask for fewer papers.",
        )
    if re.search(r"no models? loaded|not loaded", message, re.I):
        return WriterDenied(
            f"{name} is not loaded by its server: {message}", "Load it there (LM Studio: `lms load`)."
        )
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after`; None without such a number. Dates are
    ignored."""
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(header, "")) / unit)
        except ValueError:
            continue
    return None
