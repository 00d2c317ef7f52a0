"""Word tables: what commands show in plain text, usual titles of a paper's sections, and languages, which are
guessed from scripts and function words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from .command_names import DISPLAYED_FORMULAS

# Commands that are removed together with their groups, with the number of groups.
DROP: dict[str, int] = {
    **dict.fromkeys(
        """label vspace hspace includegraphics index glsadd footnote footnotetext thanks
    todo marginpar ref eqref pageref cref Cref autoref nameref vref Vref fref subref labelcref
    bibliography bibliographystyle pagestyle thispagestyle input include usepackage color rowcolor
    cellcolor linespread hypersetup captionsetup keywords Keywords IEEEkeywords markright
    footnotemark tikzset graphicspath includepdf printbibliography nocite vskip hskip phantom
    hphantom vphantom acresetall selectlanguage date tag enlargethispage missingfigure inst
    institute affiliation email address affil orcid altaffiliation ORCID authornote fnref corref
    titlenote bstctlcite citestyle setcitestyle titlerunning authorrunning newtheorem sidenote bibitem orcidID orcidlink tnoteref
    tnotetext cortext caption PACS subclass
    ccsdesc received setstretch pagenumbering""".split(),
        1,
    ),
    **dict.fromkeys(
        """setlength addtolength setcounter addtocounter rule fontsize markboth
    addtocontents definecolor colorlet newcommand renewcommand providecommand crefname Crefname
    captionof newcites crefrange DeclareMathOperator""".split(),
        2,
    ),
    **dict.fromkeys("addcontentsline titleformat newenvironment".split(), 3),
    # a bracket after these does not begin an option
    **dict.fromkeys(
        "left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr".split(), 0
    ),
}
# Commands that show only their last group, with the number of groups. Unknown commands show all their groups.
KEEP_LAST: dict[str, int] = {
    **dict.fromkeys("text mbox textrm intertext ensuremath makebox framebox".split(), 1),
    **dict.fromkeys(
        """href textcolor colorbox parbox raisebox scalebox foreignlanguage texorpdfstring
    stackrel overset underset rotatebox adjustbox textlang hyperlink hypertarget mintinline""".split(),
        2,
    ),
    **dict.fromkeys("multicolumn multirow resizebox fcolorbox".split(), 3),
}

# Decorated initials: their groups form a single word.
JOINED = {"IEEEPARstart": 2, "lettrine": 2, "dropcap": 1, "initial": 1}
SPACES = {
    **dict.fromkeys("quad qquad linebreak space enspace thinspace at cr hfill newpage clearpage else".split(), " "),
    **dict.fromkeys(["and", "AND", "And"], ", "), "par": "\n\n", "newline": "\n",
    "cdots": "…", "textless": "<", "textgreater": ">", "textbar": "|", "textasciicircum": "^",
    "abstractname": "Abstract", "refname": "References", "bibname": "Bibliography",
    "appendixname": "Appendix", "S": "§",
}  # fmt: skip
OPERATORS = {name: name for name in "arg det dim ker gcd Pr argmax argmin deg hom mod bmod".split()} | {
    "coloneqq": ":=", "pmod": "mod",
}  # fmt: skip

MATH_ENVIRONMENTS = frozenset(
    [
        *DISPLAYED_FORMULAS,
        *(f"{name}*" for name in DISPLAYED_FORMULAS),
        "split",
        "aligned",
        "gathered",
        "cases",
    ]
)

ABSTRACT = """abstract abstracts summary extended-abstract executive-summary résumé resumé
    resume resumen resumo riassunto sommario zusammenfassung kurzfassung kurzzusammenfassung
    samenvatting sammanfattning sammendrag resum streszczenie abstrakt souhrn anotace
    összefoglalás kivonat rezumat özet özetçe аннотация реферат резюме анотація περίληψη 摘要
    中文摘要 英文摘要 要旨 概要 要約 초록 요약 tiivistelmä povzetek sažetak abstracto laburpena""".split()
INTRODUCTION = """introduction introducción introducao introdução introduzione einleitung
    einführung inleiding introduktion inledning indledning innledning wstęp wprowadzenie úvod
    bevezetés introducere giriş введение вступ увод εισαγωγή 引言 绪论 緒論 前言 介绍 はじめに 序論
    序章 導入 서론 johdanto uvod introducció sarrera""".split()
OPENING = """motivation motivación motivação motivazione overview überblick aperçu panorama""".split()
CONCLUSION = """conclusion conclusions concluding conclusiones conclusión conclusão conclusões
    conclusioni conclusione schluss fazit schlussfolgerung zusammenfassung-und-ausblick
    schlussbetrachtung conclusie slutsats slutsatser konklusion konklusjon wnioski podsumowanie
    závěr összegzés concluzii sonuç заключение выводы висновки συμπεράσματα 结论 结语 總結 总结 結論
    おわりに まとめ 결론 johtopäätökset zaključek discussion-and-conclusion summary-and-conclusion
    summary-and-outlook outlook""".split()
# Without plurals, and besides the headings in `_TABLE`.
RELATED = """related-work related-literature related-research related-stud related-approach
    previous-work prior-work prior-art prior-research literature-review review-of-literature
    review-of-the-literature literature-survey survey-of-literature state-of-the-art state-of-art similar-work
    earlier-work existing-work existing-approach existing-literature antecedentes trabajos-previos
    trabajo-relacionado estado-del-arte estado-de-la-cuestión revisión-bibliográfica revisión-de-la-literatura
    trabalhos-correlatos trabalho-relacionado revisão-da-literatura revisão-bibliográfica estado-da-arte
    travaux-apparentés travaux-antérieurs travaux-existants état-de-l'art revue-de-littérature
    revue-de-la-littérature verwandte-arbeit sachverwandte-arbeit ähnliche-arbeiten vorarbeiten stand-der-technik
    stand-der-forschung stand-der-wissenschaft forschungsstand literaturübersicht literaturüberblick
    lavori-collegati stato-dell'arte letteratura-correlata rassegna-della-letteratura verwant-werk
    literatuuroverzicht relaterade-arbeten tidigare-forskning beslægtet-arbejde tidligere-arbeid
    litteraturoversikt litteraturgjennomgang prace-pokrewne przegląd-literatury stan-wiedzy přehled-literatury
    irodalmi-áttekintés lucrări-similare stadiul-actual literatür-taraması связанные-работы смежные-работы
    обзор-существующих похожие-работы пов'язані-роботи βιβλιογραφική-ανασκόπηση 相關工作 国内外研究现状 研究现状
    文献综述 文獻綜述 先行研究 선행-연구 estat-de-l'art""".split()
