#!lua
-- Write a game once more as it is, and read it, so that replicas that confirm this have what was read.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
--
-- Returns the snapshot and the log; both empty when there is no such game. Nothing that can be read
-- changes.
-- Key space: mt:{<game id>}:s and :l, one slot.

local ends_ms = redis.call('PEXPIRETIME', KEYS[1])
if ends_ms == -2 then
  return {'', ''}
end
if ends_ms >= 0 then
  redis.call('PEXPIREAT', KEYS[1], ends_ms)
end
return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2]) or ''}
