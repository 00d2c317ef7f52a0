"""Marks of a citation that need no name: numbers, keys, Latin, pages, titles, and papers told by their year."""

from __future__ import annotations

import re

YEAR = r"(?:1[89]|20)\d\d(?:[a-h](?:,\s?[a-h])*)?(?![\d.%-]*\d)"
_PAPERS = (  # what is cited, in the words for it
    r"(?:papers?|articles?|stud(?:y|ies)|works?|surveys?|reports?|books?|monographs?|textbooks?|thes[ie]s"
    r"|dissertations?|preprints?|publications?|chapters?|essays?|reviews?|manuscripts?)"
)
_ONE_PAPER = (
    r"(?:papers?|article|study|studies|work|survey|report|book|monograph|textbook|thesis|dissertation|preprint|chapter"
    r"|essay|review|manuscript)"
)
_SOURCE = r"(?:references?|citations?|passages?|excerpts?|evidence|sources?|footnotes?|endnotes?|bibliograph(?:y|ies))"
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|last|\d{1,3}(?:st|nd|rd|th))"
_PLACES = r"\d{1,3}[a-z]?(?:\s?[,;–-]\s?\d{1,3}[a-z]?)*"

_NUMBERS = re.compile(
    rf"\b(?:{_PAPERS}|literature|research|authors?|evidence|proofs?|findings|see|cf\.?|in|by|of|from) \({_PLACES}\)(?=[.,;]| [a-z])"
    rf"|\[ ?{_PLACES}[,;:] [^\]]*[a-z][^\]]*\]|\[ ?{_PLACES} ?\]\s?[–-]\s?\["
    r"|(?<!\bfig)(?<!\btab)(?<!\bsec)(?<!\bapp)(?<!\beqn)(?<!\balg)(?<!\bthm)(?<!\bdef)(?<!\bvol)(?<!\bref)"
    r"(?<=[a-z]{3})[.,]\d{1,2}(?:[,–-]\d{1,2})*(?=\s|\.?$)"
    r"|\b[a-z]{3,} \(\d{1,3}(?:(?:[,;] ?|[–-])\d{1,3})+\)[.,;]|\((?:Name|Names|Authors?), (?:Date|Year)\)|\[authors?\]|\(X{3,}\)"
    r"|\b(?:reviewed|surveyed|shown|described|reported|discussed|proved|proven|found|given|see) (?:also |in |by |elsewhere )*"
    r"\d{1,3}(?:,? (?:and )?\d{1,3})*[.;)]"
    rf"|\b(?:nos?\.|numbers?|entr(?:y|ies)|items?) \[?\d{{1,3}}\]? (?:in|of|on) the {_SOURCE}"
    rf"|\b{_SOURCE} (?:nos?\.|numbers?) ?\d|\b{_ORDINAL} (?:reference|citation|footnote)\b|\b(?:fn|nn?)\. ?\d{{1,3}}\b"
    r"|\breference list\b|\breferences? (?:therein|there|cited)\b|\bworks? cited\b(?! (?:here|above|so far|in this))|\bcitations? omitted\b"
    r"|(?<=[A-Za-z]{2})[.,]?[⁰¹⁴-⁹][⁰¹²³⁴-⁹]*(?![⁺⁻\w])|[【〔⟦⟨‹〈《]\s*\d[^】〕⟧⟩›〉》]{0,40}[】〕⟧⟩›〉》]|<\d{1,3}>"
    r"|(?<=[a-z]{3})[⁰¹²³⁴-⁹]+⁻[⁰¹²³⁴-⁹]+|(?<=[a-z]{3}) [⁰¹²³⁴-⁹]+(?![⁺⁻\w])|\[[ivx]{2,5}\]|\(#\d"
    rf"|[(\[](?:source|citation|cite|ref|reference|{_PAPERS})s?(?:[:;,]? [^()\[\]]*)?[)\]]",
    re.IGNORECASE,
)
_VENUE = re.compile(  # (NeurIPS 2019), (ICLR'19); what data sets come from is none: CoNLL, WMT, TREC
    r"\((?:[^()]*[,;] |(?:at|in|see|proc\.?) )?(?:NeurIPS|NIPS|ICML|ICLR|[NE]?A?ACL|EMNLP|COLING|TACL|JMLR|TMLR|CVPR|[IE]CCV|WACV|BMVC|AAAI"
    r"|IJCAI|AISTATS|UAI|COLT|CoRL|CoLM|SIGIR|CIKM|ECIR|WSDM|KDD|VLDB|SIGMOD|SIGGRAPH|Interspeech|ICASSP|ICRA|IROS"
    r"|CHI|UIST|STOC|FOCS|SODA|OSDI|SOSP|NSDI|USENIX|PLDI|POPL|ICSE|TPAMI|arXiv|bioRxiv|medRxiv|SSRN),?"
    rf" ?(?:{YEAR}|['’]\d\d)[^()]*\)",
    re.IGNORECASE,
)
_PAGES = re.compile(
    r"\b(?:pp\.? ?\d|p\. ?\d|vol(?:ume|\.) ?\d|ch(?:ap|apter|\.)? ?\d+ of\b)|\b(?:Proc\.|Proceedings of|Trans\.|Journal of)"
)
_LATIN = re.compile(
    r"\bet\.? ?al(?:\b|ii\b|ia\b)|\bet l\.|& coll\b|\b(?:ib|ebd)\.|\(id\.|\b(?:ibid(?:em)?|ebenda|op\.? ?cit|loc\.? ?cit|a\. ?a\. ?O|id\. at|idem|vide|vgl\.|apud|supra|infra|passim)\b|& al\b"
    r"|\bet coll\b|\b(?:und|et|y) (?:andere|autres|otros|Mitarbeiter)\b|等",
    re.IGNORECASE,
)
_UNPUBLISHED = re.compile(
    r"\([^()]*\b(?:in press|in revision|(?<=, )(?:preprint|manuscript|working paper|thesis)|forthcoming|to appear|in prep(?:aration|\.)?|unpublished(?: \w+)?|under review|in review"
    r"|submitted|accepted|pers(?:onal|\.) comm(?:unication|\.)|forthc\.?|pers(?:onal|\.) (?:e-?mail|obs(?:\.|ervation)|letter)|data not shown|n\. ?d\.|no date|undated|in print|mimeo)\.?"
    r"(?:, [^()]*)?\)",
    re.IGNORECASE,
)
_TOLD_BY_YEAR = re.compile(
    rf"\b{YEAR}(?:[’']s)? (?:[\w-]+ )?(?:submission|poster)\b|\b{YEAR}(?:[’']s)? (?!(?:most|much|many|all|such|prior|several|some|few) )(?:[\w-]+ ){{0,3}}{_ONE_PAPER}\b"
    rf"|\b{_ONE_PAPER}(?: \w+)? (?:from|of|in|dated|published in|written in|at)(?: [^\W\d]\w*){{0,2}} {YEAR}\b(?! (?:to|and|through|until|onwards?)\b)"
    rf"|\b(?:{YEAR} authors|authors (?:of|from|in) {YEAR})\b|\([^()\d]*[a-zß-ÿ]\. ?{YEAR}|\b(?!c\.)[a-z]{{2,}}\. ?\({YEAR}\)"
    rf"|\b(?:(?:[Pp]ublished|[Ww]ritten) in|(?:[Aa]ppeared|[Pp]resented|[Pp]ublished) at) (?:the )?(?:[A-Z][\w-]* )*{YEAR}\b"
    rf"|\([^()]*[^\W\d_]\.?[,;] (?:{YEAR})(?:[,;:] ?[^()]*)?\)"
)
_OF_A_PERSON = re.compile(
    rf"\b(?:his|her) (?:[\w-]+ ){{0,2}}{_PAPERS}\b",
    re.IGNORECASE,
)
_BRACKETED_YEAR = re.compile(r"\[[^\]\[]*(?:19|20)\d\d[a-z]?(?:[,;: ][^\]]*)?\]")
_BY_TITLE = re.compile(
    rf"\b{_PAPERS},? (?:(?:titled|entitled|called|named) (?!here\b|above\b)|[“\"‘])|\b(?:titled?|entitled|heading) [“\"‘]",
    re.IGNORECASE,
)
_NUMBER = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|oh)"
)
_SPOKEN_YEAR = (  # "nineteen ninety-three", "twenty twenty", "two thousand and nine"
    rf"(?:(?:eighteen|nineteen|twenty)[ -](?:hundred(?: and)?[ -])?{_NUMBER}(?:[ -]{_NUMBER})?"
    rf"|two thousand(?: and)?(?:[ -]{_NUMBER}){{1,2}})"
)
_TOLD_BY_SPOKEN_YEAR = re.compile(
    rf"\b(?:from|of|in|dated|since|by|until|back to) {_SPOKEN_YEAR}\b(?! (?:papers|\w+s)\b)"
    rf"|\b{_SPOKEN_YEAR} (?:[\w-]+ ){{0,3}}{_ONE_PAPER}\b|[(,] ?{_SPOKEN_YEAR}[a-z]?\)",
    re.IGNORECASE,
)
_OF_A_DEGREE = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Oo]ne|[Hh]is|[Hh]er|[Tt]heir|unpublished|same|recent|\() ?(?:\w+ )?(?:Ph\.?\s?D\.?|doctoral|[Mm]aster[’']?s|M\.?Sc\.?"
    r"|M\.?A\.?|[Bb]achelor[’']?s|B\.?Sc\.?|habilitation|diploma) ?(?:thesis|theses|dissertation|work)\b"
    r"|\((?:[^()]*[,;] )?(?:(?:Ph\.?\s?D\.?|M\.?Sc\.?|[\w’']+) )?(?:[Dd]iss(?:ertation|\.)|[Tt]hes[ie]s|[Hh]abilitation)\b[^()]*\)|\b[Hh]abilitation(?:sschrift| thesis)?\b"
)
_PLACE = re.compile(  # volume and pages, numbers of sections, and of footnotes
    r"\b\d{1,4}(?:\s?\(\d{1,3}\))?\s?:\s?\d{1,5}\s?[–-]\s?\d{1,5}\b|\([A-Z][A-Za-z. ]{2,40} \d{1,4}, ?\d{1,5}\)|\(\d{1,3}\)\(\d{1,3}\)"
    r"|[«‹]\s?\w{1,3}\s?[»›]|[a-z]{3} ?§ ?\d|[a-z]{3}[.,]?\s?(?:\*{1,3}|[‡†§¶#])[\s.]*$|\w ?\[[a-z*+†‡§#]{1,2}\](?=\s*(?:$|[.,;]))"
    r"|\b(?:reference|ref|note|source|citation)s?\.? [\[(]\w{1,3}[\])]|\((?:see )?(?:[Nn]os?\.|[Nn]rs?\.|№) ?\d"
    r"|\b(?:entry|item|number|line) (?:\w+ )?(?:of|in|on) the (?:bibliography|references|reference list|literature)\b"
    r"|\b(?:the|this|that|see) (?:cited|quoted|referenced|aforecited|above-cited) (?:work|paper|source|study|article|reference)s?\b"
    r"|\((?:see |cf\.? )?(?:the )?(?:sources?|bibliography|references?|citations?|literature|(?:foot|end)?notes?)\)"
    r"|\b(?:see|cf\.?|in) (?:foot|end)?notes? \d|\[\d{1,3}/\d{1,3}\]|\(\d{1,3}: ?\d{1,4}\)|[a-z]{3} \d{1,3}(?:,\d{1,3})+\.?$|[①-⓿]|[a-z] [₀-₉]+"
    r"|\((?:[^()]* )?(?:Journal|Trans|Proc|Commun|Lett|Rev|Ann|Bull|J|Adv)\b\.?[^()]*,? \d{1,4}\)"
)
_AT_A_VENUE = (
    r"(?:NeurIPS|NIPS|ICML|ICLR|[NE]?A?ACL|EMNLP|COLING|TACL|JMLR|TMLR|CVPR|[IE]CCV|WACV|BMVC|AAAI|IJCAI|AISTATS|UAI|COLT"
    r"|CoRL|SIGIR|CIKM|ECIR|WSDM|KDD|VLDB|SIGMOD|SIGGRAPH|Interspeech|ICASSP|ICRA|IROS|CHI|UIST|STOC|FOCS|SODA|OSDI|SOSP"
    r"|NSDI|USENIX|PLDI|POPL|ICSE|TPAMI|PAMI|Nature|PNAS|CACM|JACM|arXiv)"
)
_PAPER_OF_A_VENUE = re.compile(
    rf"\b{_AT_A_VENUE}(?: {YEAR}| ?['’]\d\d)? (?:[\w-]+ ){{0,2}}(?:paper|article|submission|preprint|poster|publication|keynote|tutorial)\b"
    rf"|\b(?:paper|article|submission|study|work|poster)\b[^.;]{{0,40}}\b(?:in|at|of|from) {_AT_A_VENUE}\b|\b(?:in|at) {_AT_A_VENUE} (?:in )?{YEAR}"
)
_TITLE = re.compile(  # of a work, between marks or not: capitals word by word
    r"[“\"‘«](?:[A-Z][\w’'-]*[:,]? (?:(?:of|the|a|an|and|for|in|on|to|is|are|with|from|by|as|or|at|via) )*){2,}[A-Z][\w’'-]*[?!.,]?[”\"’»]"
    rf"|\b{_ONE_PAPER},? [“\"‘]?(?:[A-Z][\w’'-]+[:,]? (?:(?:of|the|a|an|and|for|in|on|to|is|are) )*){{2,}}[A-Z][\w’'-]+"
)
_KEY = re.compile(
    r"(?<![\w.])@\w|[(\[][A-Z][a-z]{2}\d\d[a-z]?[)\];,]|[(\[][A-Za-z]{4,}[-_:]?(?:19|20)\d\d[a-z]?[)\];,]|\b[A-Z][A-Za-z]{0,5}\+\d\d[a-z]?\b"
    r"|[(\[](?:[A-Z][a-z]{3,}:\d\d|[a-z]{4,}\d\d[a-z]{3,})[)\]]|\bcite(?:p|t|alp?|author|year)?\s?[\[(:]"
)
_MARKS = (
    _NUMBERS, _VENUE, _PAGES, _LATIN, _UNPUBLISHED, _TOLD_BY_YEAR, _OF_A_PERSON, _BRACKETED_YEAR, _BY_TITLE, _KEY,
    _TOLD_BY_SPOKEN_YEAR, _OF_A_DEGREE, _PLACE, _PAPER_OF_A_VENUE, _TITLE,
)  # fmt: skip


def is_marked(text: str) -> bool:
    return any(mark.search(text) for mark in _MARKS)
