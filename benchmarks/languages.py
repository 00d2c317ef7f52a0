"""Does `texgeist verify` leave correct entries alone that are written in the habits of other languages?

    python -m benchmarks.languages

200 entries each in German, French, Hungarian and Chinese (pinyin), made from real records: names with the family
name first, diacritics as letters and as TeX, words for “and” and “and others”, names of months, numbers with their
words (`Bd. 5`, `S. 5--9`, `5. évf.`), journals abbreviated, proceedings with the language's words or a translated
name. They are checked against the records; every entry that is flagged is printed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.bib.authors import OTHERS, parse_name, split_authors
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.entry_checks.entries import check_entry
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.tex.accents import read_accents, to_ascii
from texgeist_latex.types import BibEntry

from benchmarks.plain_references import entries

COUNT = 200
TEX = str.maketrans({"ä": '{\\"a}', "ö": '{\\"o}', "ü": '{\\"u}', "é": "{\\'e}", "è": "{\\`e}", "á": "{\\'a}", "ó": "{\\'o}",
                     "ő": "{\\H o}", "ű": "{\\H u}", "ç": "{\\c c}", "í": "{\\'i}", "ñ": "{\\~n}"})  # fmt: skip
ISO4 = {
    "journal": "J.", "transactions": "Trans.", "international": "Int.", "research": "Res.", "machine": "Mach.",
    "learning": "Learn.", "computer": "Comput.", "computing": "Comput.", "systems": "Syst.", "science": "Sci.",
    "sciences": "Sci.", "engineering": "Eng.", "analysis": "Anal.", "intelligence": "Intell.", "artificial": "Artif.",
    "proceedings": "Proc.", "review": "Rev.", "letters": "Lett.", "physical": "Phys.", "statistics": "Stat.",
    "conference": "Conf.", "recognition": "Recognit.", "processing": "Process.", "information": "Inf.",
    "knowledge": "Knowl.", "software": "Softw.", "association": "Assoc.", "american": "Am.", "society": "Soc.",
}  # fmt: skip
SMALL = frozenset("of on the and in for".split())


@dataclass(frozen=True, slots=True)
class Habits:
    """How a language writes. `meeting`: a function of the proceedings' name, tried in turn."""

    months: Sequence[str]
    others: str
    both: str
    volume: str
    number: str
    pages: str
    meeting: Sequence[Callable[[str], str]]
    name: Sequence[Callable[[str, str], str]]


def _turned(first: str, last: str) -> str:
    return f"{last}, {first}"


def _initials(first: str, last: str) -> str:
    return f"{last}, {' '.join(word[0] + '.' for word in first.split() if word)}"


LANGUAGES = {
    "German": Habits(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(), "u. a.", "und",
        "Bd.~{}", "Heft {}", "S. {}",
        (lambda v: f"Tagungsband der {v}", lambda v: f"Proc. der {v}", lambda v: "Tagungsband der Internationalen Konferenz über Lernverfahren"),
        (_turned, _initials),
    ),
    "French": Habits(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(), "et coll.", "et",
        "vol. {}", "n{{\\textsuperscript{{o}}}} {}", "p. {}",
        (lambda v: f"Actes de {v}", lambda v: f"Dans: {v}", lambda v: "Actes de la conférence internationale sur l'apprentissage"),
        (lambda first, last: f"{first} {last.upper()}", _initials),
    ),
    "Hungarian": Habits(
        "január február március április május június július augusztus szeptember október november december".split(),
        "és mtsai.", "és", "{}. évf.", "{}. sz.", "{}. o.",
        (lambda v: f"In: {v} konferencia", lambda v: v, lambda v: "A gépi tanulás nemzetközi konferenciájának kiadványa"),
        (lambda first, last: f"{last} {first}", lambda first, last: f"{last} {' '.join(w[0] + '.' for w in first.split())}", _turned),
    ),
    "Chinese": Habits(
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), "等", "and", "第{}卷", "({})", "{}",
        (lambda v: v, lambda v: f"{v} [C]"),
        (lambda first, last: f"{last} {first}", lambda first, last: f"{last.upper()} {first.replace('-', '')}",
         lambda first, last: f"{last.upper()} {' '.join(w[0] for w in re.split('[ -]', first) if w)}", _turned),
    ),
}  # fmt: skip


