"""The citation commands and the arguments with their keys. Used for reading, plain text and completion."""

from __future__ import annotations

import re

_NONE_BY_FORM = re.compile(
    r"(?:Declare|At[A-Z]|Defer|Use|Register|[Ss]et|if|new|renew|provide|mk|the|bstctl)|.*@", re.DOTALL
)
r"""Commands with `cite` in their name that declare, set, test or print something. `\bstctlcite` sets options
of IEEEtran."""
_NONE_BY_NAME = frozenset(
    """citestyle citetext citereset citesetup citedash citepunct citeform citeleft
    citeright citemid citefont citenumfont citeindextrue citeindexfalse citeindextype citename
    citeindexcmd citesep citereleaseyear citeprepunct citeauthorformat restylecite citesort citetrackertrue
    citetrackerfalse citetracker citecolor multicitedelim compcitedelim textcitedelim supercitedelim
    citelist bibcite""".split()
)

CITE_COMMANDS = frozenset(
    """cite Cite citep citet citealp citealt Citep Citet Citealp Citealt citeauthor
    Citeauthor citefullauthor citeyear citeyearpar citenum citetalias citepalias nocite onlinecite
    shortcite shortciteA shortciteN shortciteNP citeA citeN citeNP citeauthorA citeyearA citeyearNP
    fullcite fullciteA fullciteNP maskcite maskciteA maskciteNP parencite Parencite textcite
    Textcite autocite Autocite footcite footcitetext smartcite Smartcite supercite footfullcite
    fullfootcite citetitle citedate citeurl notecite Notecite pnotecite Pnotecite fnotecite bibentry
    avolcite pvolcite volcite Volcite Pvolcite fvolcite Fvolcite tvolcite Tvolcite Avolcite svolcite
    ftvolcite cites Cites parencites Parencites textcites Textcites autocites Autocites footcites
    footcitetexts smartcites Smartcites supercites citeasnoun possessivecite citeaffixed
    defcitealias citefield citeonline citeshort citelong footciteauthor headlessfullcite textcquote
    blockcquote foreigntextcquote cquote nptextcite possessivecitet citegenitive onlinecites
    icitet icitep newcite""".split()
)
# Commands with the citation key in the second group.
SECOND_GROUP_CITES = frozenset(
    """volcite Volcite pvolcite Pvolcite fvolcite Fvolcite tvolcite Tvolcite avolcite Avolcite svolcite ftvolcite
    foreigntextcquote""".split()
)
MULTI_CITES = frozenset(
    """cites Cites parencites Parencites textcites Textcites autocites Autocites
    footcites footcitetexts smartcites Smartcites supercites""".split()
)
_TWO_GROUPS = SECOND_GROUP_CITES | {"citefield", "defcitealias"}
CONTROL_ENTRIES = frozenset(["ieeetranbstctl", "control"])
"""Types of entries with options of a bibliography style (IEEEtran, REVTeX) instead of a paper."""
_KEY = re.compile(r"[^\s\\{}#~]+")
_COMMENT = re.compile(r"%[^\n]*")


def is_citation(name: str) -> bool:
    r"""Whether the command cites: a known command, or one with `cite` in its name. A command of the second
    kind may be a remark of the author, such as `\citeneeded`; see `could_be_keys`."""
    if name in CITE_COMMANDS:
        return True
    return "cite" in name.lower() and name not in _NONE_BY_NAME and not _NONE_BY_FORM.match(name)


def groups_of(name: str) -> int:
    """The largest number of groups in braces that the command takes: many for
    `MULTI_CITES`, else one or two."""
    return 50 if name in MULTI_CITES else 2 if name in _TWO_GROUPS else 1


def could_be_keys(text: str) -> bool:
    """Whether this argument of an unknown command looks like citation keys, not prose."""
    return all(_KEY.fullmatch(key.strip()) for key in _COMMENT.sub("", text).split(",") if key.strip())
