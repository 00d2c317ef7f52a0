"""Maps the errors of pymilvus and gRPC to `SearchError`s with a sentence that says what to do.

pymilvus reports "Fail connecting" for a wrong token, a refused port and a wrong host name; the gRPC status of
the error's cause distinguishes them. If a server hangs during a call, a `grpc.RpcError` is raised."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import (
    IndexDenied,
    IndexMismatch,
    IndexMissing,
    IndexReadOnly,
    IndexRefused,
    IndexUnavailable,
    SearchError,
)
from ..text.words import shortened

NO_COLLECTION = 100
NOT_LOADED = (101, 103, 201, 202)  # codes for a collection or partition that is not loaded, or only partly
READING = ("Search", "Query", "DescribeCollection", "ShowCollections", "HasCollection")
NO_RIGHT = ("permission", "privilege")
REFUSALS = ("exceeds max", "exceeds the max", "max_length", "max length", "max_capacity", "max capacity")
AGAIN = "Try again later, or search your own library."


@contextmanager
def as_search_errors(place: str, collection: str) -> Iterator[None]:
    """Raises failures of pymilvus in the `with` block as `SearchError`s. `place`: the location for messages,
    without token."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # else gRPC writes to stderr; read at import
    import grpc
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except grpc.RpcError as error:
        raise _from_status(_status(error), place, str(error)) from error
    except MilvusException as error:
        raise _from_milvus(error, place, collection) from error


def _from_milvus(error: Exception, place: str, collection: str) -> SearchError:
    code = getattr(error, "code", None)
    message = str(getattr(error, "message", error))
    if status := _status(error) or _status(error.__cause__):
        return _from_status(status, place, f"{message} {error.__cause__ or ''}")
    lowered = message.lower()
    if "invalid collection name" in lowered or "`collection_name`" in lowered:
        return IndexMissing(
            f"The server at {place} takes no collection of the name “{shortened(collection, 60)}”.",
            "Name one of letters, digits and underscores in index.collection.",
        )
    if _is_refusal(error, lowered):
        return IndexRefused(f"the index refuses it ({_first_line(message)})")
    if code == NO_COLLECTION or "collection not found" in lowered:
        return IndexMissing(
            f"The index at {place} has no collection “{collection}”.",
            "Check the collection's name in the settings.",
        )
    if re.search(r"database\b.*\bnot found", lowered):  # the address names a database after the port
        return IndexMissing(
            f"The server at {place} has no such database.", "Leave out what follows its port."
        )
    if code in NOT_LOADED:
        return IndexUnavailable(f"The collection “{collection}” at {place} is not loaded yet.", AGAIN)
    if any(word in lowered for word in NO_RIGHT):
        return no_right(place, message)
    if "auth" in lowered:
        return denied(place)
    if "dimension" in lowered or "sizeof" in lowered or "matmul" in lowered:
        return IndexMismatch(
            f"The index at {place} holds vectors of another length than the model makes.",
            "Use the model that the index was made with, or another index.",
        )
    if code == 2 or "timeout" in lowered or "timed out" in lowered:
        return IndexUnavailable(f"The index at {place} does not answer.", AGAIN)
    return IndexUnavailable(f"The index at {place} failed: {_first_line(message)}", AGAIN)


def _from_status(status: str, place: str, message: str) -> SearchError:
    if status == "PERMISSION_DENIED":
        return no_right(place, message)
    if status == "UNAUTHENTICATED":
        return denied(place)
    if status == "DEADLINE_EXCEEDED":
        return IndexUnavailable(f"The index at {place} did not answer in time.", AGAIN)
    if status == "UNAVAILABLE" and "certificate" in message.lower():
        return IndexUnavailable(
            f"The server at {place} could not prove by its certificate that it is the one named.",
            "Check the address; a certificate of your own is trusted by the variable "
            "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH.",
        )
    if status == "UNAVAILABLE":
        return IndexUnavailable(
            f"The index at {place} cannot be reached.", "Check the address and the connection. " + AGAIN
        )
    return IndexUnavailable(f"The index at {place} failed ({status}): {_first_line(message)}", AGAIN)


def denied(place: str) -> IndexDenied:
    return IndexDenied(
        f"The index at {place} refused the user name or the password.",
        "Set the token (user:password) in TEXGEIST_INDEX_TOKEN or in the editor's secret storage.",
    )


def no_right(place: str, message: str) -> SearchError:
    """The error for a missing right: `IndexDenied` if the user may not search, `IndexReadOnly` if the user
    may only search."""
    found = re.search(r"Privilege(\w+)", message)
    right = found[1] if found else ""
    if right in READING:
        return IndexDenied(
            f"The server at {place} does not let this user search the collection (no right to {right}).",
            "Ask who runs the server for a role with the rights Search and Query.",
        )
    return IndexReadOnly(
        f"The server at {place} lets this user search the index and not change it"
        f"{f' (no right to {right})' if right else ''}.",
        "Ask who runs the server for a role that may write, or fill your own library.",
    )


def check_version(version: str, place: str, since: tuple[int, int], what: str) -> None:
    """Raises `IndexMismatch` for a server older than `since`. An unknown version is accepted."""
    found = re.match(r"v?(\d+)\.(\d+)", version)
    if found and (int(found[1]), int(found[2])) < since:
        raise IndexMismatch(
            f"The Milvus server at {place} is version {version}; {what} {since[0]}.{since[1]}.",
            "Update the server, or use another index.",
        )


def _is_refusal(error: Exception, lowered: str) -> bool:
    """Whether the index refused rows for their content; it would refuse them again."""
    from pymilvus.exceptions import DataNotMatchException, ParamError

    if isinstance(error, DataNotMatchException | ParamError):
        return "dim" not in lowered
    return any(words in lowered for words in REFUSALS)


def _status(error: BaseException | None) -> str:
    """The name of the gRPC status, "" if there is none. pymilvus stores it as `code` of the error or of its
    cause."""
    code = getattr(error, "code", None)
    if callable(code):
        code = code()
    name = getattr(code, "name", "")
    known = ("UNAUTHENTICATED", "PERMISSION_DENIED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "UNIMPLEMENTED")
    return name if name in known else ""


def _first_line(message: str) -> str:
    lines = message.strip().splitlines() or ["no message"]
    return lines[0][:200]
