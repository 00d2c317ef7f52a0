"""Jobs do the slow work behind the commands, mostly in the worker process. Only one job of a project runs at
a time."""
