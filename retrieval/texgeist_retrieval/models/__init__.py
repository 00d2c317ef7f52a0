"""Language models: the providers, one structured call, when to try again."""
