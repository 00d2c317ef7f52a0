"""Tools for other assistants: they search with texgeist, and cite by the ids it issues."""
