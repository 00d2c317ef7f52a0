"""Strands of earlier work that a draft builds on: a model names them, the search finds papers for them, and
the longlist covers them."""
