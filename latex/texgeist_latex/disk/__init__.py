"""Which files of this machine a project may touch, and how they are touched."""
