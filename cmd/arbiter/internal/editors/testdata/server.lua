-- Opens a file after the set-up of ARBITER_SETUP, waits for the server's diagnostics, asks it, and writes the answers.
local env = vim.env
local answer = {}
local function finish()
  local f = assert(io.open(env.ARBITER_OUT, "wb"))
  f:write(vim.json.encode(answer))
  f:close()
end
if env.ARBITER_NEW == "1" and not vim.lsp.config then
  answer.skipped = "this Neovim is older than version 0.11"
  return finish()
end
vim.cmd("filetype on")
vim.cmd("luafile " .. env.ARBITER_SETUP)
vim.cmd("edit " .. env.ARBITER_FILE)
answer.filetype = vim.bo.filetype
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20)
answer.mistake = (vim.diagnostic.get(0)[1] or {}).message

local function ask(method, params)
  for _, r in pairs(vim.lsp.buf_request_sync(0, method, params, 30000) or {}) do
    return r.result
  end
end
local document = { uri = vim.uri_from_bufnr(0) }
local at = { textDocument = document, position = { line = 3, character = 10 } }
answer.hover = ((ask("textDocument/hover", at) or {}).contents or {}).value
answer.definition = (ask("textDocument/definition", at) or {}).uri
answer.completions = {}
for _, x in ipairs((ask("textDocument/completion", { textDocument = document, position = { line = 3, character = 8 } }) or {}).items or {}) do
  answer.completions[#answer.completions + 1] = x.label
end
answer.symbols = #(ask("textDocument/documentSymbol", { textDocument = document }) or {})
-- An edit is sent as a change; then the buffer is formatted by the server's edit.
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "feat bold { +1 to attack-bonus }" })
local edits = ask("textDocument/formatting", { textDocument = document, options = { tabSize = 2, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits or {}, 0, "utf-16")
answer.formatted = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
finish()
