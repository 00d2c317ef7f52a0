"""`python -P -m texgeist_server …`, for editors that know an interpreter but no console command."""

from .cli import main

if __name__ == "__main__":
    main()
