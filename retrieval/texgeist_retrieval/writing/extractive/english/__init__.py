"""What the writer without a model knows of English: its sentences, its verbs, how it joins and opens.

The writer (`..writer`) needs no grammar. Another language is a room like
this one, with what the writer calls: `sentences.clean`, `draft_clauses`,
`saying.sources`, `choose_sentences` and `told`, `strands.gather`, `composing.paragraph_sentences`, and `openings`; the writer
then asks which: a `Draft` has its `language`, and a `Query` would have to carry it."""
