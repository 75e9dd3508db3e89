#!lua
-- Write a game once more as it is, so that replicas that confirm this have all before it too.
--
-- KEYS[1]  the snapshot of the game
--
-- Returns 1, or 0 when there is no such game. Nothing that can be read changes.
-- Key space: mt:{<game id>}:s.

local ends_ms = redis.call('PEXPIRETIME', KEYS[1])
if ends_ms < 0 then
  return 0
end
return redis.call('PEXPIREAT', KEYS[1], ends_ms)
