"""Jobs, the slow work behind the commands: one at a time for each project, mostly done in the worker
process."""
