"""From sentences and papers to text edits, and the edits onto the disk."""
