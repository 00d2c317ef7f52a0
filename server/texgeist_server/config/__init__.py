"""What the user configures: settings, credentials, and folders for texgeist's files."""
