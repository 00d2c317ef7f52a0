"""Records of papers from outside: one module for a service or a form of file, one client, one gate."""
