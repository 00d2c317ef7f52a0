"""The LaTeX commands and environments that the reader knows by name."""

from __future__ import annotations

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
    setmainlanguage setdefaultlanguage selectlanguage abstract Abstract abstracts abst eabstract
    cabstract abstracten abstractEN hypersetup pdfinfo subtitle""".split()
)

TITLES = frozenset(
    "title Title papertitle icmltitle thesistitle ttitle etitle titleen titleEN englishtitle ctitle".split()
)
AUTHORS = frozenset("author Author authors icmlauthor IEEEauthorblockN fnms".split())

MARKS = frozenset(
    """maketitle tableofcontents frontmatter mainmatter backmatter appendix appendices
    endinput label listoffigures listoftables bibitem keywords Keywords IEEEkeywords acknowledgments
    acknowledgements acknowledgment acknowledgement bibliographystyle iffalse if nocite newpage
    clearpage cleardoublepage introduction conclusions""".split()
)

# Classes in which some headings are commands without a title.
NAMED_HEADINGS = {"copernicus": {"introduction": "Introduction", "conclusions": "Conclusions"}}

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
