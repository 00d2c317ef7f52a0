"""What the gathering of evidence is worth."""

LIBRARY = ("papers", "citing-papers", "library-scisummnet")  # full papers in ../shared/data/evidence
