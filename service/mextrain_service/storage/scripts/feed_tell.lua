#!lua
-- Add news to a part of a platform's feed, and hint at it.
--
-- KEYS[1]   the part of the feed, which is also the channel of its hints
-- ARGV[1]   how many news to keep at least, the latest ones
-- ARGV[2]   how long the part lives from now, in milliseconds
-- ARGV[3…]  the news
--
-- Returns how many were added.
-- Key space: mt:feed:<platform>:<partition>, and the channel of the same name.

for at = 3, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'n', ARGV[at])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SPUBLISH', KEYS[1], 'news')
return #ARGV - 2
