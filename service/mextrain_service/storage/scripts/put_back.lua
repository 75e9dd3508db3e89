#!lua
-- Put a game back as a copy has it, unless its id is taken.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- ARGV[1]  the snapshot of the copy
-- ARGV[2]  the log of the copy
-- ARGV[3]  when both end, in milliseconds since the epoch
--
-- Returns 1 when it is there again, 0 when a game of this id is there already; it stays as it is.
-- Key space: mt:{<game id>}:s and :l, one slot; a log without a snapshot is replaced.

if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PXAT', ARGV[3]) then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2], 'PXAT', ARGV[3])
return 1
