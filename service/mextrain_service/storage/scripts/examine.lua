#!lua flags=no-writes
-- Read a game as it is at one moment, whatever state it is in.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
--
-- Returns the snapshot, when it ends, the log and when that ends; both times in milliseconds since
-- the epoch, -1 for never. What is absent, or is no string, is an empty text that ends at -2.
-- Key space: mt:{<game id>}:s and :l, one slot.

local found = {}
for at, key in ipairs(KEYS) do
  if redis.call('TYPE', key).ok == 'string' then
    found[2 * at - 1] = redis.call('GET', key)
    found[2 * at] = redis.call('PEXPIRETIME', key)
  else
    found[2 * at - 1] = ''
    found[2 * at] = -2
  end
end
return found
