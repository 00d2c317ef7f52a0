"""Evidence from full papers: its search, the agent that uses the search, and the drafting of sections from
evidence."""