ACKNOWLEDGEMENT = """acknowledgement acknowledgements acknowledgment acknowledgments agradecimientos
    agradecimentos danksagung remerciements ringraziamenti dankwoord благодарности 致谢 致謝 謝辞
    감사의 funding tack podziękowania poděkování teşekkür""".split()
REFERENCES = """references bibliography literatur literaturverzeichnis bibliografía referencias
    bibliografia referências bibliographie références riferimenti литература библиография 参考文献
    參考文獻 참고문헌 works-cited список-литературы""".split()
APPENDIX = """appendix appendices anhang apéndice apéndices anexo anexos apêndice annexe
    annexes appendice appendici bijlage bilaga bilag приложение приложения 附录 附錄 付録 부록
    supplementary supplement supplemental dodatek příloha""".split()

_NUMBERING = re.compile(r"^(?:(?:chapter|section|kapitel|глава|\d+(?:\.\d+)*|[ivx]+)[.:)]?\s+)", re.I)
_NOT_WORDS = re.compile(r"[^\w']+")


def normal(title: str) -> str:
    """A heading for comparison: lower case, words joined by hyphens, no numbering."""
    title = unicodedata.normalize("NFC", title).strip().replace("’", "'").lower().replace("i\u0307", "i")
    title = _NUMBERING.sub("", title)
    return _NOT_WORDS.sub("-", title).strip("-")


