"""English text, for all other rooms: its sentences, its words, its noun phrases. Imports nothing of theirs."""
