"""Venues: which are known by name, which venue and kind of publication a text names, and whether two names may be the
same venue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from texgeist_latex.bib.index import folded
from texgeist_latex.types import BibEntry

# A line for each venue: its id, `c` for a conference or `j` for a journal, its names, and the DOI prefixes of its
# publishers (`-` if unknown).
TABLE = """
aaai|c|aaai;aaai conference on artificial intelligence;national conference on artificial intelligence|10.1609 10.5555
aacl|c|aacl;asia pacific chapter of the association for computational linguistics|10.18653
accv|c|accv;asian conference on computer vision|10.1007
acl|c|acl;annual meeting of the association for computational linguistics;association for computational linguistics|10.18653 10.3115 10.1162 10.5555
aistats|c|aistats;artificial intelligence and statistics|10.5555
bmvc|c|bmvc;british machine vision conference|10.5244
ccs|c|ccs;computer and communications security|10.1145
chi|c|chi;human factors in computing systems|10.1145
cikm|c|cikm;information and knowledge management|10.1145
coling|c|coling;international conference on computational linguistics|10.18653 10.3115 10.5555
colm|c|colm;conference on language modeling|10.5555
colt|c|colt;conference on learning theory;computational learning theory|10.1007 10.1145 10.5555
conll|c|conll;computational natural language learning|10.18653 10.3115 10.5555
corl|c|corl;conference on robot learning|10.5555
cvpr|c|cvpr;computer vision and pattern recognition|10.1109
eacl|c|eacl;european chapter of the association for computational linguistics|10.18653 10.3115 10.5555
eccv|c|eccv;european conference on computer vision|10.1007
ecml|c|ecml;ecml pkdd;european conference on machine learning|10.1007
emnlp|c|emnlp;empirical methods in natural language processing|10.18653 10.3115 10.5555
facct|c|facct;fat;fairness accountability and transparency|10.1145
focs|c|focs;foundations of computer science|10.1109
icassp|c|icassp;acoustics speech and signal processing|10.1109
iccv|c|iccv;international conference on computer vision|10.1109
icdm|c|icdm;international conference on data mining|10.1109
iclr|c|iclr;international conference on learning representations|10.5555
icml|c|icml;international conference on machine learning|10.5555 10.1145
icra|c|icra;international conference on robotics and automation|10.1109
ijcai|c|ijcai;international joint conference on artificial intelligence;joint conferences on artificial intelligence|10.24963 10.5555
ijcnn|c|ijcnn;international joint conference on neural networks|10.1109
interspeech|c|interspeech;conference of the international speech communication association|10.21437
iros|c|iros;intelligent robots and systems|10.1109
kdd|c|kdd;sigkdd;knowledge discovery and data mining|10.1145
miccai|c|miccai;medical image computing and computer assisted intervention|10.1007
mm|c|acm mm;acm multimedia;international conference on multimedia|10.1145
naacl|c|naacl;naacl hlt;north american chapter of the association for computational linguistics|10.18653 10.3115 10.5555
neurips|c|neurips;nips;neural information processing systems|10.52202 10.5555
pakdd|c|pakdd;pacific asia conference on knowledge discovery and data mining;pacific asia conf knowledge discovery and data mining|10.1007
recsys|c|recsys;conference on recommender systems|10.1145
rss|c|rss;robotics science and systems|10.15607
sigir|c|sigir;research and development in information retrieval|10.1145
soda|c|soda;symposium on discrete algorithms|10.1137 10.5555 10.1145
stoc|c|stoc;acm symposium on theory of computing;acm symposium on the theory of computing|10.1145
uai|c|uai;uncertainty in artificial intelligence|10.5555
wacv|c|wacv;applications of computer vision|10.1109
wsdm|c|wsdm;web search and data mining|10.1145
www|c|www;the web conference;world wide web|10.1145
ai|j|artif intell;artificial intelligence;artificial intelligence journal|-
cacm|j|cacm;communications of the acm|-
ijcv|j|ijcv;int j comput vis;international journal of computer vision|-
jacm|j|jacm;journal of the acm|-
jair|j|jair;j artif intell res;journal of artificial intelligence research|-
jmlr|j|jmlr;j mach learn res;journal of machine learning research|-
ml|j|mach learn;machine learning;machine learning journal|10.1007 10.1023
mlst|j|machine learning science and technology|-
nature|j|nature|10.1038
neco|j|neural comput;neural computation|10.1162
neunet|j|neural networks;neural netw|-
pami|j|tpami;pami;ieee trans pattern anal mach intell;transactions on pattern analysis and machine intelligence|10.1109
pnas|j|pnas;proceedings of the national academy of sciences;proc natl acad sci|10.1073
science|j|science|10.1126
tacl|j|tacl;trans assoc comput linguistics;transactions of the association for computational linguistics|10.1162
tip|j|tip;ieee trans image process;transactions on image processing|10.1109
tkde|j|tkde;ieee trans knowl data eng;transactions on knowledge and data engineering|10.1109
tmlr|j|tmlr;trans mach learn res;transactions on machine learning research|-
tnnls|j|tnnls;transactions on neural networks and learning systems|10.1109
""".strip()
# Further conferences and journals, of which only the abbreviation is known.
_CONFERENCES = frozenset(
    """
    semeval wmt lrec ijcnlp iaai ecai alt ecir jcdl trec clef sdm pakdd pkdd isbi slt asru uist cscw iui assets icse
    fse esec ase issta msr icpc pldi popl oopsla icfp ecoop esop cav tacas sosp osdi nsdi eurosys atc fast sigcomm
    infocom imc mobicom sensys mobisys usenix ndss eurocrypt crypto asiacrypt icalp icde sigmod edbt cidr pods isca
    micro asplos hpca dac date iccad siggraph ismir acmmm gecco ppsn ewrl l4dc midl chil
    """.split()
)
_JOURNALS = frozenset("tois pvldb cl pacmpl imwut".split())
_JOURNAL = re.compile(
    r"\b(?:journals?|transactions|letters|annals|reviews?|magazine|bulletin|quarterly|archives?|nature|science|cell|plos|"
    r"frontiers in|communications of|proceedings of the (?:national academy|ieee|royal society|vldb endowment|acm on)|"
    r"trans\.|lett\.|rev\.|j\.|zeitschrift|revue|physica|acta|ieee access)(?=\W|$)",
    re.I,
)
_CONFERENCE = re.compile(
    r"\b(?:proceedings|proc\.|conference|conf\.|workshops?|symposium|symp\.|meeting of|findings of|congress|tagung)(?=\W|$)",
    re.I,
)
_PREPRINT = re.compile(r"^\W*(?:arxiv|corr|biorxiv|medrxiv|ssrn|preprint|openreview)\b", re.I)

Kind = Literal["preprint", "article", "inproceedings"]


@dataclass(frozen=True, slots=True)
class KnownVenue:
    short: str
    kind: Literal["conference", "journal"]
    names: tuple[str, ...]
    registrants: tuple[str, ...]  # DOI prefixes, () if unknown


@lru_cache(maxsize=1)
def known_venues() -> tuple[KnownVenue, ...]:
    """The conferences and journals listed in `TABLE`."""
    lines = (line.split("|") for line in TABLE.splitlines())
    return tuple(
        KnownVenue(
            short,
            "conference" if kind == "c" else "journal",
            tuple(names.split(";")),
            () if prefixes == "-" else tuple(prefixes.split()),
        )
        for short, kind, names, prefixes in lines
    )


@lru_cache(maxsize=2)
def _abbreviations(kind: Literal["conference", "journal"]) -> frozenset[str]:
    names = {venue.short for venue in known_venues() if venue.kind == kind and venue.short in venue.names}
    more = _CONFERENCES | {"nips"} if kind == "conference" else _JOURNALS | {"tpami"}
    return more.union(names)


def kind_of_venue(venue: str, said: Kind) -> Kind:
    """The kind of publication that the venue's name indicates, else `said`. For example, `acl 2022` is a
    conference. arXiv is not a venue and indicates a preprint."""
    if not venue.strip() or _PREPRINT.search(venue):
        return "preprint"
    words = re.findall(r"[a-z0-9]+", venue.lower())
    if (words[:1] and words[0] in _abbreviations("journal")) or _JOURNAL.search(venue):
        return "article"
    short = len(words) <= 4 and any(word in _abbreviations("conference") for word in words)
    if short or _CONFERENCE.search(venue) or read_venue(venue).kind == "conference":
        return "inproceedings"
    return said


_ENOUGH = 0.6  # share of the shorter name's words that the other must contain, if neither is in the table
_SMALL = frozenset(
    """
    of the on in for and a an to at de la le und der die das fur proceedings proc annual ann international internat
    intl int conference conf joint ieee acm cvf rsj symposium symp meeting advances adv first second third fourth
    fifth sixth seventh eighth ninth tenth series volume vol
    """.split()
)
_LINKS = frozenset("of the on in for and a an to at".split())
_SIDE = re.compile(r"\b(?:workshops?|companion|tutorials?|demos?|findings|challenge|extended abstracts)\b")
_SERIES = re.compile(r"\b(?:pmlr|proceedings of machine learning research|jmlr w ?cp|lncs|lecture notes)\b")
_MEETING = re.compile(r"\b(?:proc|conf|symp|workshop|congress|meeting|advances)", re.I)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Venue:
    """The venue that a text names. `words`: the words of the text, without years."""

    words: str
    known: KnownVenue | None
    side: bool  # a workshop, the findings or a companion volume of the venue

    @property
    def short(self) -> str:
        """The id in the table of venues; "" for an unknown venue."""
        return self.known.short if self.known else ""

    @property
    def kind(self) -> Literal["conference", "journal", ""]:
        return self.known.kind if self.known else ""


def venue_field(entry: BibEntry) -> str:
    """The entry's venue; "" for a preprint server."""
    for name in ("booktitle", "journal", "journaltitle"):
        value = entry.fields.get(name, "").strip()
        if value:
            return "" if is_preprint(value) else value
    return ""


