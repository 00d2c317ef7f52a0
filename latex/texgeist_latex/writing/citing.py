"""How citations are set in this document."""

from __future__ import annotations

import re

from texgeist_latex.bib.parser import without_comments
from texgeist_latex.tex.language import guess_language
from texgeist_latex.types import Draft
from texgeist_latex.writing.escape import Charset
from texgeist_latex.writing.habits import tie_before_citation
from texgeist_latex.writing.prose import Citing
from texgeist_latex.writing.targets import Target

_STYLE = re.compile(r"\\bibliographystyle\s*\{\s*([^{}]*?)\s*\}")

# Styles that tell natbib no authors: \citet sets "(author?)" with them.
_WITHOUT_AUTHORS = frozenset(
    "plain unsrt alpha abbrv acm ieeetr siam ieee ieee_fullname IEEEtran IEEEtranS amsplain amsalpha "
    "splncs splncs03 "
    "splncs04 spmpsci spphys plainurl unsrturl alphaurl abbrvurl vancouver naturemag JHEP aaai is-plain "
    "is-unsrt".split()
)


def citing_style(draft: Draft, charset: Charset, target: Target | None, prose: str = "") -> Citing:
    """`prose` is the text that is cited in: its language may be another than the document's."""
    style = draft.style
    return Citing(
        parenthetical=style.parenthetical,
        textual=style.textual,
        named=style.package != "plain"
        and style.textual != style.parenthetical
        and _knows_authors(draft, target),
        tie=tie_before_citation(draft),
        language=guess_language(prose, draft.language),
        charset=charset,
    )


def _knows_authors(draft: Draft, target: Target | None) -> bool:
    """Whether a textual citation will show names. Authors who use it themselves have seen that it does."""
    if sum(each.command.rstrip("*") == draft.style.textual for each in draft.citations) > 1:
        return True
    if draft.style.package == "biblatex":
        return True
    if target is not None and target.bibliography.kind == "thebibliography":
        return any("(" in entry.fields.get("label", "") for entry in target.bibliography.entries)
    texts = [without_comments(draft.sources[file].text) for file in draft.files if file in draft.sources]
    styles = [match[1] for text in texts for match in _STYLE.finditer(text)]
    return not styles or styles[-1] not in _WITHOUT_AUTHORS
