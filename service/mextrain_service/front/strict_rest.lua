-- Rejects what the transcoder would ignore in a REST request: unknown fields, duplicate fields, a
-- field of the path that the query repeats or the body contradicts, and invalid JSON.
--
-- Before this file stand two tables, written from the contract:
--   MESSAGES[type][name] = {id = own name, of = its message type or nil, many = it is repeated}
--   METHODS[method] = {request = type, path = pattern with a capture for each field of the path,
--                      bound = {names of those fields}, body = a body is read}
-- The route of a request names its method.

local DEEPEST = 64
local byte, find, match, sub = string.byte, string.find, string.match, string.sub

local value

local function refuse(words)
  error({words = words}, 0)
end

-- Returns a name that somebody sent as it may be shown: no line of text, no bytes.
local function shown(name)
  return (sub(name, 1, 64):gsub("[^%w_.]", "?"))
end

local function unexpected(text, at)
  refuse(at > #text and "Unexpected end of string" or "Unexpected token at byte " .. at)
end

local function past_space(text, at)
  return find(text, "[^ \t\r\n]", at) or #text + 1
end

local function past_string(text, at)
  if byte(text, at) ~= 34 then unexpected(text, at) end
  local stop = at
  repeat
    stop = find(text, '["\\]', stop + 1)
    if not stop then unexpected(text, #text + 1) end
    local escape = byte(text, stop) == 92
    if escape then stop = stop + 1 end
  until not escape
  return stop + 1
end

local function past_scalar(text, at)
  local word = match(text, "^[%w+.-]+", at)
  if not word then unexpected(text, at) end
  local known = word == "true" or word == "false" or word == "null"
  if not known and not match(word, "^-?%d") then unexpected(text, at) end
  return at + #word
end

-- Walks the items between two brackets; `item` returns the position after one.
local function past_items(text, at, last, item)
  at = past_space(text, at + 1)
  if byte(text, at) == last then return at + 1 end
  while true do
    at = past_space(text, item(at))
    local sign = byte(text, at)
    if sign == last then return at + 1 end
    if sign ~= 44 then unexpected(text, at) end
    at = past_space(text, at + 1)
  end
end

local function past_object(text, at, fields, depth, seen, bound)
  return past_items(text, at, 125, function(from)
    local stop = past_string(text, from)
    local name = sub(text, from + 1, stop - 2)
    local field = fields and fields[name]
    if fields and not field then refuse(shown(name) .. ": unknown field") end
    local id = field and field.id or name
    if seen[id] then refuse(shown(name) .. ": duplicate field") end
    seen[id] = true
    local colon = past_space(text, stop)
    if byte(text, colon) ~= 58 then unexpected(text, colon) end
    local first = past_space(text, colon + 1)
    local after = value(text, first, field and field.of, depth + 1)
    if bound[id] and match(sub(text, first, after - 1), '^"?(.-)"?$') ~= bound[id] then
      refuse(shown(name) .. ": differs from the path")
    end
    return after
  end)
end

-- Returns the position after a value, of a message type if `of` names one.
function value(text, at, of, depth)
  if depth > DEEPEST then refuse("nested too deeply") end
  local sign = byte(text, at)
  if sign == 123 then return past_object(text, at, MESSAGES[of], depth, {}, {}) end
  if sign == 91 then
    return past_items(text, at, 93, function(from) return value(text, from, of, depth + 1) end)
  end
  if sign == 34 then return past_string(text, at) end
  return past_scalar(text, at)
end

local function unescaped(text)
  return (text:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Returns the fields of the path by their own names, each with its value as text.
local function in_path(method, path)
  local found, values = {}, {match(match(path, "^[^?]*"), method.path)}
  for index, name in ipairs(method.bound) do found[name] = unescaped(values[index]) end
  return found
end

-- Returns the parameters of the query that were seen; whether there are others, the transcoder says.
local function check_query(method, path, bound)
  local seen = {}
  for pair in (match(path, "%?(.*)$") or ""):gmatch("[^&]+") do
    local name, fields, many = unescaped(match(pair, "^[^=]*"):gsub("+", " ")), MESSAGES[method.request], false
    local ids = {}
    for part in name:gmatch("[^.]+") do
      local field = fields and fields[part]
      ids[#ids + 1] = field and field.id or part
      many = many or field and field.many
      fields = field and MESSAGES[field.of]
    end
    local id = table.concat(ids, ".")
    if bound[ids[1]] then refuse(shown(name) .. ": already in the path") end
    if seen[id] and not many then refuse(shown(name) .. ": duplicate parameter") end
    seen[id] = true
  end
  return seen
end

local function check_body(method, text, seen, bound)
  local at = past_space(text, 1)
  if at > #text then return end
  if byte(text, at) ~= 123 then unexpected(text, at) end
  at = past_space(text, past_object(text, at, MESSAGES[method.request], 1, seen, bound))
  if at <= #text then unexpected(text, at) end
end

function envoy_on_request(handle)
  local method = METHODS[handle:filterContext():get("method") or ""]
  if not method then return end
  local path = handle:headers():get(":path")
  local body = method.body and handle:body()
  local text = body and body:length() > 0 and body:getBytes(0, body:length()) or ""
  local sound, why = pcall(function()
    local bound = in_path(method, path)
    check_body(method, text, check_query(method, path, bound), bound)
  end)
  if sound then return end
  if type(why) == "table" then
    handle:respond({[":status"] = "400"}, why.words)
  else -- a fault of this script, after which Envoy would let the request pass
    handle:logErr(why)
    handle:respond({[":status"] = "500"}, "")
  end
end

-- Takes the body away from an answer to HEAD; the headers stay those of GET.
function envoy_on_response(handle)
  if not handle:filterContext():get("head") then return end
  local length = handle:headers():get("content-length")
  local body = handle:body()
  if body then body:setBytes("") end
  if length then handle:headers():replace("content-length", length) end
end
