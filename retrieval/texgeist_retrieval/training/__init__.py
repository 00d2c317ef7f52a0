"""Training from citations. Needs the extra `[torch]`; nothing here is imported at run time."""
