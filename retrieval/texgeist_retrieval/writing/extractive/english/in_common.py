"""What the closest paper has in common with the draft, and the others have not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....text.keyphrases import keys, phrases, surfaces, tells
from ....text.vocabulary import COMMON


def in_common(text: str, draft: str, others: Sequence[str]) -> list[str]:
    """At most three phrases of the draft, as it writes them, that the text has too; none says again what another
    does. None where fewer than two of them are rare among the others."""
    known = keys(text)
    written, _ = surfaces([draft, text])
    found = {
        p.key: written[p.key]
        for p in phrases(draft)
        if p.key in known and p.whole and " " in p.key and p.key not in COMMON and tells(p.key, 1)
        and _NO_ARTICLE.search(written[p.key])
    }  # fmt: skip
    chosen: list[str] = []
    for key in sorted(found, key=lambda k: -len(k.split())):
        if not any(set(key.split()) & set(other.split()) for other in chosen):
            chosen.append(key)
    shared = [key for key in found if key in chosen[:_MOST]]
    having = sorted(sum(key in keys(other) for other in others) for key in shared)
    is_own = len(having) >= _TWO and having[_TWO - 1] <= len(others) * _RARE
    return [found[key] for key in shared] if is_own else []


_NO_ARTICLE = re.compile(r"(?:s|ing|tion|sion|ment|ance|ence|ity|ness|ism|data|retrieval|search|flow|ery)$")
_MOST, _TWO = 3, 2
_RARE = 0.34  # of the other papers
