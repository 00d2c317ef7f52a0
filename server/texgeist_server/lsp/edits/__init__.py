"""How an edit gets into the editor's documents, and out again."""
