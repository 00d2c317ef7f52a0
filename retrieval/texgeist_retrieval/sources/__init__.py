"""Records of papers from services and files: a module for each service or file format, one HTTP client, and
one gate (`admission`) that validates all records."""
