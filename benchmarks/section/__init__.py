"""The related-work section: what it cites, measured on drafts whose authors' citations are known."""
