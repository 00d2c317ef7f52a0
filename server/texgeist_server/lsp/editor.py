"""The editor at the other end, as those see it who change its texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..config.settings import Settings
    from .clients import Client
    from .configuration import Configuration
    from .documents import Documents
    from .reader import Reader


@dataclass(frozen=True, slots=True)
class Editor:
    """What an edit needs: the connection, what the editor can do and its user wants, what is open, and the
    project as read."""

    server: LanguageServer
    configuration: Configuration
    documents: Documents
    reader: Reader

    @property
    def client(self) -> Client:
        return self.configuration.client

    @property
    def settings(self) -> Settings:
        return self.configuration.settings
