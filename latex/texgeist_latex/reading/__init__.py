"""A project as it stands: which files, what they cite, what the draft says."""
