"""For assistants of others: they search with us, and cite by the ids that we hand out."""
