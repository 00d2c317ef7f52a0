"""Records of papers from outside: a module for each service or file format, one HTTP client, one gate."""
