"""Evidence from full papers: `search_evidence`, the agent that uses it, and the drafting of sections from
evidence."""
