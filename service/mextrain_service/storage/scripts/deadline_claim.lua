#!lua
-- Return games that are due, and put them off so that nobody else claims them meanwhile.
--
-- KEYS[1]  the deadlines of a partition
-- ARGV[1]  the moment up to which games are due, in milliseconds since the epoch
-- ARGV[2]  how many to return at most
-- ARGV[3]  the moment to which they are put off
--
-- Returns the ids, those that are due the longest first.
-- Key space: mt:deadlines:<partition>:{<tag>}.

local found = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, game_id in ipairs(found) do
  redis.call('ZADD', KEYS[1], 'XX', ARGV[3], game_id)
end
return found
