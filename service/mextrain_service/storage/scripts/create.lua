#!lua
-- Store a new game, unless its id is taken.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- ARGV[1]  the snapshot, header and body
-- ARGV[2]  how long both live, in milliseconds
-- ARGV[3]  the log that the game begins with
--
-- Returns 1 when it is stored, -1 when a snapshot is there already and nothing was written.
-- Key space: mt:{<game id>}:s and :l, one slot; any log left from an earlier game is replaced.

if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return -1
end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2])
return 1
