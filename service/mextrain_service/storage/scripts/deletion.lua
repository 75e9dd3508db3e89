#!lua
-- Write the receipt of a deletion once more as it is, and read it, so that replicas that confirm this
-- have the deletion too.
--
-- KEYS[1]  where the receipt is kept
--
-- Returns the receipt; empty when there is none. Nothing that can be read changes.
-- Key space: mt:{<game id>}:d.

local ends_ms = redis.call('PEXPIRETIME', KEYS[1])
if ends_ms >= 0 then
  redis.call('PEXPIREAT', KEYS[1], ends_ms)
end
return redis.call('GET', KEYS[1]) or ''
