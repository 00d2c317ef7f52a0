"""What a draft stands on, part by part: found, searched for, looked up by name, and covered by the choice."""
