-- nvim --clean --headless -c 'luafile suite.lua' ; Neovim 0.7 and later.
local root, folder = os.getenv('TEXGEIST_TEST_EDITORS'), os.getenv('TEXGEIST_TEST_FOLDER')
local command = vim.split(os.getenv('TEXGEIST_TEST_SERVER'), '\n')
local failures = 0
local function out(...) io.stdout:write('\n' .. table.concat(vim.tbl_map(tostring, { ... }), ' ') .. '\n') end
local function check(name, ok, extra)
  out(ok and 'ok  ' or 'FAIL', name, extra or '')
  if not ok then failures = failures + 1 end
end
local function wait(what, test, limit)
  if not vim.wait(limit or 60000, test, 20) then error('waited in vain for ' .. what) end
end
local function lines(buf) return vim.api.nvim_buf_get_lines(buf, 0, -1, false) end
local function text(buf) return table.concat(lines(buf), '\n') end
local function disk(path) local f = io.open(path); local s = f and f:read('*a'); if f then f:close() end; return s end
local function edit(path) vim.cmd('edit ' .. vim.fn.fnameescape(folder .. '/' .. path)); return vim.api.nvim_get_current_buf() end
local function sections(s) return select(2, s:gsub('texgeist:begin', '')) end

vim.opt.swapfile, vim.opt.hidden = false, true
vim.opt.runtimepath:append(root .. '/nvim')
local new = vim.fn.has('nvim-0.11') == 1
local said = {}
vim.notify = function(words) table.insert(said, words) end
local progress = {}
local report = vim.lsp.handlers['$/progress']
vim.lsp.handlers['$/progress'] = function(err, result, ctx, config)
  table.insert(progress, result.value)
  return report(err, result, ctx, config)
end
local show = vim.lsp.handlers['window/showMessage']
vim.lsp.handlers['window/showMessage'] = function(err, result, ctx, config)
  table.insert(said, result.message)
  return show(err, result, ctx, config)
end

local shown = {} -- in the message line
local echo = vim.api.nvim_echo
vim.api.nvim_echo = function(chunks, ...)
  table.insert(shown, chunks[1][1])
  return echo(chunks, ...)
end

local function clients(buf)
  if new then return vim.lsp.get_clients({ bufnr = buf, name = 'texgeist' }) end
  return vim.tbl_filter(function(c) return c.name == 'texgeist' end, vim.lsp.buf_get_clients(buf))
