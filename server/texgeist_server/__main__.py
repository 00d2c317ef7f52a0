"""`python -m texgeist_server` is `texgeist`."""

from .cli import main

if __name__ == "__main__":
    main()
