"""Functions for English text: sentences, words, noun phrases. Imports nothing from the other packages of
texgeist_retrieval."""
