"""Sources of papers, a module each; declared in `..harvest_sources`."""
