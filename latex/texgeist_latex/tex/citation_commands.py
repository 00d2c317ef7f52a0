"""The commands that cite. A name with `cite` in it is understood unasked (`scan`); here stand the others,
the exceptions, and those that take their keys in another way."""

from __future__ import annotations

CITE_EXCEPTIONS = frozenset(
    """citestyle citetext citereset citesetup citedash citepunct citeform citeleft
    citeright citemid citefont citenumfont citeindextrue citeindexfalse citeindextype citename
    citeindexcmd citesep citereleaseyear citeprepunct setcitestyle bibpunct DeclareCiteCommand
    DeclareMultiCiteCommand citeauthorformat AtEveryCite AtEveryCitekey AtNextCite AtNextCitekey
    ExecuteBibliographyOptions mkbibcitenumeric restylecite citesort citetrackertrue
    citetrackerfalse citetracker ifciteseen ifciteibid ifciteidem iffirstcitekey iflastcitekey
    blx@citation citecolor multicitedelim compcitedelim textcitedelim supercitedelim postnotedelim
    DeclareCitePunctuationPosition citelist""".split()
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
    icitet icitep""".split()
)
# In these the citation key is the second group.
SECOND_GROUP_CITES = frozenset(
    "volcite Volcite pvolcite Pvolcite fvolcite Fvolcite tvolcite Tvolcite avolcite Avolcite svolcite".split()
)
MULTI_CITES = frozenset(
    """cites Cites parencites Parencites textcites Textcites autocites Autocites
    footcites footcitetexts smartcites Smartcites supercites""".split()
)
ONE_GROUP_CITES_EXTRA = {"citefield": 2, "defcitealias": 2}
