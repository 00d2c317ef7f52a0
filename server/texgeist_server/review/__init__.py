"""The review panel's server side: the papers that a search found, and what is chosen of them, to look at,
to tick and untick, before anything is written.

`choice.py` holds a search in the worker and chooses from it without model or network; `state.py` is what
the page sees of it, in the server; `http.py` serves the page and its API on loopback, `__main__.py` does
so without an editor. See `http.py` for the API.
"""
