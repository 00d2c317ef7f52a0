"""The LaTeX commands and environments that the reader knows by name, and the arguments of citation commands."""

from __future__ import annotations

import re

HEADINGS = {
    "part": -1,
    "addpart": -1,
    "chapter": 0,
    "addchap": 0,
    "section": 1,
    "addsec": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}

# The number of groups of each command; the last group is the file's name.
INCLUSIONS = {
    **dict.fromkeys(
        "input include subfile subfileinclude InputIfFileExists loadglsentries includestandalone".split(), 1
    ),
    **dict.fromkeys("import inputfrom includefrom subimport subinputfrom subincludefrom".split(), 2),
}

BIBLIOGRAPHY_COMMANDS = frozenset(
    "bibliography nobibliography addbibresource addglobalbib addsectionbib thebibliographysource".split()
)
BIBLIOGRAPHY_PRINTERS = frozenset("printbibliography printbibheading bibbysection bibbysegment".split())

DEFINITIONS = frozenset(
    """newcommand renewcommand providecommand DeclareRobustCommand def edef gdef xdef
    let DeclareMathOperator NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand
    DeclareDocumentCommand NewExpandableDocumentCommand DeclareCiteCommand DeclareMultiCiteCommand
    newenvironment renewenvironment NewDocumentEnvironment newrobustcmd
    renewrobustcmd DeclarePairedDelimiter newglossaryentry newacronym excludecomment DeclareAcronym""".split()
)

PREAMBLE = frozenset("documentclass documentstyle usepackage RequirePackage LoadClass includeonly".split())

FRONT_MATTER = frozenset(
    """title Title papertitle icmltitle thesistitle ttitle etitle ctitle titleen
    titleEN englishtitle author Author authors icmlauthor IEEEauthorblockN name fnms surname
    abstract Abstract abstracts abst eabstract
    cabstract abstracten abstractEN subtitle""".split()
)

TITLES = frozenset(
    "title Title papertitle icmltitle thesistitle ttitle etitle titleen titleEN englishtitle ctitle".split()
)
AUTHORS = frozenset("author Author authors icmlauthor IEEEauthorblockN fnms".split())

MARKS = frozenset(
    """appendix appendices endinput label bibitem acknowledgments acknowledgements acknowledgment
    acknowledgement bibliographystyle iffalse if""".split()
)

VERBATIM = frozenset(
    """verbatim verbatim* Verbatim Verbatim* BVerbatim LVerbatim SaveVerbatim
    lstlisting minted comment filecontents filecontents* alltt boxedverbatim listing* pycode luacode
    luacode* python sagesilent sageblock tcblisting dot asy gnuplot spverbatim verbatimtab
    semiverbatim code""".split()
)

# Display formulas; each environment also has a form with a star.
DISPLAYED_FORMULAS = frozenset(
    "equation align alignat gather multline eqnarray flalign displaymath math dmath IEEEeqnarray".split()
)

# Environments without prose, which are left out of the draft's text.
DROPPED_ENVIRONMENTS = frozenset(
    """figure figure* table table* wrapfigure wraptable SCfigure sidewaysfigure
    sidewaystable sidewaysfigure* sidewaystable* marginfigure margintable teaserfigure floatrow
    subfigure tabular tabular* tabularx tabulary longtable longtabu tabu xltabular supertabular
    array algorithm algorithm* algorithm2e algorithmic procedure tikzpicture pgfpicture picture
    pspicture circuitikz forest tikzcd thebibliography keyword keywords IEEEkeywords CCSXML
    titlepage listing listings lstlisting minted filecontents dirtree acks acknowledgments
    acknowledgements acknowledgement acknowledgment ack Acknowledgements subtable algo pseudocode
    nomenclature theglossary theindex biography IEEEbiography IEEEbiographynophoto""".split()
)
APPENDIX_ENVIRONMENTS = frozenset(["appendix", "appendices", "subappendices", "supplement"])


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
    r"""Whether the command cites: a known command, or one with `cite` in its name. The latter may be a remark
    of the author, such as `\citeneeded`; see `could_be_keys`."""
    if name in CITE_COMMANDS:
        return True
    return "cite" in name.lower() and name not in _NONE_BY_NAME and not _NONE_BY_FORM.match(name)


def groups_of(name: str) -> int:
    """The largest number of groups that the command takes: many for `MULTI_CITES`, else one or two."""
    return 50 if name in MULTI_CITES else 2 if name in _TWO_GROUPS else 1


def could_be_keys(text: str) -> bool:
    """Whether this argument of an unknown command looks like citation keys, not prose."""
    return all(_KEY.fullmatch(key.strip()) for key in _COMMENT.sub("", text).split(",") if key.strip())
