"""`texgeist verify`: a bibliography and what it is cited for, checked by what is known of papers."""
