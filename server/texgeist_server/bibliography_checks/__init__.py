"""`texgeist verify`: checks a bibliography, and what it is cited for, against known papers."""
