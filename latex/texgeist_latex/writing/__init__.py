"""Plans text edits from sentences and papers, and writes the edits to disk."""
