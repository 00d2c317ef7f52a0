"""Records of papers from outside: files, arXiv's interfaces, one polite gate to them."""
