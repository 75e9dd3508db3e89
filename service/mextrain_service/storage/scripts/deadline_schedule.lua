#!lua
-- See to it that a game is looked at by a moment, or earlier if that was so before.
--
-- KEYS[1]  the deadlines of a partition
-- ARGV[1]  the game's id
-- ARGV[2]  the moment, in milliseconds since the epoch
-- ARGV[3]  how long the key must live at least, in milliseconds
--
-- Returns 1.
-- Key space: mt:deadlines:<partition>:{<tag>}.
--
-- The score always changes, be it by a millisecond: whoever has claimed the game and found nothing
-- to do must not take the entry away that is made here for a commit that he has not seen.

local due = tonumber(ARGV[2])
local earlier = redis.call('ZSCORE', KEYS[1], ARGV[1])
if earlier and tonumber(earlier) <= due then
  due = tonumber(earlier) - 1
end
redis.call('ZADD', KEYS[1], due, ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
