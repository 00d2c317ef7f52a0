"""What a draft asks for, as one vector: its abstract's, with a share of its title's.

A title says what the abstract is about, without its phrases of problem, method and result. Measured on 200
drafts against 15,000 papers: recall at 20 by cosine 27.2 for the abstract, 28.1, 28.6 and 28.4 with 0.2,
0.4 and 0.6 of the title; papers that no training paper cites 32.6, 34.0, 33.9 and 34.2.
"""

from __future__ import annotations

import numpy as np

from ..types import Matrix, Query, Vector

TITLE_SHARE = 0.4


def with_title(abstract: Vector, title: Vector | None) -> Vector:
    """Unit vectors in and out; `title` None, or zeros, for a draft that has none yet."""
    if title is None:
        return abstract
    return np.asarray(with_titles(abstract[None], title[None])[0])


def with_titles(abstracts: Matrix, titles: Matrix | None, share: float | np.ndarray = TITLE_SHARE) -> Matrix:
    """`with_title` for rows. `share`: a number, or a column with one for each row."""
    if titles is None:
        return abstracts
    mixed = abstracts + share * titles
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), dtype=np.float32)


def words_asked(query: Query) -> str:
    """The words to look for in papers: a draft's title and abstract (its pages, where it has no abstract), or
    the sentence or question itself, whatever it stands in."""
    if query.kind in ("sentence", "question"):
        return query.text or query.parts[0].text
    about = query.abstract if query.kind == "draft" and query.abstract else query.parts[0].text
    return f"{query.title} {about}"
