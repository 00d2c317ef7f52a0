"""Editor features, one module each, one `register(server, ...)` each."""
