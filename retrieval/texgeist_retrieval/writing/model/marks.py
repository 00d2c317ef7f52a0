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
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,3}(?:st|nd|rd|th))"
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
    r"|\breference list\b|\breferences? (?:therein|there|cited)\b|\bworks? cited\b|\bcitations? omitted\b"
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
    r"\bet\.? ?al(?:\b|ii\b|ia\b)|\b(?:ibid(?:em)?|op\. ?cit|loc\. ?cit|id\. at|idem|vide|vgl\.|apud|supra|infra|passim)\b|& al\b"
    r"|\bet coll\b|\b(?:und|et|y) (?:andere|autres|otros|Mitarbeiter)\b|等",
    re.IGNORECASE,
)
_UNPUBLISHED = re.compile(
    r"\([^()]*\b(?:in press|in revision|(?<=, )(?:preprint|manuscript|working paper|thesis)|forthcoming|to appear|in prep(?:aration|\.)?|unpublished(?: \w+)?|under review|in review"
    r"|submitted|accepted|pers(?:onal|\.) comm(?:unication|\.)|n\. ?d\.|no date|undated|in print|mimeo)\.?"
    r"(?:, [^()]*)?\)",
    re.IGNORECASE,
)
_TOLD_BY_YEAR = re.compile(
    rf"\b{YEAR}(?:[’']s)? (?!(?:most|much|many|all|such|prior|several|some|few) )(?:[\w-]+ ){{0,3}}{_ONE_PAPER}\b"
    rf"|\b{_ONE_PAPER}(?: \w+)? (?:from|of|in|dated|published in|written in|at)(?: [^\W\d]\w*){{0,2}} {YEAR}\b(?! (?:to|and|through|until|onwards?)\b)"
    rf"|\b(?:(?:[Pp]ublished|[Ww]ritten) in|(?:[Aa]ppeared|[Pp]resented|[Pp]ublished) at) (?:the )?(?:[A-Z][\w-]* )*{YEAR}\b"
    rf"|\([^()]*[^\W\d_]\.?[,;] (?:{YEAR})(?:[,;:] ?[^()]*)?\)"
)
_OF_A_PERSON = re.compile(
    rf"\b(?:his|her) (?:[\w-]+ ){{0,2}}{_PAPERS}\b",
    re.IGNORECASE,
)
_BRACKETED_YEAR = re.compile(r"\[[^\]\[]*(?:19|20)\d\d[a-z]?(?:[,;: ][^\]]*)?\]")
_BY_TITLE = re.compile(
    rf"\b{_PAPERS},? (?:(?:titled|entitled|called|named) |[“\"‘])|\b(?:titled|entitled) [“\"‘]", re.IGNORECASE
)
_KEY = re.compile(
    r"(?<![\w.])@\w|[(\[][A-Z][a-z]{2}\d\d[a-z]?[)\];,]|[(\[][A-Za-z]{4,}[-_:]?(?:19|20)\d\d[a-z]?[)\];,]|\b[A-Z][A-Za-z]{0,5}\+\d\d[a-z]?\b"
    r"|[(\[](?:[A-Z][a-z]{3,}:\d\d|[a-z]{4,}\d\d[a-z]{3,})[)\]]|\bcite(?:p|t|alp?|author|year)?\s?[\[(:]"
)
_MARKS = (
    _NUMBERS, _VENUE, _PAGES, _LATIN, _UNPUBLISHED, _TOLD_BY_YEAR, _OF_A_PERSON, _BRACKETED_YEAR, _BY_TITLE, _KEY
)  # fmt: skip


def is_marked(text: str) -> bool:
    return any(mark.search(text) for mark in _MARKS)
