"""The server of the review page, on which the user selects papers before anything is written.

`worker/choice.py` keeps a search in the worker and chooses from it without model or network; `state.py` holds
the page's state in the server; `http.py` serves the page and its API on loopback.
"""
