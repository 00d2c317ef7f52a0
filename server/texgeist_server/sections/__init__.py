"""What is asked for, what is written, and why: the steps that the editor and the command line share."""
