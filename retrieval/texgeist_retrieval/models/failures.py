"""Exceptions of the providers' packages, turned into retries or into errors for the user.

The packages of Anthropic and of OpenAI come from one generator, so that their errors have the same names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..addresses import origin
from ..errors import ToolsUnknown, WriterDenied, WriterError, WriterInvalid, WriterRefused, WriterTruncated
from .retry import Stopped, TransientFailure

Special = Callable[[int, str], Exception | None]


@contextmanager
def as_writer_errors(
    package: Any, name: str, key: str, request: Mapping[str, Any], special: Special = lambda *_: None
) -> Iterator[None]:
    """Around one streamed answer. `special` is asked first what a status and its message mean."""
    import httpx2

    from .client import UnboundedAnswer

    try:
        yield
    except (TransientFailure, Stopped, WriterError):
        raise
    except UnboundedAnswer as words:
        raise out_of_bounds(name, words) from None
    except package.APIStatusError as error:
        status, message = error.status_code, without_key(str(error.message), key)
        if status < 300:  # an error event inside the stream
            raise TransientFailure(message[:200]) from None
        lacks = knows_no_tools(status, message, name) if "tools" in request else None
        meant = special(status, message) or lacks
        raise meant or status_error(status, message, error.response.headers, name) from None
    except package.APITimeoutError:
        raise TransientFailure("it did not answer in time") from None
    except (package.APIConnectionError, httpx2.TransportError) as error:
        raise TransientFailure(f"the connection broke ({type(error).__name__})") from None
    except package.APIError as error:  # an error event inside the stream
        raise TransientFailure(without_key(str(error.message), key)[:200]) from None
    except Exception as error:  # noqa: BLE001 the package trips over what keeps to no protocol
        raise malformed(name, error) from None


def refused(name: str) -> WriterRefused:
    return WriterRefused(f"{name} declined to answer.", "Try another model, or the extractive writer.")


def cut_off(name: str) -> WriterTruncated:
    return WriterTruncated(f"{name} was cut off before the end of its answer.", "Ask for fewer papers.")


def endless(name: str) -> WriterTruncated:
    return WriterTruncated(f"{name} went on and on without an end.", "Try another model.")


def knows_no_tools(status: int, message: str, name: str) -> ToolsUnknown | None:
    """What a server says that was asked with tools and has none, or whose model has none."""
    if status in (400, 404, 415, 422, 500, 501) and "tool" in message.lower():
        return ToolsUnknown(f"{name} knows no tools ({status}): {' '.join(message.split())[:200]}")
    return None


def malformed(name: str, error: Exception) -> WriterInvalid:
    """For whatever a package raised over a stream that keeps to no protocol."""
    return WriterInvalid(
        f"{name} answered with something that is no model's answer ({type(error).__name__}).",
        "Check the address, or use the extractive writer.",
    )


def out_of_bounds(name: str, words: Exception) -> WriterDenied:
    return WriterDenied(
        f"{name} {words}, so nothing of it was used.",
        "Check the address in the settings, or use the extractive writer.",
    )


def without_key(message: str, key: str) -> str:
    """Provider messages may quote a key, or parts of it between stars, and be meant for a terminal: what
    is no letter is a space."""
    message = "".join(c if c.isprintable() else " " for c in message)
    message = message.replace(key, "***") if key else message
    return re.sub(r"\b(?:sk|key|AIza)[-_][\w*-]{6,}", "***", message)


def status_error(
    status: int, message: str, headers: Mapping[str, str], name: str
) -> WriterError | TransientFailure:
    """What an HTTP status means. `TransientFailure` may pass and is tried again."""
    short = re.sub(r"\s+", " ", message)[:300]
    if 300 <= status < 400:
        return WriterDenied(
            f"{name} sends requests on to another address ({status}): {origin(headers.get('location', ''))}. "
            "What you write is not sent after it.",
            "If you trust that address, set it as the model's address.",
        )
    if status in (408, 409, 425, 429) or status >= 500:
        return TransientFailure(_busy_words(status), retry_after(headers))
    if status in (401, 403):
        return WriterDenied(f"{name} refused the key ({status}).", "Check the key and its rights.")
    if status == 402:
        return WriterDenied(f"{name} wants payment before it answers (402).", "Check the account's credit.")
    if status == 404:
        return WriterDenied(
            f"{name} was not found at its address (404): {short}", "Check the model's name and the address."
        )
    if status == 413:
        return WriterInvalid(f"{name} found the request too large.", "Ask for fewer papers or fewer pages.")
    return WriterInvalid(f"{name} did not accept the request ({status}): {short}", "Try another model.")


def _busy_words(status: int) -> str:
    return {429: "it asks for fewer requests (429)", 529: "it is overloaded (529)"}.get(
        status, f"it answered {status}"
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after`; dates are not read."""
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(header, "")) / unit)
        except ValueError:
            continue
    return None
