"""Evidence from full papers: `search_evidence`, the agent that asks it, and what is drafted from it."""
