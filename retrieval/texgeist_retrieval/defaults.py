"""Default numbers of the settings, the recipes and the writers. Imports nothing heavy, since settings are
read at start-up."""

from __future__ import annotations

BREADTH, DEPTH, DIVERSITY = 10, 2, 0.0  # as in Citegeist (arXiv 2503.23229, section 3.1)
MOST_BREADTH, MOST_DEPTH = 60, 10  # the largest values in the settings
CONCURRENCY = 10  # parallel model calls, so that the summaries of a section take one round
LIKELY = 0.5  # least chance of a paper that is cited for a sentence (`pipeline/fitting.py`)
SECTION_SECONDS = 360.0  # for a section by a small model; 12 papers take 175 s of a processor
LEAST_CHANCE = 0.2  # of a paper that is quoted as an answer
UNSUPPORTED = "No paper that was found is likely to support this sentence."  # note for such a sentence
UNANSWERED = (
    "No sentence that answers this was found in your papers."  # beginning of the note for such a question
)
