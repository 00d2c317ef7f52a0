"""Tools for other assistants, which search with texgeist and cite papers by the ids that texgeist issues."""
