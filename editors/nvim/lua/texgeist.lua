-- Neovim 0.7 and later. See :help texgeist.
local M = {}

M.filetypes = { 'tex', 'plaintex', 'bib', 'quarto', 'rmd' }
M.cmd = { 'texgeist', 'lsp' }
M.root_markers = { '.texlabroot', 'texlabroot', '.latexmkrc', 'latexmkrc', 'Tectonic.toml', '.git' }

-- scripts/generate writes these:
local commands = {
  RelatedWork = { 'relatedWork', 'write related work from the abstract', argument = { from = 'abstract', quiet = true } },
  RelatedWorkFromDraft = { 'relatedWork', 'write related work from the whole draft', argument = { from = 'draft', quiet = true } },
  Discover = { 'discover', 'search literature services for papers that your library lacks, after showing what is sent' },
  FindCitations = { 'findCitations', 'find papers for the selected sentence, each with a passage, and cite the ones that you choose', range = true },
  Answer = { 'answer', 'answer the selected question in a panel; you can insert the answer from there', range = true },
  DraftSection = { 'draftSection', 'draft the section at the cursor from the full papers of your index and your own text', cursor = true },
  GatherEvidence = { 'gatherEvidence', 'gather evidence for the section at the cursor, and show it', cursor = true },
  ForAndAgainst = { 'forAndAgainst', 'show passages of full papers that support or contradict the selected sentence', range = true },
  MissingWorks = { 'missingWorks', 'show works of your index that similar papers cite and the draft does not' },
  Verify = { 'verify', 'check the saved bibliography, and show the report on each entry' },
  CorrectEntries = { 'correctEntries', 'correct the details of entries that differ from the record of the same paper' },
  Why = { 'why', 'show why the citation at the cursor was chosen', position = true },
  Review = { 'review', 'review the papers in the browser, then write from there', argument = { quiet = true } },
  InsertPending = { 'insertPending', 'insert the answer that was shown, or the text that could not be inserted because the document had changed' },
  AddEntry = { 'addEntry', 'add an entry for the DOI, arXiv id or web address at the cursor', cursor = true },
  OpenPdf = { 'openPdf', 'open your PDF of the paper cited at the cursor, or else the paper\'s web page', cursor = true },
  ShowWritten = { 'showWritten', 'go to the text that was written last' },
  UndoWritten = { 'undoWritten', 'undo what texgeist wrote last, in all files, if it was not edited since' },
  WhyThese = { 'whyThese', 'show why each of the papers cited last was chosen' },
  Sync = { 'sync', 'sync the index', bare = true },
  Cancel = { 'cancel', 'cancel the running job', bare = true },
}

local function message(text, level)
  vim.schedule(function() vim.notify('texgeist: ' .. text, level or vim.log.levels.INFO) end)
end

local function open(url)
  if vim.ui.open then return vim.ui.open(url) end
  local opener = vim.fn.has('mac') == 1 and 'open' or 'xdg-open'
  if vim.fn.executable(opener) == 1 then vim.fn.jobstart({ opener, url }, { detach = true }) end
  message(url)
end

