"""The providers of language models, declared once.

Settings, credentials, the command line, the README's table and (by `scripts/generate`) VS Code's lists are
derived from `PROVIDERS`. This module is loaded at every start, so it imports a provider's module only when
the provider is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ports import LanguageModel


@dataclass(frozen=True, slots=True)
class Provider:
    """`module` and `model`: the class in this folder that implements `LanguageModel`, constructed with `model`,
    `api_key`, `timeout` and the writer's settings named in `takes`."""

    name: str  # in the settings and on the command line
    label: str  # the name that users see
    module: str
    model: str
    variables: tuple[str, ...]  # environment variables for the key, the first that is set; () for no key
    reaches: str  # who receives the text; continues "… are sent to"
    needs: str = "needs a key"
    takes: tuple[str, ...] = ("base_url",)
    addressed: bool = False  # the user can set a server's address; such a server needs no key
    files: bool = False  # the models are files on this machine; the class also takes their `folder`
    elsewhere: str = ""  # what to do without a key; "" if the user sets the key

    def how_to_have(self) -> str:
        """Tells the user what to do if there is no key."""
        return self.elsewhere or f"Set {self.variables[-1]} in the environment, or use the extractive writer."

    def load(self) -> Callable[..., LanguageModel]:
        made: Callable[..., LanguageModel] = getattr(
            import_module(f"{__package__}.{self.module}"), self.model
        )
        return made


PROVIDERS = (
    Provider(
        "anthropic",
        "Anthropic",
        "anthropic",
        "AnthropicModel",
        ("TEXGEIST_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"),
        "Anthropic",
    ),
    Provider(
        "openai",
        "OpenAI, or a server that speaks its protocol",
        "openai",
        "OpenAIModel",
        ("TEXGEIST_OPENAI_API_KEY", "OPENAI_API_KEY"),
        "OpenAI, or the server that `writer.baseUrl` names: Ollama, LM Studio, llama.cpp, vLLM, Gemini, Mistral, Azure",
        needs="a key; none for Ollama, LM Studio, llama.cpp on this machine",
        takes=("base_url",),
        addressed=True,
    ),
    Provider(
        "editor",
        "The editor's own models",
        "openai",
        "EditorModel",
        (),
        "the language model that you have in VS Code: GitHub Copilot or another",
        needs="no key; VS Code asks you once",
        takes=(),
        elsewhere="Choose it in VS Code, where its models are, or use another writer.",
    ),
    Provider(
        "local",
        "A small model, run by texgeist on this machine",
        "local",
        "LocalModel",
        (),
        "a model in a process of texgeist on this machine: nothing leaves it",
        needs="no key; `uv tool install '.[local]'` in a clone, then `texgeist model fetch writer`",
        takes=(),
        files=True,
    ),
)
NAMES = tuple(provider.name for provider in PROVIDERS)


def provider_of(name: str) -> Provider:
    return next(provider for provider in PROVIDERS if provider.name == name)
