"""What the user decides: settings, credentials, and where texgeist keeps its own files."""
