"""Keys and tokens: from the editor's secret storage or the environment, never from a file of ours.

They live in memory and travel to the worker over its pipe; they are never logged, and `repr` hides them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

VARIABLES = {
    "anthropic": ("TEXGEIST_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"),
    "openai": ("TEXGEIST_OPENAI_API_KEY", "OPENAI_API_KEY"),
    "index": ("TEXGEIST_INDEX_TOKEN",),
}
ALIASES = {"milvus": "index"}


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    anthropic: str = ""
    openai: str = ""
    index: str = ""  # user:password of a Milvus server

    def __repr__(self) -> str:
        return f"Keys(set={[name for name in VARIABLES if getattr(self, name)]})"

    def of(self, name: str) -> str:
        """The key for `anthropic`, `openai` or `index`, "" when there is none."""
        return str(getattr(self, name)) if name in VARIABLES else ""

    def having(self, name: str, key: str) -> Keys:
        name = ALIASES.get(name, name)
        if name not in VARIABLES:
            raise ValueError(f"There is no key called {name!r}; there are {', '.join(VARIABLES)}.")
        return replace(self, **{name: key})


def keys_from_environment(environment: Mapping[str, str] = os.environ) -> Keys:
    def first(names: tuple[str, ...]) -> str:
        return next((environment[name] for name in names if environment.get(name)), "")

    return Keys(**{name: first(variables) for name, variables in VARIABLES.items()})