def _pattern(words: list[str], end: str = "(?:-|$)") -> re.Pattern[str]:
    every = sorted({unicodedata.normalize("NFC", w) for w in words}, key=len, reverse=True)
    plain = "|".join(re.escape(w) for w in every if ord(w[0]) < 0x2E80)
    cjk = "|".join(re.escape(w) for w in every if ord(w[0]) >= 0x2E80)
    return re.compile(rf"(?:^|-)(?:{plain}){end}" + (rf"|(?:{cjk})" if cjk else ""))


_ABSTRACT = re.compile("^(?:the-)?(?:" + "|".join(re.escape(w) for w in ABSTRACT) + ")$")
_STARTS_INTRODUCTION = _pattern(INTRODUCTION)
_OPENS = _pattern(OPENING)
_CONCLUSION = _pattern(CONCLUSION)
_ACKNOWLEDGEMENT = re.compile("^(?:" + "|".join(map(re.escape, ACKNOWLEDGEMENT)) + ")(?:-|$)")
_THANKS = re.compile(r"\W*(?i:acknowledge?ments?)\s*(?:[.:–—]|(?<=\s)(?=(?:We|The|This|I|Our)\b))")
_REFERENCES = re.compile("^(?:" + "|".join(map(re.escape, REFERENCES)) + ")$")
_APPENDIX = re.compile("^(?:" + "|".join(map(re.escape, APPENDIX)) + ")(?:-|$|[a-z]$)")


def is_abstract(title: str) -> bool:
    return bool(_ABSTRACT.search(normal(title)))


def is_abstract_environment(name: str) -> bool:
    lowered = name.lower().strip("*")
    return "abstract" in lowered or "摘要" in lowered or lowered in ABSTRACT


def is_introduction(title: str) -> bool:
    return bool(_STARTS_INTRODUCTION.search(normal(title)))


def is_opening(title: str) -> bool:
    """Whether a first section with this title is an introduction."""
    return is_introduction(title) or bool(_OPENS.search(normal(title)))


def is_conclusion(title: str) -> bool:
    return bool(_CONCLUSION.search(normal(title)))


# "Comparison with the state of the art" is a section of results
_RESULTS = re.compile(
    r"compar|result|experiment|evaluat|performance|ablation|benchmark|versus|vergleich|ergebnis|vs-"
)


def is_related(title: str) -> bool:
    name = normal(title)
    return bool(_RELATED.search(name)) and ("related" in name or not _RESULTS.search(name))


def is_narrower(title: str, other: str) -> bool:
    """Whether `title` is a proper part of `other`, as “Related Work” is of “Discussion and Related Work”."""
    return normal(title) != normal(other) and normal(title) in normal(other)


def is_thanks(paragraph: str) -> bool:
    """Whether the paragraph begins with a title such as "Acknowledgements." in its first line."""
    return bool(_THANKS.match(paragraph))


def is_acknowledgement(title: str) -> bool:
    return bool(_ACKNOWLEDGEMENT.search(normal(title)))


def is_references(title: str) -> bool:
    return bool(_REFERENCES.search(normal(title)))


def is_appendix(title: str) -> bool:
    return bool(_APPENDIX.search(normal(title)))


# The ISO 639-1 code, babel's names, frequent words, the heading of a related-work section, "and", and "et al." if it is
# not Latin.
_TABLE = """
en|english american british usenglish ukenglish|the of and to in is that for with are this we by as on be which from|Related Work|and
de|german ngerman austrian naustrian|der die und das in von zu den mit ist auf für des eine nicht dem im werden|Verwandte Arbeiten|und
fr|french francais|le la les de des et en un une dans est que pour par sur qui nous du|Travaux connexes|et
es|spanish|el la los de que y en un una por con para las del se como es|Trabajos relacionados|y
pt|portuguese brazil brazilian portuges|o a os de que e em um uma por com para as do da se não como|Trabalhos relacionados|e
it|italian|il la di che e in un una per con del della sono dei alla gli come|Lavori correlati|e
nl|dutch|de het een en van in is dat op te zijn voor met die niet door|Gerelateerd werk|en
ca|catalan||Treballs relacionats|i
sv|swedish|och att det som en på är av för med den till inte ett om|Relaterat arbete|och
da|danish|og at det som en på er af for med den til ikke et om der|Relateret arbejde|og
no|norsk nynorsk||Relatert arbeid|og
fi|finnish||Aiheeseen liittyvä tutkimus|ja
pl|polish|w i na z że się do jest nie to o jak dla przez są|Powiązane prace|i
cs|czech|a v se na je že s z do o k pro jsou jako které|Související práce|a
sk|slovak||Súvisiace práce|a
hu|magyar hungarian||Kapcsolódó munkák|és
ro|romanian||Lucrări conexe|și
tr|turkish|ve bir bu için ile olarak olan da de gibi daha çok|İlgili çalışmalar|ve
ru|russian||Обзор литературы|и|и др.
uk|ukrainian||Огляд літератури|та|та ін.
el|greek||Σχετικές εργασίες|και
zh|chinese||相关工作|和|等
ja|japanese||関連研究|と
ko|korean||관련 연구|및
""".strip()


