-- Reads scripts by the grammar, in Neovim without a window. Arguments: ARBITER_PARSER, the compiled grammar;
-- ARBITER_QUERIES, the folder of its queries; ARBITER_FILES, a file with the names of scripts; ARBITER_OUT, where the
-- result is written: a line of JSON for each script.
local env = vim.env
if vim.treesitter.language and vim.treesitter.language.add then
  vim.treesitter.language.add("arbiter", { path = env.ARBITER_PARSER })
else
  vim.treesitter.require_language("arbiter", env.ARBITER_PARSER)
end
local parse_query = vim.treesitter.query.parse or vim.treesitter.query.parse_query or vim.treesitter.parse_query

local function read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read("*a")
  f:close()
  return text
end

local queries = {}
for _, name in ipairs({ "highlights", "folds", "indents", "outline", "tags" }) do
  queries[name] = parse_query("arbiter", read(env.ARBITER_QUERIES .. "/" .. name .. ".scm"))
end

local out = assert(io.open(env.ARBITER_OUT, "wb"))
for path in read(env.ARBITER_FILES):gmatch("[^\n]+") do
  local text = read(path)
  local root = vim.treesitter.get_string_parser(text, "arbiter"):parse()[1]:root()
  local r = { path = path, errors = root:has_error(), clauses = {}, captures = {}, folds = 0, outline = {} }
  for node in root:iter_children() do
    if node:named() and node:type() ~= "comment" then
      local _, _, at = node:start()
      r.clauses[#r.clauses + 1] = { at, node:type() }
    end
  end
  if env.ARBITER_CAPTURES then
    local q = queries.highlights
    for id, node in q:iter_captures(root, text, 0, -1) do
      local name = q.captures[id]
      if name:sub(1, 1) ~= "_" then
        local _, _, from = node:start()
        r.captures[#r.captures + 1] = { from, name }
      end
    end
    for _ in queries.folds:iter_captures(root, text, 0, -1) do r.folds = r.folds + 1 end
    for id, node in queries.outline:iter_captures(root, text, 0, -1) do
      if queries.outline.captures[id] == "name" then
        local _, _, from = node:start()
        r.outline[#r.outline + 1] = from
      end
    end
  end
  local encode = vim.json and vim.json.encode or vim.fn.json_encode
  out:write(encode(r), "\n")
end
out:close()
