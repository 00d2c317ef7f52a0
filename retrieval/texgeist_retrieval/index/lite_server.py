"""The process that holds a Milvus Lite file open, for all texgeist processes on this machine.

A Lite file can be opened by only one process, but two editor windows and a command line are common. None of
them opens the file: the first process that needs it starts this server on a free loopback port, and all use
the server over gRPC. The server writes its port and a random token to a registration that only the user can
read. It refuses calls without the token, and ends after an idle time, or if the Milvus Lite file is deleted.

    python -m texgeist_retrieval.index.lite_server FILE [IDLE_SECONDS]"""

from __future__ import annotations

import base64
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import Any

from ..shared_process import Registration, only_holder, register

IDLE_SECONDS = 900.0
# pymilvus pings the server every 10 s, which gRPC treats as an attack by default
PINGS = [
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 1000),
    ("grpc.http2.max_ping_strikes", 0),
]
LARGEST_MESSAGE = 256 << 20  # bytes, as in Milvus


def serve(database: Path, idle: float) -> None:
    """Serves the file until it was idle for `idle` seconds. Returns at once if another server holds the
    file."""
    with only_holder(database) as alone:
        if alone:
            _serve_locked(database, idle)


def _serve_locked(database: Path, idle: float) -> None:
    from milvus_lite.db import MilvusLite

    token = secrets.token_hex(16)
    calls = _Calls()
    db = MilvusLite(str(database))
    server, port = _start(db, token, calls)
    register(database, Registration(os.getpid(), port, token))
    try:
        while calls.quiet_for() < idle and database.exists():
            time.sleep(min(1.0, idle / 4))
    finally:
        server.stop(grace=2).wait()
        db.close()


class _Calls:
    """The time of the last call, and the number of calls in progress."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._last = time.monotonic()

    def count(self, change: int) -> None:
        with self._lock:
            self._running += change
            self._last = time.monotonic()

    def quiet_for(self) -> float:
        with self._lock:
            return 0.0 if self._running else time.monotonic() - self._last


def _start(db: Any, token: str, calls: _Calls) -> tuple[Any, int]:
    import grpc
    from milvus_lite.adapter.grpc.servicer import MilvusServicer
    from pymilvus.grpc_gen import milvus_pb2_grpc

    limits = [(f"grpc.max_{way}_message_length", LARGEST_MESSAGE) for way in ("receive", "send")]
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=10),
        interceptors=[_guard(token, calls)],
        options=[*limits, *PINGS, ("grpc.so_reuseport", 0)],
    )
    milvus_pb2_grpc.add_MilvusServiceServicer_to_server(MilvusServicer(db), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, int(port)


def _guard(token: str, calls: _Calls) -> Any:
    """A gRPC interceptor that refuses calls without the token, because other users of this machine can reach
    loopback ports. It counts the other calls, and runs writes one after the other, because Lite supports one
    writer for each collection."""
    import grpc

    expected = base64.b64encode(token.encode()).decode()
    writing = threading.RLock()

    def refuse(_: Any, context: Any) -> None:
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong token")

    class Guard:  # not a `ServerInterceptor`, because grpc has no types
        def intercept_service(self, following: Callable[[Any], Any], details: Any) -> Any:
            given = dict(details.invocation_metadata).get("authorization", "")
            if not secrets.compare_digest(str(given), expected):
                return grpc.unary_unary_rpc_method_handler(refuse)
            handler = following(details)
            if handler is None or handler.unary_unary is None:
                return handler
            name = details.method.rsplit("/", 1)[-1]
            lock = writing if name in WRITES else None
            return handler._replace(unary_unary=_counted(handler.unary_unary, calls, lock))

    return Guard()


WRITES = frozenset(
    {
        "Insert",
        "Upsert",
        "Delete",
        "Flush",
        "CreateCollection",
        "DropCollection",
        "CreateIndex",
        "LoadCollection",
    }
)


def _counted(method: Callable[[Any, Any], Any], calls: _Calls, lock: Any) -> Callable[[Any, Any], Any]:
    def call(request: Any, context: Any) -> Any:
        calls.count(+1)
        try:
            if lock is None:
                return method(request, context)
            with lock:
                return method(request, context)
        finally:
            calls.count(-1)

    return call


if __name__ == "__main__":
    os.umask(0o077)  # only the user may read the papers
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # exits normally, which closes the file
    serve(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else IDLE_SECONDS)
