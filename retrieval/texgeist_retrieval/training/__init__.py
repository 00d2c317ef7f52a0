"""Trains the weights of the rankers from citations. Training needs the extra `[torch]`; searching and writing
never import this package."""
