"""Requests, results, edits and their provenance: the steps that the editor and the command line share."""
