"""How fast, and how sturdy, the reading of LaTeX projects is."""
