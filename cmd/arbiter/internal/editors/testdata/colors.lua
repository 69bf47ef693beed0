-- Opens a file after the set-up of ARBITER_SETUP, and writes the language by which its text has colors.
local env = vim.env
vim.opt.runtimepath:prepend(env.ARBITER_RUNTIME)
vim.cmd("filetype on")
vim.cmd("luafile " .. env.ARBITER_SETUP)
vim.cmd("edit " .. env.ARBITER_FILE)
local f = assert(io.open(env.ARBITER_OUT, "wb"))
local highlighter = vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()]
f:write(highlighter and highlighter.tree:lang() or "none", "\n")
f:close()
