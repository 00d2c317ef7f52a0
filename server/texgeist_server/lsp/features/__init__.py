"""Editor features, a module each, with a function `register`."""
