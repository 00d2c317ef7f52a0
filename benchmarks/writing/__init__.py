"""What is written is held against what it was written from."""
