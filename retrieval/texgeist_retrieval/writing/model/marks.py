"""Detects citations that the model wrote by hand and without an author's name: numbers, keys, Latin
abbreviations, pages, words for sources, and papers named by their year."""

from __future__ import annotations

import re

YEAR = r"(?:1[89]|20)\d\d(?:[a-h](?:,\s?[a-h])*)?(?![\d.%-]*\d)"
DOCUMENT = (
    r"(?:papers?|articles?|stud(?:y|ies)|works?|surveys?|reports?|books?|monographs?|textbooks?|thes[ie]s|dissertations?"
    r"|preprints?|publications?|chapters?|essays?|reviews?|manuscripts?|submissions?|posters?)"
)
_ONE = r"(?:papers?|article|study|work|survey|report|(?:text)?book|monograph|thesis|dissertation|preprint|chapter|essay|review)"
_SOURCE = r"(?:references?|refs?\.?|citations?|cite[ds]?|passages?|excerpts?|evidence|sources?|(?:foot|end)notes?|entry)"
_LIST = r"\d{1,3}[a-z]?(?:\s?(?:[,;–-]|and|&)\s?\d{1,3}[a-z]?)*"
_BRACKETED = re.compile(  # except the intervals [0, 1] and [-1, 1], and the token [CLS]
    rf"\[(?![^\]]*(?:\b0\b|\d\.\d)|[-−]\d)[\s,;#]*(?:(?:and|see|also|cf\.?|e\.g\.|{_SOURCE})[\s,;:]+)*[A-Z]{{0,2}}\d{{1,3}}[a-z]?\b[^\]]*\]"
    rf"|\[[^\]\[]*\b(?:(?:19|20)\d\d|et al)[^\]\[]*\]|\[(?:[a-z*+†‡§#?]{{1,2}}|\?+|[ivx]{{2,5}}|[XYN]+|authors?|[A-Z][a-z]+\+?\d\d[a-z]?)\]"
    r"|[【〔⟦⟨‹〈《«<]\s*\d{1,3}\b[^】〕⟧⟩›〉》»>]{0,40}[】〕⟧⟩›〉》»>]",
)
_INTERVAL = re.compile(  # [1, 5] and (1, 512) if the text calls them an interval or a list
    r"\b(?:interval|range|lies?|lying|values?|scores?|ratings?|between|list|array|vector|sequence|tuple|index|codes?)\b"
    r"[^.;()\[\]]{0,16}?[\[(](?:-?\d+(?:\.\d+)?(?:, ?-?\d+(?:\.\d+)?)+|[a-z])[\])]",
    re.IGNORECASE,
)
_ENUMERATED = re.compile(r"\(\d\)")
_IN_PARENTHESES = re.compile(
    rf"\b(?!eq|fig|sec|tab|step|problem|case|condition)[a-z]{{3,}} \((?!1\)){_LIST}\)(?= [a-z]|[.,;]|$)|\(\d{{1,3}}\)\(\d|\(#\d"
    rf"|[(\[](?:see |cf\.? )?(?:the )?(?:{_SOURCE}|{DOCUMENT}|bibliography|literature|[Nn][or]s?\.|№)(?:[:;,.]? ?(?:id )?(?:needed|\w{{0,2}}\d+\w?|[A-Z]|\([a-z]\)|\[\w\]))?[)\]]"
    r"|\(ids? \d|\((?:names?|authors?), (?:date|year)\)|\(X{3,}\)|\(id\.|\bauthors?, ?(?:year|date)\b",
    re.IGNORECASE,
)
_RAISED = re.compile(
    r"(?:\b(?!log|sin|cos|tan|exp)[a-z]{3,}[.,]?|[a-z]{3} )(?:[⁰¹²³⁴-⁹]+(?![⁺\w])|[₀-₉]{2,}|\^\s?\[?\d)|[†‡①-⓿]|[a-z] [₀-₉]+"
    r"|(?<!\bfig)(?<!\btab)(?<!\bsec)(?<!\bapp)(?<!\beqn)(?<!\balg)(?<!\bvol)(?<!\bref)(?<=[a-z]{3})[.,]\d{1,2}(?:[,–-]\d{1,2})*(?=\s|\.?$)"
    r"|[a-z]{3} ?§ ?\d|[a-z]{3}[.,]?\s?(?:\*{1,3}|[§¶#])[\s.]*$|(?<![\w#])#\d{1,3}(?=[.,;:)]|$)",
    re.IGNORECASE,
)
_OF_SOURCES = re.compile(  # words for citations, followed by a number
    rf"\b{_SOURCE}\s?[\[(]?(?:[A-Z]?\d{{1,2}}[a-z]?\b(?!\.\d| (?:of|per)\b)|[\[(]\w[\])])|\b(?:fn|nn?|nos?|notes?)\.? ?\d{{1,3}}\b(?=[).;,]|$)"
    rf"|\bpapers? (?:[PE]\d+|\[?\d{{1,3}}\]?(?= |[,.;])(?! (?:from|in|on|papers|of|that|were|are|studies)\b))"
    r"|\b(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf)th|last|\d(?:st|nd|rd|th)) (?:reference|citation|footnote)\b"
    r"|\b(?:reviewed|surveyed|shown|described|reported|discussed|proved|proven|found|given|see) (?:also |in |by |elsewhere )*"
    r"\d{1,3}(?:,? (?:and )?\d{1,3})*[.;)]|\breference list\b|\breferences? (?:therein|there|cited)\b|\bcitations? omitted\b"
    r"|\b(?:entry|item|number|line) (?:\w+ )?(?:of|in|on) the (?:bibliography|references|reference list|literature)\b"
    r"|\bworks? cited\b(?! (?:here|above|so far|in this))|\b(?:the|this|that|see) (?:the )?(?:cited|quoted|above-cited) (?:work|paper|source|study|article)s?\b",
    re.IGNORECASE,
)
_PAGES = re.compile(
    r"\b(?:pp\.? ?\d|p\. ?\d|vol(?:ume|\.) ?\d|ch(?:ap|apter|\.)? ?\d+ of\b|Proc\.|Proceedings of|Trans\.|Journal of)"
    r"|\b\d{1,4}(?:\s?\(\d{1,3}\))?\s?:\s?\d{1,5}\s?[–-]\s?\d{1,5}\b|\(\d{1,3}: ?\d{1,4}\)|\([A-Z][A-Za-z. ]{2,40} \d{1,3}(?:, ?\d{1,5})?\)"
)
_LATIN = re.compile(
    r"\bet\.? ?al(?:\b|ii\b|ia\b)|& (?:al|coll)\b|\(?\b(?:ib|ebd)\.|\b(?:ibid(?:em)?|ebenda|op\.? ?cit|loc\.? ?cit|a\. ?a\. ?O"
    r"|idem|vide|vgl\.|apud|supra|infra|passim)\b|等",
    re.IGNORECASE,
)
_UNPUBLISHED = re.compile(
    r"\([^()]*\b(?:in press|in revision|(?<=, )(?:preprint|manuscript|working paper|thesis)|forthcoming|to appear|unpublished"
    r"|under review|in review|submitted|accepted|pers(?:onal|\.) (?:comm|e-?mail|obs|letter)\w*|data not shown|n\. ?d\.|no date"
    r"|undated|in print)\.?(?:, [^()]*)?\)",
    re.IGNORECASE,
)
_BY_YEAR = re.compile(
    rf"\b{YEAR}(?:[’']s)? (?!(?:most|much|many|all|such|prior|several|some|few) )(?:[\w-]+ ){{0,3}}{_ONE}\b"
    rf"|\b{_ONE}(?: \w+)? (?:from|of|in|dated|published in|written in|at)(?: [^\W\d]\w*){{0,2}} {YEAR}\b(?! (?:to|and|through|until|onwards?)\b)"
    rf"|\b(?:{YEAR} authors|authors (?:of|from|in) {YEAR})\b|\([^()]*[^\W\d_]\.?[,;] {YEAR}(?:[,;:] ?[^()]*)?\)"
)
_NUMBER_WORD = r"(?:hundred|and|oh|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|(?:thir|four|fif|six|seven|eigh|nine)teen|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_BY_SPOKEN_YEAR = re.compile(  # "nineteen ninety-three", "two thousand and nine"
    rf"\b(?:(?:eighteen|nineteen|twenty)(?:[ -]{_NUMBER_WORD})+|two thousand(?:[ -]{_NUMBER_WORD})+)(?= (?:[\w-]+ ){{0,2}}{_ONE}\b)"
    rf"|\b(?:from|of|in|dated|since|by|until|back to) (?:(?:eighteen|nineteen|twenty)|two thousand)(?:[ -]{_NUMBER_WORD})+\b(?! (?:papers|\w+s)\b)",
    re.IGNORECASE,
)
_OF_A_PERSON = re.compile(
    rf"\b(?:his|her) (?:[\w-]+ ){{0,2}}{DOCUMENT}\b|\b(?:an?|the|one|his|her|unpublished|recent) (?:\w+ )?(?:Ph\.?\s?D\.?|doctoral|master[’']?s"
    rf"|M\.?Sc\.?|bachelor[’']?s|B\.?Sc\.?|habilitation) ?(?:thesis|theses|dissertation|work)\b|\bpersonal communication\b",
    re.IGNORECASE,
)
_TITLE = re.compile(  # a capitalised title after a word such as "paper"
    rf"\b{DOCUMENT},? (?:called |named )?[“\"‘«]?(?:[A-Z][\w’'-]+[:,]? (?:[a-z]{{1,4}} )*){{2,}}[A-Z][\w’'-]+"
    r"|\b(?:titled|entitled) [“\"‘«A-Z]"
)
_KEY = re.compile(
    r"\bm(?:cm|m)[cxlvi]+\b|(?<!\w)['’]\d\d\b|(?<![\w.])@\w|\bcite(?:p|t|alp?|author|year)?\s?[\[(:]|\b[a-z]{3,}[_:-]?(?:19|20)\d\d[_:-]?[a-z]*\b"
)
_MARKS = (
    _BRACKETED, _IN_PARENTHESES, _RAISED, _OF_SOURCES, _PAGES, _LATIN, _UNPUBLISHED, _BY_YEAR, _BY_SPOKEN_YEAR,
    _OF_A_PERSON, _TITLE, _KEY,
)  # fmt: skip


def is_marked(text: str) -> bool:
    text = _INTERVAL.sub(" so ", text)
    text = _ENUMERATED.sub("so", text) if "(1) " in text else text
    return any(mark.search(text) for mark in _MARKS)