@dataclass(frozen=True, slots=True)
class Language:
    babel: tuple[str, ...]
    words: frozenset[str]
    related_work: str
    conjunction: str
    et_al: str


def _language(row: str) -> tuple[str, Language]:
    code, babel, words, heading, conjunction, et_al = [*row.split("|"), "", "", ""][:6]
    return code, Language(tuple(babel.split()), frozenset(words.split()), heading, conjunction, et_al)


_LANGUAGES = dict(map(_language, _TABLE.splitlines()))
FUNCTION_WORDS = frozenset(word for language in _LANGUAGES.values() for word in language.words)
_BY_BABEL = {name: code for code, language in _LANGUAGES.items() for name in language.babel}
_RELATED = _pattern(
    RELATED + [normal(language.related_work) for language in _LANGUAGES.values()],
    end="(?:e?s|ies|en)?(?:-|$)",
)


def language_of(code: str) -> Language:
    """The language with this code; English if it is unknown."""
    return _LANGUAGES.get(code, _LANGUAGES["en"])


def declared_language(options: str) -> str:
    """The main language in babel's options: `main=…`, else the last known language; "" if there is none."""
    given = [option.strip().lower() for option in options.split(",")]
    main = [option.removeprefix("main=").strip() for option in given if option.startswith("main=")]
    known = [_BY_BABEL[option] for option in (main or given) if option in _BY_BABEL]
    return known[-1] if known else ""


def guess_language(text: str, declared: str = "") -> str:
    """The ISO 639-1 code of the text's language; `declared` is used if the text is too short or unclear."""
    sample = text[:20_000]
    script = _script(sample)
    if script:
        return (
            declared if script == "cyrillic" and declared == "uk" else {"cyrillic": "ru"}.get(script, script)
        )
    words = re.findall(r"[^\W\d_]+", sample.lower())
    if len(words) < 12:
        return declared or "en"
    scores = {code: sum(word in each.words for word in words) for code, each in _LANGUAGES.items()}
    best = max(scores, key=lambda language: (scores[language], language == declared, language == "en"))
    return best if scores[best] * 12 >= len(words) else declared or "en"


def is_foreign(name: str) -> bool:
    """Whether a name has letters that English does not have, or more function words of another language than of
    English. Abbreviations (`Med.`) are no function words."""
    words = re.findall(r"(?<!\w)[^\W\d_]{2,}(?![\w.])", name.lower())
    scores = {code: sum(word in each.words for word in words) for code, each in _LANGUAGES.items()}
    return bool(re.search(r"[^\W\d_a-zA-Z]", name)) or max(scores.values()) > scores["en"]


def _script(sample: str) -> str:
    letters = re.findall(r"[^\W\d_]", sample)
    if not letters:
        return ""
    kana = sum("\u3040" <= c <= "\u30ff" for c in letters)
    han = sum("\u4e00" <= c <= "\u9fff" for c in letters)
    hangul = sum("\uac00" <= c <= "\ud7a3" for c in letters)
    cyrillic = sum("\u0400" <= c <= "\u04ff" for c in letters)
    greek = sum("\u0370" <= c <= "\u03ff" for c in letters)
    counts = {"ja": kana * 3 if kana else 0, "zh": han, "ko": hangul, "cyrillic": cyrillic, "el": greek}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] * 3 > len(letters) else ""
