"""`texgeist verify`: checks the entries of a bibliography against known records, and sentences against the
papers that they cite."""
