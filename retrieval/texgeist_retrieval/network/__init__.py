"""What the servers of others may do to this machine: which addresses are whose, and bounds on answers."""
