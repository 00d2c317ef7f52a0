"""Where metadata and full texts come from. Heavy libraries are imported inside the adapters."""

from .chain import ChainSource, NoSource

__all__ = ["ChainSource", "NoSource"]
