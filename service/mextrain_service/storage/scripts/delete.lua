#!lua
-- Remove a game, if it is still as the writer saw it, and keep the receipt of the request.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- KEYS[3]  where the receipt is kept
-- ARGV[1]  the name of the commit that the deletion was decided on: version, link and stamp
-- ARGV[2]  the channel on which it is hinted
-- ARGV[3]  the receipt; empty for a request that is not remembered
-- ARGV[4]  how long the receipt is kept, in milliseconds
--
-- Returns 1 removed, 0 no such game, -1 the game was changed by another commit, has another history
-- or is another game of this id. Nothing was written unless it is 1.
-- Key space: mt:{<game id>}:s, :l and :d, channel mt:{<game id>}:n, one slot.

local header = redis.call('GETRANGE', KEYS[1], 0, 15)
if header == '' then
  return 0
end
if string.sub(header, 5) ~= ARGV[1] then
  return -1
end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
end
redis.call('SPUBLISH', ARGV[2], 'gone')
return 1
