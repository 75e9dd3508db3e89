#!lua
-- Note that the store answers, and that it did not for a while before if that was so.
--
-- KEYS[1]  the outages at a border
-- ARGV[1]  when the caller sent the latest look that it had an answer to; empty for none
-- ARGV[2]  when it had that answer
-- ARGV[3]  the longest time between two looks that is no outage
-- ARGV[4]  the shortest time between two that are written down
-- ARGV[5]  how long the key lives
-- ARGV[6]  how many outages it holds at most
-- ARGV[7]  the latest outage that the caller knows, as begin-end; empty for none
-- ARGV[8]  1 if the caller found looks that are yet to come: the store's clock was put back
--
-- All of it in milliseconds, moments since the epoch.
--
-- Returns the latest moment at which the store is known to have answered, empty for none; and all
-- outages as begin-end, parted by commas, or nothing if the caller knows them.
-- Key space: mt:outages:<border>:{<tag>}.
--
-- A look that waited at a store that stood still says nothing of the time at which it was sent. So
-- it speaks of the one before, which was answered.

local held = redis.call('HMGET', KEYS[1], 'seen', 'spans')
local seen, spans = held[1] or '', held[2] or ''

local function shortened(most)
  local kept = {}
  for first, last in string.gmatch(spans, '(%d+)-(%d+)') do
    kept[#kept + 1] = {first, last}
  end
  while #kept > most do
    local at, least = 1, math.huge
    for n = 1, #kept - 1 do
      local between = tonumber(kept[n + 1][1]) - tonumber(kept[n][2])
      if between < least then
        at, least = n, between
      end
    end
    kept[at][2] = kept[at + 1][2]
    table.remove(kept, at + 1)
  end
  for n = 1, #kept do
    kept[n] = kept[n][1] .. '-' .. kept[n][2]
  end
  return table.concat(kept, ',')
end

if ARGV[1] ~= '' then
  local longest = tonumber(ARGV[3])
  local since = seen == '' and math.huge or tonumber(ARGV[1]) - tonumber(seen)
  local outage = seen ~= '' and since > longest
  if outage then
    spans = (spans == '' and '' or spans .. ',') .. seen .. '-' .. ARGV[2]
    spans = shortened(tonumber(ARGV[6]))
    redis.call('HSET', KEYS[1], 'spans', spans)
  end
  if since >= tonumber(ARGV[4]) or ARGV[8] == '1' then
    seen = ARGV[1]
    redis.call('HSET', KEYS[1], 'seen', seen)
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
  end
end

if string.match(spans, '[^,]*$') == ARGV[7] then
  return {seen}
end
return {seen, spans}
