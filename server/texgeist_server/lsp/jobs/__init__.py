"""The slow work behind the commands: one job at a time for each project, most of it done by the worker process."""
