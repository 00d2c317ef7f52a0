"""A section in the draft's own language passes; what cites by hand is refused in every language."""

from __future__ import annotations

import pytest
from texgeist_retrieval.writing.model.checks import Material
from texgeist_retrieval.writing.model.plain import DraftLanguage

from .conftest import selected
from .texts import faults

DRAFTS = {
    "de": "Wir untersuchen, wie das Gedächtnis nach dem Schlaf besser wird. Die Studie zeigt, dass der Schlaf für "
    "das Lernen wichtig ist und auch nicht durch ein Training ersetzt werden kann.",
    "fr": "Nous étudions comment la mémoire est renforcée par le sommeil. Les résultats montrent que le sommeil est "
    "nécessaire pour apprendre, et que ces effets ne sont pas dus à une fatigue. Nous comparons les siestes avec des nuits.",
    "en": "We study how memory gains from sleep, and show that it is needed for learning.",
}
PROSE = {
    "de": [
        "Mehrere Studien zeigen, dass der Mittagsschlaf die Erinnerung an Wortpaare verbessert.",
        "Neuere Verfahren ordnen die Textstellen nach ihrer Bedeutung, nicht nach der Häufigkeit der Wörter.",
        "Beide Arbeiten messen die Merkleistung mit einer Befragung.",
        "Die Schlafdauer ist für die Festigung entscheidend, die Tageszeit nicht.",
        "Andere Ansätze nutzen die Hirnströme, um den Tiefschlaf zu verlängern.",
        "Neuronale Netze werden auf den Aufnahmen der Schläfer trainiert.",
    ],
    "fr": [
        "Cependant, aucune de ces études ne compare les siestes avec les nuits.",
        "Certaines méthodes sont fondées sur une mesure du sommeil profond.",
        "Ensuite, les passages sont classés par leur sens et non par leur fréquence.",
    ],
}
BY_HAND = {
    "de": [
        "Der Schlaf festigt das Gedächtnis (Halloran, 2019).",
        "Halloran (2019) zeigt, dass der Schlaf das Gedächtnis festigt.",
        "Halloran et al. zeigen, dass der Schlaf das Gedächtnis festigt.",
        "Der Schlaf festigt das Gedächtnis [12].",
        "Der Schlaf festigt das Gedächtnis (Halloran & Dupont).",
        "Wie Halloran 2019 zeigt, festigt der Schlaf das Gedächtnis.",
        "Nach J. Halloran festigt der Schlaf das Gedächtnis.",
        "Nach Miller festigt der Schlaf das Gedächtnis.",  # an author of the papers at hand
        "It is not new, as Halloran argued, that sleep helps memory.",
        "Halloran proved it first.",
    ],
    "fr": [
        "Le sommeil renforce la mémoire (Halloran, 2019).",
        "Halloran (2019) montre que le sommeil renforce la mémoire.",
        "Selon Halloran et al., le sommeil renforce la mémoire.", "Le sommeil renforce la mémoire [12].",
        "Le sommeil renforce la mémoire, comme le dit Halloran.", "Halloran proved it first.",
    ],
}  # fmt: skip


def problems(text: str, material: Material) -> str:
    return faults(text, material, "1a")


@pytest.mark.parametrize(("tongue", "text"), [(t, text) for t, texts in PROSE.items() for text in texts])
def test_prose_passes_in_the_drafts_language(tongue: str, text: str) -> None:
    assert not problems(text, Material.of(selected(3), DRAFTS[tongue]))


@pytest.mark.parametrize(("tongue", "text"), [(t, text) for t, texts in BY_HAND.items() for text in texts])
def test_citations_by_hand_are_refused_in_every_language(tongue: str, text: str) -> None:
    assert problems(text, Material.of(selected(3), DRAFTS[tongue]))


@pytest.mark.parametrize("text", [PROSE["de"][0], PROSE["fr"][0]])
def test_another_language_than_the_drafts_is_refused(text: str) -> None:
    assert problems(text, Material.of(selected(3), DRAFTS["en"]))


def test_the_language_of_a_draft() -> None:
    english = "The works of van der Berg and of de la Cruz, le Roy, das Netz, der Wald, den Haag and dem et al. are read by us."
    assert {DraftLanguage.of(text) for text in (DRAFTS["en"], "", english)} == {DraftLanguage()}
    assert DraftLanguage.of(DRAFTS["de"]) == DraftLanguage(english=False, cased_nouns=True)
    assert DraftLanguage.of(DRAFTS["fr"]) == DraftLanguage(english=False)