end
local function client_of(buf) for _, client in pairs(clients(buf)) do return client end end
local function request(buf, method, params)
  local answers = vim.lsp.buf_request_sync(buf, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local function execute(buf, name, argument)
  return request(buf, 'workspace/executeCommand', { command = 'texgeist.server.' .. name, arguments = { argument or vim.empty_dict() } })
end
local function begun(count) wait('the job', function() return #progress > count end) end
local function under_way(buf) -- the draft has been read, and the search is on
  wait('the search', function()
    local job = execute(buf, 'status').jobs[1]
    return not job or not vim.tbl_contains({ '', 'Starting', 'Reading the draft' }, job.message)
  end)
end
local function idle(buf) wait('the end of the job', function() return #execute(buf, 'status').jobs == 0 end) end

local function attach()
  if new then
    vim.lsp.config('texgeist', { cmd = command })
    vim.lsp.enable('texgeist')
  else
    require('texgeist').setup { cmd = command }
  end
  vim.cmd('filetype on')
  local buf = edit('sections/abstract.tex')
  if vim.bo.filetype ~= 'tex' then vim.bo.filetype = 'tex' end
  wait('the server', function() return client_of(buf) and client_of(buf).initialized end)
  check('server attached', true, client_of(buf).offset_encoding .. ' ' .. tostring(client_of(buf).config.root_dir))
  wait('the commands', function() return vim.api.nvim_buf_get_commands(buf, {}).TexgeistRelatedWork ~= nil end)
  check('commands in the buffer', vim.api.nvim_buf_get_commands(buf, {}).TexgeistWhy ~= nil)
  return buf
end

local function action(buf, wanted)
  local seen
  vim.ui.select = function(items, _, choose)
    seen = vim.tbl_map(function(i) return (i.action and i.action.title) or i[2].title end, items)
    for at, title in ipairs(seen) do if title:find(wanted, 1, true) then return choose(items[at], at) end end
    choose(nil, nil)
  end
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.lsp.buf.code_action()
  wait('the code actions', function() return seen end)
  check('code actions', vim.tbl_contains(seen, wanted), table.concat(seen, ' | '))
end

local function cancelling(buf)
  local before = { disk(folder .. '/main.tex'), disk(folder .. '/references.bib'), text(buf) }
  vim.cmd('TexgeistRelatedWork')
  wait('progress', function() return #progress > 0 end)
  vim.cmd('TexgeistCancel')
  idle(buf)
  check('cancel leaves all files alone', vim.deep_equal(before, { disk(folder .. '/main.tex'), disk(folder .. '/references.bib'), text(buf) }))
  wait('the end of progress', function() return progress[#progress].kind == 'end' end)
  check('progress ends', progress[#progress].message == 'Cancelled', tostring(progress[#progress].message))
  progress = {}
end

local FILES = { 'main.tex', 'sections/introduction.tex', 'sections/conclusion.tex', 'sections/experiments.tex', 'sections/abstract.tex', 'sections/method.tex' }
local function with_section()
  for _, file in ipairs(FILES) do
    local buf = vim.fn.bufnr(folder .. '/' .. file)
    if buf > 0 and vim.api.nvim_buf_is_loaded(buf) and sections(text(buf)) > 0 then return buf, file end
  end
end
local function bib() local b = vim.fn.bufnr(folder .. '/references.bib'); return b > 0 and vim.api.nvim_buf_is_loaded(b) and text(b) or disk(folder .. '/references.bib') end

local function writing(buf)
  local started = vim.loop.hrtime()
  action(buf, 'texgeist: write related work from the abstract')
  check('the command returns at once', (vim.loop.hrtime() - started) / 1e6 < 5000)
  begun(0)
  idle(buf)
  wait('the section', with_section, 5000)
  local there, file = with_section()
  check('section in the document', true, file)
  check('the message line tells how it goes', vim.tbl_contains(vim.tbl_map(function(w) return w:find('related work', 1, true) ~= nil and w:find('Reading the draft', 1, true) ~= nil end, shown), true), shown[#shown])
  check('progress', progress[1] and progress[1].kind == 'begin' and progress[#progress].kind == 'end', tostring(#progress))
  local block, keys, missing = text(there):match('texgeist:begin.-texgeist:end'), {}, {}
  for group in block:gmatch('\\cite%a*{([^}]*)}') do for key in group:gmatch('[^,%s]+') do table.insert(keys, key) end end
  local entries = bib()
  for _, key in ipairs(keys) do if not entries:find('{' .. key .. ',', 1, true) then table.insert(missing, key) end end
  check('every key is in the bibliography', #keys > 2 and #missing == 0, table.concat(missing, ' '))
  vim.cmd('silent! wall')
  check('section on disk', sections(disk(folder .. '/' .. file)) == 1)
  check('bibliography on disk', vim.trim(disk(folder .. '/references.bib')) == vim.trim(entries))
  return there, file, keys[1]
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return window, text(vim.api.nvim_win_get_buf(window)) end
  end
end
local function hovering(buf, key)
  vim.api.nvim_set_current_buf(buf)
  vim.fn.search('texgeist:begin'); vim.fn.search(key)
  vim.lsp.buf.hover()
  wait('the hover', float)
  local window, words = float()
  check('hover says why', words:lower():find('similar') ~= nil, (words:gsub('\n', ' | ')):sub(1, 200))
  vim.api.nvim_win_close(window, true)
  vim.cmd('TexgeistWhy')
  wait('the reason', float)
  window, words = float()
  check(':TexgeistWhy says why', words:lower():find('similar') ~= nil)
  vim.api.nvim_win_close(window, true)
end

local function edited(buf)
  vim.api.nvim_set_current_buf(buf)
  local section = text(buf):match('texgeist:begin (%S+)')
  execute(buf, 'updateSection', { uri = vim.uri_from_bufnr(buf), section = section })
  under_way(buf)
  local at = vim.fn.search('texgeist:begin', 'w')
  vim.api.nvim_buf_set_lines(buf, at, at, false, { 'My own words.' })
  idle(buf)
  vim.wait(300)
  check('an edited section is not overwritten', text(buf):find('My own words.', 1, true) and sections(text(buf)) == 1)
  vim.cmd('silent undo')
end

local function undoing(buf)
  local saved = disk(folder .. '/references.bib')
  vim.api.nvim_set_current_buf(buf)
  vim.cmd('silent undo')
  check('one undo takes the section back', sections(text(buf)) == 0)
  vim.cmd('silent! wall')
  check('undo keeps the saved bibliography', disk(folder .. '/references.bib') == saved)
end

local function typing()
  local buf = edit('main.tex')
  wait('the server', function() return client_of(buf) end)
  local before = #progress
  vim.cmd('TexgeistRelatedWork')
  begun(before)
  under_way(buf)
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { '% typed meanwhile' })
  idle(buf)
  wait('the section', with_section, 5000)
  check('typing meanwhile is kept', lines(buf)[1] == '% typed meanwhile')
end

local function astral()
  local buf = edit('sections/method.tex')
  wait('the server', function() return client_of(buf) end)
  local at = vim.fn.search('achieved 𝒳')
  check('astral text is there', at > 0)
  local before, listed = #progress, {}
  vim.ui.select = function(items, options, pick)
    table.insert(listed, vim.tbl_map(options.format_item, items))
    pick(items[1], 1)
  end
  vim.cmd(at .. 'TexgeistFindCitations')
  begun(before)
  idle(buf)
  wait('the citation', function() return lines(buf)[at]:find('\\cite') end, 5000)
  check('papers are picked from a list with passages', #listed == 2 and #listed[1] > 3 and #listed[1][1] > 100
    and listed[2][1]:find('That is all', 1, true) == 1, (listed[1] or {})[1])
  local line = lines(buf)[at]
  check('citation at the end of an astral sentence', line:match('scores%s*~?%s*\\cite%a*{[^}]+}%.$'), line)
  local key = line:match('\\cite%a*{([^},]+)')
  vim.api.nvim_win_set_cursor(0, { at, (line:find(key, 1, true)) })
  vim.lsp.buf.hover()
  wait('the hover', float)
  local window, words = float()
  check('hover after astral characters', #words > 20, (words:gsub('\n', ' | ')):sub(1, 120))
  vim.api.nvim_win_close(window, true)
  vim.cmd('TexgeistWhyThese')
  wait('the panel', function() return vim.bo.filetype == 'markdown' and text(0):find('It says', 1, true) end)
  check('a panel says why these papers', vim.bo.bufhidden == 'wipe' and not vim.bo.modifiable)
  vim.cmd('close')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd('TexgeistShowWritten')
  wait('the place', function() return vim.api.nvim_win_get_cursor(0)[1] == at end)
  check('what was written is shown', true)
  vim.cmd('TexgeistUndoWritten')
  wait('the undoing', function() return not lines(buf)[at]:find('\\cite') end)
  check('what was written is taken back', lines(buf)[at]:match('scores%.$'), lines(buf)[at])
end

-- Typed in insert mode, and taken from the list that Neovim shows by itself.
local function completing()
  local buf = edit('sections/conclusion.tex')
  wait('the server', function() return client_of(buf) end)
  local line = #lines(buf) + 1
  vim.api.nvim_buf_set_lines(buf, line - 1, line - 1, false, { 'As in \\cite{}.' })
  vim.api.nvim_win_set_cursor(0, { line, #'As in \\cite{' })
  local function keys(typed) vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 't', false) end
  local listed, tries, timer = {}, 0, vim.loop.new_timer()
  vim.opt.completeopt = { 'menuone', 'noselect' }
  timer:start(300, 300, vim.schedule_wrap(function()
    tries = tries + 1
    if vim.fn.pumvisible() == 1 then
      timer:stop()
      listed = vim.fn.complete_info({ 'items' }).items
      return keys('<C-n><C-y><Esc>')
    end
    if tries % 10 == 1 and tries < 200 then keys('<C-x><C-o>') elseif tries >= 200 then timer:stop(); keys('<Esc>') end
  end))
  vim.api.nvim_feedkeys('iThink you have Solved', 'tx!', false) -- until <Esc>
  check('the library is offered while a citation is typed', #listed == 1 and listed[1].abbr:find('Think you have Solved', 1, true), vim.inspect(listed))
  wait('the entry', function() return bib():find('{clark2018think,', 1, true) end, 20000)
  wait('its key', function() return lines(buf)[line] == 'As in \\cite{clark2018think}.' end, 20000)
  check('the paper taken has its entry and its key', true)
end

local function no_bibliography()
  local buf = edit('lone/paper.tex')
  wait('the server', function() return client_of(buf) end)
  local before = #progress
  vim.cmd('TexgeistRelatedWork')
  begun(before)
  idle(buf)
  wait('the section', function() return sections(text(buf)) > 0 end, 5000)
  local made = vim.fn.glob(folder .. '/lone/*.bib')
  check('a bibliography is made', made ~= '' and text(buf):find('\\bibliography{', 1, true), made)
  vim.cmd('silent! wall')
  local saved = disk(made)
  vim.cmd('silent undo')
  vim.cmd('silent! wall')
  check('undo keeps a new bibliography', sections(text(buf)) == 0 and disk(made) == saved and saved:find('@'))
end

local function reviewing(buf)
  vim.api.nvim_set_current_buf(buf)
  local opened
  if vim.ui.open then vim.ui.open = function(url) opened = url end
  else vim.fn.jobstart = function(arguments) opened = arguments[2] end end
  vim.cmd('TexgeistReview')
  wait('the page', function()
    for _, words in ipairs(said) do opened = opened or words:match('http://127%.0%.0%.1:%S+') end
    return opened
  end)
  check('the review page has an address', opened:match('^http://127%.0%.0%.1:%d+/%S+/$'), 'yes')
  idle(buf)
end

local ok, err = xpcall(function()
  local v = vim.version()
  out('nvim', v.major .. '.' .. v.minor .. '.' .. v.patch)
  local buf = attach()
  cancelling(buf)
  local there, _, key = writing(buf)
  hovering(there, key)
  edited(there)
  undoing(there)
  typing()
  astral()
  if new then completing() end
  no_bibliography()
  reviewing(buf)
  local help = pcall(vim.cmd, 'helptags ' .. root .. '/nvim/doc | help texgeist-commands')
  check('help', help)
end, debug.traceback)
if not ok then
  out('FAIL exception', err)
  out(table.concat(said, '\n'))
  failures = failures + 1
end
for _, client in pairs(new and vim.lsp.get_clients() or vim.lsp.get_active_clients()) do
  if new then client:stop() else client.stop() end
end
vim.wait(1500, function() return next(new and vim.lsp.get_clients() or vim.lsp.get_active_clients()) == nil end, 20)
vim.cmd(failures == 0 and 'qa!' or 'cq!')
