#!lua
-- Say when a claimed game is looked at next, unless it was scheduled anew since it was claimed.
--
-- KEYS[1]  the deadlines of a partition
-- ARGV[1]  the game's id
-- ARGV[2]  the moment to which the claim put it off
-- ARGV[3]  the moment of the next look, in milliseconds since the epoch; left out for none
-- ARGV[4]  how long the key must live at least for that, in milliseconds
--
-- Returns 1 if it was rescheduled, 0 if it was scheduled or claimed anew.
-- Key space: mt:deadlines:<partition>:{<tag>}.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
if not ARGV[3] then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return 1
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return 1
