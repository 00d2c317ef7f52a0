"""Access to files: which files a project may touch, and safe reading and writing."""