def names_preprints(entry: BibEntry) -> bool:
    """Whether a field for the venue names a preprint server."""
    fields = ("booktitle", "journal", "journaltitle", "note", "howpublished")
    return any(is_preprint(value) for name in fields if (value := entry.fields.get(name, "").strip()))


def is_preprint(venue: str) -> bool:
    return kind_of_venue(venue, "article") == "preprint" or "arxiv" in venue.lower()


@lru_cache(maxsize=4096)
def read_venue(text: str) -> Venue:
    """The venue that the text names: the longest name from the table that occurs in the text. A journal's
    name must be the whole text."""
    text = re.sub(r"^\W*(?:In|Dans|En)\s*:", "", text, flags=re.I)
    words = " ".join(word for word in folded(text).split() if not _YEAR.fullmatch(word))
    named = [(len(name), line) for line in known_venues() for name in line.names if _named(name, words, line)]
    known = max(named, key=lambda each: each[0])[1] if named else None
    return Venue(words, known, bool(_SIDE.search(words)))


def _named(name: str, words: str, line: KnownVenue) -> bool:
    if line.kind == "journal" and " " in name:
        return words.removeprefix("the ").removeprefix("ieee ") in (name, name.removeprefix("ieee "))
    if line.kind == "journal" or name in ("fat", "ai", "www", "mm", "chi", "rss"):
        return words == name
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