-- What is selected, letter by letter, or the lines that were named, or the cursor where there is neither, as an LSP
-- range in the client's own encoding; and whether it is whole lines, which end in the middle of sentences.
local function range_of(options, bufnr, encoding)
  local function units(number, bytes)
    local line = vim.api.nvim_buf_get_lines(bufnr, number - 1, number, false)[1] or ''
    bytes = math.min(bytes, #line)
    if encoding == 'utf-8' then return bytes end
    local points, halves = vim.str_utfindex(line, bytes)
    return encoding == 'utf-16' and halves or points
  end
  local from, to = vim.api.nvim_buf_get_mark(bufnr, '<'), vim.api.nvim_buf_get_mark(bufnr, '>')
  if options.range == 0 then -- the sentence at the cursor
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    local at = { line = row - 1, character = units(row, column) }
    return { start = at, ['end'] = at }, false
  end
  local first, last, lines = 0, math.huge, true
  if options.range == 2 and vim.fn.visualmode() == 'v' and from[1] == options.line1 and to[1] == options.line2 then
    local line = vim.api.nvim_buf_get_lines(bufnr, to[1] - 1, to[1], false)[1] or ''
    lines = false
    first, last = from[2], to[2] + math.max(1, #vim.fn.strcharpart(line:sub(to[2] + 1), 0, 1))
  end
  return {
    start = { line = options.line1 - 1, character = units(options.line1, first) },
    ['end'] = { line = options.line2 - 1, character = units(options.line2, last) },
  }, lines
end
M.range_of = range_of -- for tests

local function request(client, method, params, done, bufnr)
  if vim.fn.has('nvim-0.11') == 1 then return client:request(method, params, done, bufnr) end
  return client.request(method, params, done, bufnr)
end

local function run(client, bufnr, command, options)
  local argument = vim.deepcopy(command.argument or {}) -- quiet: a page is opened here
  if not command.bare then argument.uri = vim.uri_from_bufnr(bufnr) end
  if command.cursor then
    argument.position = vim.lsp.util.make_position_params(0, client.offset_encoding).position
  end
  if command.range then argument.range, argument.lines = range_of(options, bufnr, client.offset_encoding) end
  if vim.tbl_isempty(argument) then argument = vim.empty_dict() end
  local params = { command = 'texgeist.server.' .. command[1], arguments = { argument } }
  request(client, 'workspace/executeCommand', params, function(err, result)
    if err then return message(err.message, vim.log.levels.ERROR) end
    if type(result) ~= 'table' then return end
    if result.url then vim.schedule(function() open(result.url) end) end
    if result.place then
      vim.schedule(function()
        local show = vim.lsp.util.show_document or vim.lsp.util.jump_to_location
        show(result.place, client.offset_encoding, vim.lsp.util.show_document and { focus = true } or nil)
      end)
    end
  end, bufnr)
end

-- Papers to pick from, one after the other, each with its passage; leaving the list picks none.
local function choose(params, answer)
  local left, chosen = vim.list_slice(params.items), {}
  local function shown(item)
    if item.done then return ('That is all: cite the %d picked'):format(#chosen) end
    return ('%s (%s): %s'):format(item.label, item.description, item.detail)
  end
  local function ask()
    local items = vim.list_slice(left)
    if #chosen > 0 then table.insert(items, 1, { done = true }) end
    vim.ui.select(items, { prompt = params.title, kind = 'texgeist', format_item = shown }, function(item)
      if not item then return answer {} end
      if item.done then return answer(chosen) end
      table.insert(chosen, item.id)
      left = vim.tbl_filter(function(other) return other.id ~= item.id end, left)
      if #left == 0 then return answer(chosen) end
      vim.schedule(ask)
    end)
  end
  vim.schedule(ask)
end

local function panel(params)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(params.markdown, '\n'))
  vim.bo[buffer].filetype, vim.bo[buffer].modifiable, vim.bo[buffer].bufhidden = 'markdown', false, 'wipe'
  vim.cmd('botright split')
  vim.api.nvim_win_set_buf(0, buffer)
  vim.wo.wrap, vim.wo.linebreak = true, true
end

-- How a job goes, in the message line: Neovim shows that nowhere by itself. What is longer would ask for a key.
local jobs = {}
local function progress(err, result, ctx, config)
  local value, token = result.value, tostring(result.token)
  local title = jobs[token] or value.title or 'texgeist'
  jobs[token] = value.kind ~= 'end' and title or nil
  local words = title .. ((value.message or '') ~= '' and ': ' .. value.message or '')
  words = words:gsub('%s+', ' ')
  while vim.fn.strdisplaywidth(words) >= vim.v.echospace do
    words = vim.fn.strcharpart(words, 0, vim.fn.strchars(words) - 1)
  end
  vim.api.nvim_echo({ { words } }, false, {})
  return vim.lsp.handlers['$/progress'](err, result, ctx, config)
end

local handlers = {
  ['$/progress'] = progress,
  ['texgeist/pick'] = function(_, params, ctx)
    choose(params, function(chosen)
      local argument = { id = params.id, chosen = chosen }
      local order = { command = 'texgeist.server.picked', arguments = { argument } }
      request(vim.lsp.get_client_by_id(ctx.client_id), 'workspace/executeCommand', order, function() end)
    end)
  end,
  ['texgeist/panel'] = function(_, params) vim.schedule(function() panel(params) end) end,
}

local function explain(client, bufnr, command)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local argument = { uri = params.textDocument.uri, position = params.position }
  request(client, 'workspace/executeCommand', { command = 'texgeist.server.' .. command[1], arguments = { argument } }, function(err, result)
    if err then return message(err.message, vim.log.levels.ERROR) end
    if type(result) ~= 'table' or (result.markdown or '') == '' then return message('there is no citation under the cursor') end
    vim.schedule(function() vim.lsp.util.open_floating_preview(vim.split(result.markdown, '\n'), 'markdown', { wrap = true }) end)
  end, bufnr)
end

-- Neovim 0.11 runs the command of a completion that is taken (here: adding its entry) in buffers where completion
-- is on; once all servers are there, so that what the user has switched on for them stands.
local function complete(client, bufnr)
  if not (vim.lsp.completion and vim.lsp.completion.enable) then return end
  vim.api.nvim_create_autocmd('InsertEnter', {
    buffer = bufnr,
    once = true,
    callback = function()
      if vim.lsp.buf_is_attached(bufnr, client.id) then vim.lsp.completion.enable(true, client.id, bufnr) end
    end,
  })
end

--- Buffer-local :Texgeist… commands for an attached client.
function M.on_attach(client, bufnr)
  complete(client, bufnr)
  local create = vim.api.nvim_buf_create_user_command
  for name, command in pairs(commands) do
    create(bufnr, 'Texgeist' .. name, function(options)
      if command.position then return explain(client, bufnr, command) end
      run(client, bufnr, command, options)
    end, { desc = command[2], range = command.range or false })
  end
end

--- The client's configuration; `options` may name cmd, settings, root_dir.
function M.config(options)
  local config = {
    name = 'texgeist',
    cmd = M.cmd,
    filetypes = M.filetypes,
    root_markers = M.root_markers,
    init_options = { client = 'neovim', trusted = true, lists = true },
    handlers = handlers,
    on_attach = M.on_attach,
  }
  return vim.tbl_deep_extend('force', config, options or {})
end

-- The nearest folder with a marker; nil where there is none, and the server looks for the root document itself.
local function root_of(bufnr)
  local at = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p:h')
  while true do
    for _, marker in ipairs(M.root_markers) do
      if vim.fn.filereadable(at .. '/' .. marker) == 1 or vim.fn.isdirectory(at .. '/' .. marker) == 1 then return at end
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then return nil end
    at = above
  end
end

local clients = {} -- by root folder, for Neovim before 0.8

local function attach(bufnr, options)
  local config = M.config(options)
  config.root_dir = config.root_dir or root_of(bufnr)
  if vim.lsp.start then return vim.lsp.start(config, { bufnr = bufnr }) end
  local root = config.root_dir or ''
  config.capabilities = config.capabilities or vim.lsp.protocol.make_client_capabilities()
  config.on_exit = function() clients[root] = nil end
  clients[root] = clients[root] or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(bufnr, clients[root])
end

--- Starts texgeist for every LaTeX and BibTeX buffer: require('texgeist').setup {}
function M.setup(options)
  local group = vim.api.nvim_create_augroup('texgeist', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = M.filetypes,
    callback = function(event) attach(event.buf, options) end,
  })
end

return M
