"""English text: sentences, words, noun phrases. Imports nothing from other packages here."""
