"""The command line's commands, one module each. An editor's are in `lsp/features/commands` and `showing`."""
