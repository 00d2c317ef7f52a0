"""What a draft stands on, part by part: named by a model, searched, looked up, and covered by the choice."""
