#!lua
-- Put a game on a list, at its front, and cut off what nobody can want any more.
--
-- KEYS[1]  the list of a player, or a part of that of a platform
-- ARGV[1]  the game's id
-- ARGV[2]  when it came onto the list, in milliseconds since the epoch
-- ARGV[3]  how long the key must live at least, in milliseconds
-- ARGV[4]  the moment before which no game of an entry is alive any more
-- ARGV[5]  how many entries are kept; 0 for any number
--
-- Returns 1.
-- Key space: mt:player:<platform>:<digest>, mt:games:<platform>:<partition>.

redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[4])
local most = tonumber(ARGV[5])
if most > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -most - 1)
end
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
