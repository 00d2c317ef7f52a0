"""Command-line sub-commands, one module each."""
