"""Sources of metadata and full texts. Heavy libraries are imported only when they are used."""

from .arxiv import ArxivSource
from .attached import attached_pdfs
from .chain import ChainSource, EmptySource
from .local import LocalSource
from .pdf import read_pdf

__all__ = ["ArxivSource", "ChainSource", "EmptySource", "LocalSource", "attached_pdfs", "read_pdf"]
