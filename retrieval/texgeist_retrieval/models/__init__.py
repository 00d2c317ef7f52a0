"""Language models: providers, structured calls, and retries."""
