#!lua
-- Remove a game that cannot be read, if it is still as it was found, and keep the receipt of the
-- request.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- KEYS[3]  where the receipt is kept
-- ARGV[1]  the snapshot as it was found; empty when the key is no string
-- ARGV[2]  the channel on which it is hinted
-- ARGV[3]  the receipt; empty for a request that is not remembered
-- ARGV[4]  how long the receipt is kept, in milliseconds
--
-- Returns 1 removed, 0 no such game, -1 it has changed. Nothing was written unless it is 1.
-- Key space: mt:{<game id>}:s, :l and :d, channel mt:{<game id>}:n, one slot.

local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return 0
end
local found = ''
if kind == 'string' then
  found = redis.call('GET', KEYS[1])
end
if found ~= ARGV[1] then
  return -1
end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
end
redis.call('SPUBLISH', ARGV[2], 'gone')
return 1
