"""Writes the files that follow from declarations. Used in a checkout only, not part of the package."""
