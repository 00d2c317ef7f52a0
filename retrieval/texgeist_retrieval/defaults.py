"""Numbers that the settings, the recipes and the writers begin with. Imports nothing: settings are read at
start-up."""

BREADTH, DEPTH, DIVERSITY = 10, 2, 0.0  # Citegeist's (arXiv 2503.23229, section 3.1)
CONCURRENCY = 10  # model calls at once: the summaries of a section in one round
