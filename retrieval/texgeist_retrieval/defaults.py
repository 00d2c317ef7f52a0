"""Default numbers of the settings, the recipes and the writers. Imports nothing heavy, since settings are
read at start-up."""

from __future__ import annotations

BREADTH, DEPTH, DIVERSITY = 10, 2, 0.0  # as in Citegeist (arXiv 2503.23229, section 3.1)
MOST_BREADTH, MOST_DEPTH = 60, 10  # the largest values in the settings
CONCURRENCY = 10  # parallel model calls, so that the summaries of a section take one round
LEAST_CHANCE = 0.5  # of a paper that is cited for a sentence or quoted as an answer (`pipeline/fitting.py`)
UNSUPPORTED = "No paper that was found supports this sentence."  # note for such a sentence
TITLES_ONLY = "Only the titles of most papers here are known, too little to judge which of them fit."
UNANSWERED = "No paper of your library answers this question."  # beginning of the note for such a question
