-- :checkhealth texgeist, by `texgeist doctor`.
local M = {}

local function say(name, text, advice)
  local health = vim.health or require('health')
  local report = health[name] or health['report_' .. (name == 'start' and 'start' or name)]
  if advice and advice ~= '' then report(text, { advice }) else report(text) end
end

function M.check()
  say('start', 'texgeist')
  local cmd = require('texgeist').cmd
  if vim.fn.executable(cmd[1]) == 0 then
    say('error', cmd[1] .. ' is on no PATH', 'Install it by `uv tool install` or `pipx install`, or name it as `cmd`.')
    return
  end
  local doctor = vim.list_extend(vim.list_slice(cmd, 1, #cmd - 1), { 'doctor', '--json' }) -- instead of `lsp`
  local said = vim.fn.system(doctor)
  local ok, found = pcall(vim.fn.json_decode, said:match('%[.*%]') or '')
  if not ok or type(found) ~= 'table' then
    say('error', 'texgeist doctor does not answer: ' .. said:sub(1, 300))
    return
  end
  local levels = { ok = 'ok', note = 'info', wrong = 'error' }
  for _, one in ipairs(found) do
    local text = one.what .. ': ' .. one.message
    if one.state == 'note' and one.help ~= '' then text = text .. ' ' .. one.help end
    say(levels[one.state], text, one.state == 'wrong' and one.help or nil)
  end
end

return M
