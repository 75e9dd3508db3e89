#!lua
-- Mend the keys of one game as far as nothing is lost by it.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- ARGV[1]  how long keys live from now that would live for ever, in milliseconds
--
-- A log without a snapshot is removed. Keys without an end are given one. Snapshot and log end
-- together, at the later of their ends.
--
-- Returns 1 when something was changed.
-- Key space: mt:{<game id>}:s and :l, one slot.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return redis.call('DEL', KEYS[2])
end

local ends = {}
local last = 0
for at, key in ipairs(KEYS) do
  ends[at] = redis.call('PEXPIRETIME', key)
  last = math.max(last, ends[at])
end
if last == 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  last = redis.call('PEXPIRETIME', KEYS[1])
end

local changed = 0
for at, key in ipairs(KEYS) do
  if ends[at] ~= last and ends[at] ~= -2 then
    redis.call('PEXPIREAT', key, last)
    changed = 1
  end
end
return changed
