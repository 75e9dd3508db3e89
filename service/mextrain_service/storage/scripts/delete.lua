#!lua
-- Remove a game, if it is still as the writer saw it, and keep the receipt of the request.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- KEYS[3]  where the receipt is kept
-- ARGV[1]  the version that the deletion was decided on
-- ARGV[2]  the incarnation of the game
-- ARGV[3]  the channel on which it is hinted
-- ARGV[4]  the receipt; empty for a request that is not remembered
-- ARGV[5]  how long the receipt is kept, in milliseconds
--
-- Returns 1 removed, 0 no such game, -1 the game has another version or is another game of this
-- id. Nothing was written unless it is 1.
-- Key space: mt:{<game id>}:s, :l and :d, channel mt:{<game id>}:n, one slot.

local HEADER = '>BI3I3I4'

local header = redis.call('GETRANGE', KEYS[1], 0, 10)
if header == '' then
  return 0
end
local _, version, _, incarnation = struct.unpack(HEADER, header)
if version ~= tonumber(ARGV[1]) or incarnation ~= tonumber(ARGV[2]) then
  return -1
end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[4] ~= '' then
  redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[5])
end
redis.call('SPUBLISH', ARGV[3], 'gone')
return 1
