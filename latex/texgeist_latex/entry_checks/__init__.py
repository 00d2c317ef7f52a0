"""Is a bibliography entry what it says it is? Pure checks over an entry and what is known of papers."""