def main() -> int:
    pool = [
        e
        for e in read_bib(Path("refs.bib"), "\n".join(entries(0, 2_000))).entries
        if OTHERS not in e.fields["author"]
    ]
    for language, habits in LANGUAGES.items():
        chosen = sorted(pool, key=lambda entry: _fits(entry, language), reverse=True)[:COUNT]
        records = Records(pool, "the records")
        verdicts = Counter[str]()
        for at, entry in enumerate(chosen):
            result = check_entry(
                replace(entry, fields=dict(_written(at, entry.fields, habits))), [records], 2026
            )
            verdicts[result.verdict] += 1
            if result.verdict not in ("ok", "unknown"):
                written = dict(_written(at, entry.fields, habits))
                print(f"  {result.verdict}: {[finding.message for finding in result.findings]} {written}")
        wrong = [
            replace(
                entry, fields=dict(_written(at, {**entry.fields, "author": other.fields["author"]}, habits))
            )
            for at, (entry, other) in enumerate(zip(chosen, [*chosen[1:], chosen[0]], strict=True))
        ]
        found = sum(check_entry(entry, [records], 2026).verdict == "suspect" for entry in wrong)
        flagged = COUNT - verdicts["ok"] - verdicts["unknown"]
        print(
            f"{language}: {flagged} of {COUNT} flagged; {dict(verdicts)}; with other authors {found} suspect"
        )
    return 0


def _fits(entry: BibEntry, language: str) -> int:
    """How many authors have names that look like names of the language."""
    authors = read_accents(entry.fields["author"])
    if language == "Chinese":
        return len(re.findall(r"\b(?:Wang|Li|Zhang|Liu|Chen|Yang|Huang|Zhao|Wu|Zhou|Xu|Sun)\b", authors))
    return len(
        re.findall({"German": "[äöüß]", "French": "[éèçêô]", "Hungarian": "[áéóőűíü]"}[language], authors)
    )


def _written(at: int, fields: Mapping[str, str], habits: Habits) -> Iterator[tuple[str, str]]:
    """The fields in the habits of the language; which variant is taken depends on the number `at`."""
    names = [parse_name(name) for name in split_authors(fields["author"])]
    form = habits.name[at % len(habits.name)]
    people = [name.last if name.group or not name.first else form(name.first, name.last) for name in names]
    people = [to_ascii(name) for name in people] if at % 10 == 8 else people
    if len(people) > 3 and at % 4 == 0:
        people = [*people[:3], habits.others]
    joint = f" {habits.both} " if len(people) == 2 and at % 3 == 0 else " and "
    author = joint.join(people)
    yield "author", author.translate(TEX) if at % 2 else author
    yield "title", fields["title"] + (" [J]" if habits.others == "等" and "journal" in fields else "")
    yield "year", fields["year"] if at % 5 else f"{habits.months[at % 12]} {fields['year']}"
    yield "month", habits.months[at % 12]
    if "journal" in fields:
        yield "journal", _abbreviated(fields["journal"]) if at % 2 else fields["journal"]
    else:
        yield "booktitle", habits.meeting[at % len(habits.meeting)](fields["booktitle"])
    for name, words in (("volume", habits.volume), ("number", habits.number), ("pages", habits.pages)):
        if fields.get(name):
            yield name, words.format(fields[name])


def _abbreviated(journal: str) -> str:
    words = [ISO4.get(word.lower(), word) for word in journal.split() if word.lower() not in SMALL]
    return " ".join(words)


if __name__ == "__main__":
    raise SystemExit(main())
