"""Discovery: finds papers for a draft in literature services, by searches and along citations."""
