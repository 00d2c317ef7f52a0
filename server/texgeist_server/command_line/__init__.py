"""The commands of the command line, one module each. The editor's commands are in `lsp/features/commands`."""
