"""What papers are taken from, one module a source; `..harvest_sources` declares them."""
