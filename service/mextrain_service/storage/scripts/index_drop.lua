#!lua
-- Take a game off a list, unless it came onto it anew.
--
-- KEYS[1]  the list of a player, or a part of that of a platform
-- ARGV[1]  the game's id
-- ARGV[2]  when it came onto the list as far as the caller knows
--
-- Returns 1 if it was taken off, else 0.
-- Key space: mt:player:<platform>:<digest>, mt:games:<platform>:<partition>.

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
return redis.call('ZREM', KEYS[1], ARGV[1])
