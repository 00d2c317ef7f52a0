"""Reads a project: its files, citations, bibliographies and text."""
