"""Citations that a model writes into its text by hand: numbers in brackets, keys, and people with years.

A name counts as a person's where it is a surname of the papers at hand, or is written like one and is a word
of no passage, title or draft that was given, and rare in abstracts (the word list that ships with the
ranker). Around years, verbs of saying and words such as "colleagues" that is enough for a citation."""

from __future__ import annotations

import re

from .marks import YEAR as _YEAR
from .marks import is_marked
from .names import NAME, NO_PERSON, UPPER, Names, is_cased, words_of
from .plain import visible
from .strangers import names_strangers
from .things import EPONYMS, WELL_KNOWN, without_things
from .tongue import has_cased_nouns, is_in

_NUMBERED = re.compile(  # [0, 1] is an interval
    r"\[(?![-−]\d|[^\]]*\b0\b)(?:[\s,;–#-]|and\b|&|see\b|also\b|cf\.?|e\.g\.|refs?\.?)*[A-Z]{0,2}\d{1,3}[a-z]?"
    r"(?:[\s,;–#-]|and\b|&|[A-Z]{0,2}\d{1,3}[a-z]?|(?:pp?|ch|sec|fig)\.\s?[\d.–-]+)*\]"
    r"|\((?:evidence|passage|paper|source|ref\.?|reference|citation) ?\w{1,4}\)"
    r"|\(ids? \d{1,3}(?:(?:,| and) \d{1,3})*\)|(?<![\w#])#\d{1,3}(?=[.,;:)]|$)"
    r"|\b(?:(?:refs?\.|references?|cited in)\s?[\[(]?\d{1,3}|(?:citations?|passages?|evidence|source|footnote)"
    r"\s?[\[(]?[A-Z]?\d{1,2})[a-z]?\b(?! (?:of|per)\b)"
    r"|\bpapers? (?:\[?[PE]\d+|\[?\d{1,3}\]?(?= |[,.;])(?! (?:from|in|on|papers|of|that|were|are|studies)\b))"
    r"|\b(?!log|sin|cos|tan|exp)[a-z]{3,}[.,]?(?:[⁰¹²³⁴-⁹]+(?![⁺⁻\w])|\^\s?\[?\d)"
    r"|\w \(\d{1,3}\)(?=[.,;]|$)|[†‡]|\bpersonal communication\b|\bauthors?, ?(?:year|date)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    rf"\[\s*(?:[{UPPER}][A-Za-z+]*’?'?\d{{2,4}}[a-z]?|[^\]\[]*\b{_YEAR}[^\]\[]*"
    r"|(?:citations?|cite|refs?\.?|references?|sources?)(?: needed| ?\d+)?|[a-z][\w:+-]*\d{2,4}[a-z]*|\?+|[XYN]+"
    rf"|[^\]\[]*\bet al[^\]\[]*|@[^\]]*|{NAME})\s*\]"
)
_CODED = re.compile(  # keys and marks that the material does not know
    rf"(?<![\w-])([a-z]{{5,}}\d\d[a-z]*|[a-z]{{4,}}[_:-][\w:-]*(?:19|20)\d\d\w*)\b|[(\[]([{UPPER}][A-Za-z]{{0,3}}\d\d[a-z]?)(?:[,;] ?[A-Z][A-Za-z]{{0,3}}\d\d[a-z]?)*[)\]]"
)
_KEY = re.compile(
    r"\b[a-z]{3,}[_:-]?(?:19|20)\d\d[_:-]?[a-z]{3,}\b|\b[a-z]{3,}:(?:19|20)\d\d\w*|\b[a-z]{4,}_(?:19|20)\d\d\b"
    r"|(?<!\w)@[a-z]+(?:19|20)?\d\d"
)
_COMPANY = re.compile(
    rf"({NAME})(?:[’']s?)?,? (?:and|&|with|plus|together with|along with) (?:[\w-]+ ){{0,3}}(?:colleagues?|co-?workers?"
    r"|co-?authors?|collaborators?|associates|team|students?|group|company|others|coauthors?)\b"
    rf"|({NAME}) (?:and|&) (?:others|co\.)|({NAME}),? (?:among others|inter alia)\b"
)
_INITIALLED = re.compile(
    rf"(?<![\w.])(?:[{UPPER}]\.[ -]?){{1,3}}[{UPPER}][a-zß-ÿ][\w’'-]+|{NAME}(?=, (?:[{UPPER}]\. ?)+)"
    rf"|{NAME}(?=[-_:](?:19|20)\d\d\b)"
)
_TITLED = re.compile(rf"\b(?:Ms|Mrs?|Dr|Prof|Professor|Sir)\.? [{UPPER}]")
_SHOUTED = re.compile(rf"\b([{UPPER}]{{5,}}) \({_YEAR}")
_IN_PARENTHESES = re.compile(rf"\(([^()]*?{_YEAR}[^()]*|[^()]{{2,80}}, ['’]\d\d)\)")
_YEAR_AFTER = re.compile(
    rf"({NAME})(?:(?:,? and|,? &|,) {NAME})*(?:[’']s?)?,? ?"
    rf"(?:\( ?(?:{_YEAR}|['’]\d\d)(?:[,;:] ?[^()]*)?\)|\[ ?{_YEAR} ?\]|['’]\d\d\b)"
)
_BARE_YEAR = re.compile(rf"(\S+),? \({_YEAR}\)")
_LOWER = re.compile(rf"\(([a-zß-ÿ]{{3,}}),? {_YEAR}\)")
_BARE_NUMBER = re.compile(
    r"\b(?!eq|fig|sec|tab|step|problem|case)[a-z]{2,} \((?!1\))\d{1,3}\)(?= [a-z]|[.,;])"
)
_A_YEAR = re.compile(rf"\b{_YEAR}\b")
_DECADE = re.compile(
    r"\b(?:1[89]|20)\d0s|\b(?:fif|six|seven|eigh|nine)ties\b|['’]\d\d\b"
    r"|\bnineteen[ -]\w+t(?:y|een)|\btwo thousand\b|\btwenty[ -](?:\w+teen|twenty)"
    r"|\b(?:[Yy]ears?|[Dd]ecades?) (?:ago|later|earlier|before)\b"
)
_WORD = re.compile(rf"{NAME}")
_LABEL = re.compile(r"\bP\d{1,2}\b")  # of a paper, in the prompt
_BEFORE_YEAR = re.compile(rf"([{UPPER}][\w’'-]{{2,}}), {_YEAR}")

_SAYING = (
    r"(?:show|prove|argue|propose|introduce|present|demonstrate|report|suggest|claim|note|observe|develop"
    r"|describe|extend|examine|investigate|conclude|establish|conjecture|derive|survey|review|discuss|advocate"
    r"|hypothesi[sz]e|criticis?ze?|believe|contend|maintain|assert|disagree|warn|insist"
    r"|emphasi[sz]e|pioneer|invent|populari[sz]e|formali[sz]e|formulate|discover|confirm|explain|refute"
    r"|ask|speculate|posit|acknowledge|think|treat|define|compare|regard)(?:e?s|e?d)?"
    r"|(?:object|question|caution|stress|challenge|disput|coin|test|view)ed|held|holds|sees|saw|gives|puts?|thought|has long"
    r"|found|finds?|studied|wrote|writes?|point(?:s|ed)? out|gave|showed"
    r"|shown|call(?:s|ed)? for"
)
_WORKS = (
    r"(?:work|study|studies|papers?|article|method|approach|results?|findings?|thesis|survey|proof|idea|proposal"
    r"|analysis|experiments?|insights?|framework|algorithm|model|team|group|lab|laboratory|books?|report|theorem)"
)
_BY = (
    rf"(?:{_WORKS}|proposed|introduced|shown|described|developed|reported|presented|due|[Aa]ccording|made|given"
    r"|found|coined|pioneered|extended|advanced|demonstrated|studied|argued|contribution) (?:by|from|to) "
)
_GLUED = re.compile(rf"\b([{UPPER}][a-zß-ÿ]{{2,}})(?:19|20)\d\d[a-z]?\b")
_TEAM = re.compile(
    rf"({NAME})(?:[’']s?)? (?:research )?(?:team|group|lab|laboratory|school|camp"
    r"|papers?|article|study|thesis|survey|monograph|book)\b"
)
_AS = re.compile(
    rf"(?<!uch )\b[Aa]s ({NAME}) (?:\w+s|did|had|has|put|said|saw) (?:it|that|this|so|them|of)\b"
)
_HUMAN = re.compile(
    rf"({NAME})(?:, (?:who|whose|himself|herself|for one)\b| (?:was|were|is) (?:among |one of )?the first\b|[’']s(?=[.,;)])"
    r"|[’']s (?:[\w-]+ )?(?:view|opinion|claim|argument|critique|account|remark|observation|suggestion|dictum"
    r"|assertion|warning|contribution|position|reading|finding|experiment|objection|reply|lecture|essay|chapter)s?\b)"
)
_CALLED = re.compile(
    r"\b(?:economist|philosopher|linguist|psychologist|physicist|mathematician|statistician|biologist|historian"
    r"|chemist|sociologist|scholar|researcher|scientist|author|pioneer|laureate|engineer|inventor|founder|colleague"
    rf"|student|late)s? ({NAME})"
)
_PAIR = re.compile(
    rf"{NAME}(?:, {NAME})*(?:,? (?:and|&) |[ ;/] ?){NAME}"
    r"(?![\w’'-])(?! (?:are|is) (?:the|an?|both|two)\b(?! (?:first|authors)\b))"  # said of things
)
_SAYS = re.compile(
    rf"({NAME}) (?:(?:also|first|further|later|then|have|has|once|even|\w+ly) ){{0,2}}(?:{_SAYING})\b"
)
_OWNS = re.compile(  # "Dijkstra's algorithm" is a name of its own
    rf"({NAME})[’']s? (?!(?:algorithm|theorem)\b)(?:\w+ ){{0,2}}{_WORKS}\b"
)
_OWING = (
    r"(?:by|after|than|against|la|since|follow(?:s|ed)?|notably|[Ff]or|To|[Pp]ace|consult|recall|so"
    r"|(?:back|credited|attributed|ow(?:ed|es?)|much|due|refers?|referred|thanks|contrast|contrary|similar|close|traced?"
    r"|indebted) to|(?:differs?|stems?|comes?|borrow(?:s|ed)?|starting|departs?|taken|adapted|originates?) from"
    r"|(?:that|those|ideas?|view|words|sense|spirit|style|tradition|manner|footsteps|lead) of"
    r"|(?:began|starts?|started|originated|agrees?|along) with|(?:buil[dt]s?|[Bb]uilding|improves?|draws?|rests?|relies)"
    r" (?:up)?on)"
)
_CREDITED = re.compile(  # nothing is called after the name, so that it is no method's
    rf"\b{_OWING} ({NAME})(?=[.,;:)]|$| (?:in|at|on|for|and|who|whose|as|is|was|has|had)\b)"
)
_INSIDE = re.compile(
    rf"\((?:(?!e\.g|i\.e|such|like|with|using|on|from)[a-z]+[.:]? ){{0,3}}({NAME})(?:,? (?:and|&) {NAME})?(?: \d{{1,2}}[a-z]?)?\)"
)
_OWED = re.compile(
    rf"\b(?:{_BY}|[Ff]ollowing |[Uu]nlike |[Ll]ike |[Aa]s in |[Pp]er |[Aa]fter "
    r"|(?:[Ss]ee|cite|[Cc]f\.?|cited (?:in|by))[:,]? (?:e\.g\.,? )?"
    rf"|{_WORKS} (?:of|around) (?={NAME}(?![\w’'-]| [{UPPER}])))({NAME})"
)
_PEOPLE = (_SAYS, _OWNS, _OWED, _CREDITED, _INSIDE, _TEAM, _AS, _HUMAN, _CALLED, _GLUED)
_NEAR = 60  # characters between a person and a year


def cites_by_hand(text: str, names: Names) -> bool:
    """True where the text names a source itself."""
    text = without_things(text, names.surnames)
    seen = visible(text)
    marks = (_NUMBERED, _BRACKETED, _KEY, _TITLED)
    return (
        any(p.search(form) for form in (text, seen) for p in marks)
        or any((m[1] or m[2]).casefold() not in names.vocabulary for m in _CODED.finditer(seen))
        or is_marked(text)
        or is_marked(seen)
        or ("(1)" not in seen and bool(_BARE_NUMBER.search(seen)))
        or _dated(seen, names)
        or _spoken(seen, names)
        or names_strangers(seen, names)
    )


def _dated(text: str, names: Names) -> bool:
    """A year behind a name, or a person anywhere near a year."""
    if any(_source_like(m[1], names) for m in _YEAR_AFTER.finditer(text)):
        return True
    if any(_is_plain(m[1], names) for p in (_BARE_YEAR, _LOWER) for m in p.finditer(text)):
        return True
    inside = [m[1] for m in _IN_PARENTHESES.finditer(text)]
    if any(_source_like(m[0], names, part[m.end() :]) for part in inside for m in _WORD.finditer(part)):
        return True
    beside = [m[1] for part in inside for m in _BEFORE_YEAR.finditer(part)]
    if any(name.casefold() not in names.vocabulary for name in (*beside, *_SHOUTED.findall(text))):
        return True
    years = [m.start() for p in (_A_YEAR, _DECADE) for m in p.finditer(text)]
    people = (m for m in _WORD.finditer(text) if years and _counts(m, text) and names.is_person(m[0]))
    return any(min(abs(year - m.start()), abs(year - m.end())) <= _NEAR for m in people for year in years)


def _source_like(name: str, names: Names, after: str = "") -> bool:
    """Beside a year a name need not be rare; only those of data sets, events and months are let pass, and
    what is well known where something else stands between it and the year."""
    words = words_of(name)
    last = words[-1] if words else ""
    if last in WELL_KNOWN - names.surnames and after and not re.match(rf",? ?{_YEAR}", after):
        return False
    if last in names.surnames:
        return True
    return bool(last) and last not in NO_PERSON and is_cased(name) and not names.is_term(last)


def _is_plain(word: str, names: Names) -> bool:
    """Not the name of a data set or an event, behind which a year may stand."""
    bare = word.strip("([“”\"',;:")
    return (
        bare[1:] == bare[1:].lower()
        and bare.isalpha()
        and bare.casefold() not in names.vocabulary | NO_PERSON
    )


def _is_known(name: str, names: Names) -> bool:
    return not WELL_KNOWN.isdisjoint(words_of(name)[-1:]) and not names.is_author(name)


def _has_company(match: re.Match[str], names: Names) -> bool:
    """Somebody and colleagues; a thing may stand before what is done with "the others" of its kind."""
    name = match[1] or match[2] or match[3]
    return not _is_known(name, names) and (not match[0].endswith("the others") or names.is_person(name))


def _is_eponym(name: str, names: Names) -> bool:
    return not EPONYMS.isdisjoint(words_of(re.sub(r"[’']s?$", "", name))[-1:]) and not names.is_author(name)


def _counts(match: re.Match[str], text: str) -> bool:
    """The first word is capitalised whatever it is: it counts where a year or a verb of saying follows."""
    return match.start() > 0 or bool(
        _SAYS.match(text) or re.match(rf",? (?:in )?{_YEAR}", text[match.end() :])
    )


def _spoken(text: str, names: Names) -> bool:
    """A person who says, owns or is credited, without any year; an author of the papers at hand anywhere."""
    if any(_has_company(m, names) for m in _COMPANY.finditer(text)):
        return True
    said = (m[1] for p in _PEOPLE for m in p.finditer(text) if p is not _OWNS or not _is_eponym(m[1], names))
    alone = (m[0] for m in _INITIALLED.finditer(text))
    if any(names.is_person(name) for found in (said, alone) for name in found):
        return True
    if any(label.casefold() not in names.vocabulary for label in _LABEL.findall(text)):
        return True
    if any(names.is_author(m[0]) for m in _WORD.finditer(text)):
        return True
    nouns = has_cased_nouns(names.tongue) and is_in(text, names.tongue)  # "Neuronale Netze" are no two people
    pairs = (m[0] for m in _PAIR.finditer(text) if not nouns or re.search(r" and |[&;/,]", m[0]))
    return any(sum(map(names.is_person, _WORD.findall(pair))) > 1 for pair in pairs)
