"""The models of the editor itself: GitHub Copilot's and whatever else VS Code's users have there.

They are reached through the editor's extension, which opens a port on this machine while the user has chosen
them, and speaks as much of OpenAI's protocol as is asked for here: prompts in, text out."""

from __future__ import annotations

from ..errors import WriterDenied
from .openai import WAYS, OpenAIModel

_FIRST = "auto"  # the model that the editor names first


class EditorModel(OpenAIModel):
    """`api_key` is what the extension gave, "PORT:TOKEN"; `model` an id, a family or a name of the editor's."""

    def __init__(self, model: str = "", api_key: str = "", timeout: float = 120.0) -> None:
        port, _, token = api_key.partition(":")
        if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536 and token):
            raise WriterDenied(
                "The editor has not said where its models are.", "Restart texgeist in the editor."
            )
        super().__init__(model or _FIRST, token, f"http://127.0.0.1:{port}/v1", timeout=timeout)
        self._way = WAYS.index("prompt")

    @property
    def name(self) -> str:
        return f"editor {self._model}"

    @property
    def local(self) -> bool:
        """The port is; the models behind it are anywhere."""
        return False
