"""What the gathering of evidence is worth."""
