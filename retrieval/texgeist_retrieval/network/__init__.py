"""What the servers of others may do to this machine: which addresses are whose, and bounds on answers. Milvus,
the hub of models (`embedding/hub`), pip and `doctor` do not come through here."""
