"""The sentences that a title bears out by itself."""

from __future__ import annotations

import re

from .standalone import Told
from .synonyms import GERUNDS
from .tellings import SAME, Telling, in_number
from .titles import Titled


def of_title(titled: Titled, said: tuple[Told, ...], several: bool) -> list[Telling]:
    """What the title bears out, with the verb that the abstract uses of the work."""
    offered = next((t.verb for t in said if t.verb in SAME and t.kind == "offer"), "present")
    name, text = titled.name, titled.text
    if titled.form == "survey":
        return [Telling(f"{in_number('survey', several)} {text}.", True, "topic", "", "survey")]
    if titled.form == "thing":
        thing = f"{name}, {text}" if name else text
        found = [Telling(f"{in_number(offered, several)} {thing}.", True, "offers", "", offered, name, text)]
        return [*found, Telling(f"{name} is {text}.", False, "is", "", "", name, text)] if name else found
    if titled.form == "doing":
        return _of_doing(titled, several)
    if titled.form == "topic" and name and text.startswith("how to "):
        return [
            Telling(f"{in_number('study', several)} {text}.", True, "does", f"With {name},", "study", name)
        ]
    if titled.form == "topic" and name and " for " in text and not text.split()[0].endswith("ing"):
        return [Telling(f"{name} {_BRINGS[len(text) % len(_BRINGS)]} {text}.", False, "is", "", "", name),
                Telling(f"{in_number(offered, several)} {text}.", True, "offers", f"With {name},", offered, name)]  # fmt: skip
    if titled.form == "topic" and name:
        listed = f"{name} for {text}"
        return [
            Telling(f"{in_number(offered, several)} {listed}.", True, "offers", "", offered, name, "", listed)
        ]
    if titled.form == "topic":
        return [Telling(f"{in_number('study', several)} {text}.", True, "topic", "", "study", "", "", text)]
    return []


_NO_OBJECT = frozenset("forward on at in to from with for back up down out over through by as is and".split())
_BRINGS = ("puts forward", "offers", "contributes")
# Activities that a title may claim and a reader need not believe: they are told as an aim.
_CLAIMED = frozenset(
    "overcome solve unlock improve boost alleviate mitigate accelerate tackle scale enhance tame".split()
)


def _of_doing(titled: Titled, several: bool) -> list[Telling]:
    """ "Tackling Underutilization" -> "tackle underutilization", "aim at tackling underutilization"."""
    first, _, rest = titled.text.partition(" ")
    plain = GERUNDS.get(first.lower())
    if rest.split()[0].lower() in _NO_OBJECT or re.search(r"^with |\band [a-z]+ing\b", rest):
        return []
    if plain and plain not in _CLAIMED and not titled.name:
        return [Telling(f"{in_number(plain, several)} {rest}.", True, "does", "", plain)]
    if titled.name:
        name = titled.name
        aim = f"{in_number('aim', several)} at {titled.text}."
        return [Telling(aim, True, "does", f"With {name},", "aim", name)]
    return [
        Telling(
            f"{in_number('aim', several)} at {titled.text}.", True, "does", "", "aim", "", "", titled.text
        )
    ]
