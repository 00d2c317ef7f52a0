"""Keys and tokens: from the editor's secret storage or the environment, never from texgeist's files.

They are kept in memory and sent to the worker through its pipe. They are never logged, and `repr` hides them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from texgeist_retrieval.models.providers import PROVIDERS

VARIABLES = {
    **{provider.name: provider.variables for provider in PROVIDERS},
    "index": ("TEXGEIST_INDEX_TOKEN",),
    "openalex": ("OPENALEX_API_KEY",),
    "semanticscholar": ("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"),
}
ALIASES = {"milvus": "index"}


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    index: str = ""  # user:password of a Milvus server
    models: Mapping[str, str] = field(default_factory=dict)  # by provider, or by literature service

    def __repr__(self) -> str:
        return f"Keys(set={[name for name in VARIABLES if self.of(name)]})"

    def of(self, name: str) -> str:
        """The key for a provider, a literature service or `index`; "" if there is none."""
        return self.index if name == "index" else self.models.get(name, "")

    def having(self, name: str, key: str) -> Keys:
        name = ALIASES.get(name, name)
        if name not in VARIABLES:
            raise ValueError(f"There is no key called {name!r}; there are {', '.join(VARIABLES)}.")
        if name == "index":
            return replace(self, index=key)
        return replace(self, models={**self.models, name: key})


def keys_from_environment(environment: Mapping[str, str] = os.environ) -> Keys:
    def first(names: tuple[str, ...]) -> str:
        return next((environment[name] for name in names if environment.get(name)), "")

    found = {name: first(variables) for name, variables in VARIABLES.items()}
    return Keys(found.pop("index"), found)
