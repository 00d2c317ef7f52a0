"""Functions for English text: sentences, words. Imports nothing from the other packages of
texgeist_retrieval."""
