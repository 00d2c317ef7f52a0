"""Tasks for the worker, with the settings and keys of now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ..errors import Untrusted
from ..worker.client import Worker
from .configuration import Configuration

Answer = dict[str, Any]


class Tasks:
    """The one way to the worker: what is not trusted does not come this way."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._worker = Worker()

    async def do(self, task: str, given: Answer, report: Callable[..., None]) -> Answer:
        """Raises `Untrusted`, `TaskFailed` and `WorkerDied`."""
        if not self._configuration.trusted:
            raise Untrusted
        settings = (await self._configuration.loaded()).model_dump(mode="json")
        keys = asdict(self._configuration.keys)
        return await self._worker.do(task, {**given, "settings": settings, "keys": keys}, report)

    async def close(self) -> None:
        await self._worker.close()
