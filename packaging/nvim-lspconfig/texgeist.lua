---@brief
---
--- https://github.com/OWNER/texgeist
---
--- Related work and citations for LaTeX, with a reason for each.
---
--- Install it with `uv tool install texgeist`.
return {
  cmd = { 'texgeist', 'lsp' },
  filetypes = { 'tex', 'plaintex', 'bib', 'quarto', 'rmd' },
  root_markers = { '.texlabroot', 'texlabroot', '.latexmkrc', 'latexmkrc', 'Tectonic.toml', '.git' },
}