def registers_conferences(prefix: str) -> bool:
    """Whether the DOI prefix belongs to a publisher of conferences. Two societies may hold a conference
    together, such as the AAAI/ACM Conference on AI, Ethics, and Society, and either of them may publish
    it."""
    return any(line.kind == "conference" and prefix in line.registrants for line in known_venues())


def later_meeting(venue: str, year: int | None) -> int | None:
    """The year in the name of a meeting if it is later than `year`, as in `Proceedings of CVPR 2019` and 2017, and
    else None. Volumes are often printed a year or two after the meeting, so an earlier year proves nothing."""
    years = [int(named) for named in _YEAR.findall(venue)]
    if year is None or not years or not _MEETING.search(venue) or min(years) <= year:
        return None
    return min(years)


def may_be_one(one: Venue, other: Venue) -> bool:
    """Whether two names may be the same venue; True in doubt, as for series, workshops of a conference, and
    unknown abbreviations."""
    if one.short and other.short:
        return one.short == other.short
    if (
        not one.words
        or not other.words
        or one.words == other.words
        or _SERIES.search(f"{one.words} {other.words}")
    ):
        return True
    return _initials(one.words, other.words) or _initials(other.words, one.words) or _words_agree(one, other)


def _words_agree(one: Venue, other: Venue) -> bool:
    """Whether the words of two names agree. The name of a known venue may be abbreviated in any way, but must
    have no extra words before or in it. Two unknown venues must share most words."""
    if known := one.known or other.known:
        written = _telling((other if one.known else one).words)
        return any(_spells(written, _telling(name)) for name in known.names)
    return _share(_telling(one.words), _telling(other.words)) >= _ENOUGH


def _telling(words: str) -> list[str]:
    return [word for word in words.split() if word not in _SMALL and not re.match(r"\d", word)]


def _spells(written: list[str], name: list[str]) -> bool:
    return len(written) >= len(name) > 0 and all(map(_abbreviates, written, name))


def _share(one: list[str], other: list[str]) -> float:
    """The share of words in the shorter list that match words of the other list in the same order;
    abbreviations match. The share is lower if the other list is more than twice as long."""
    short, long = sorted((one, other), key=len)
    if not short:
        return 0.0
    at, found = 0, 0
    for word in short:
        place = next((i for i in range(at, len(long)) if _abbreviates(word, long[i])), None)
        if place is not None:
            at, found = place + 1, found + 1
    return found / max(len(short), len(long) / 2)


def _abbreviates(one: str, other: str) -> bool:
    return one[:1] == other[:1] and (one.startswith(other) or other.startswith(one) or one[:4] == other[:4])


def _initials(short: str, long: str) -> bool:
    """Whether a word of `short` consists of initials of `long`: `icpr` for "international conference on
    pattern recognition"."""
    letters = "".join(word[0] for word in long.split() if word not in _LINKS)
    return any(len(word) > 2 and word in letters for word in short.split())
