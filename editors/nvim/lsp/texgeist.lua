-- Neovim 0.11: vim.lsp.enable('texgeist') reads this file.
return require('texgeist').config()
