#!lua flags=no-writes
-- Read a game and what its log has beyond a place, unless nothing was written since.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- ARGV[1]  the version at the place
-- ARGV[2]  the bytes of log before it
-- ARGV[3]  the incarnation that the place is of; -1 for the beginning of any game
--
-- Returns the snapshot and the log from there on; an empty snapshot when there is no such game;
-- nothing at all when the game is still at that place.
-- Key space: mt:{<game id>}:s and :l, one slot.

local HEADER = '>BI3I3I4'

local header = redis.call('GETRANGE', KEYS[1], 0, 10)
if header == '' then
  return {'', ''}
end
local _, version, _, incarnation = struct.unpack(HEADER, header)
if version == tonumber(ARGV[1]) and incarnation == tonumber(ARGV[3]) then
  return {}
end
return {redis.call('GET', KEYS[1]), redis.call('GETRANGE', KEYS[2], ARGV[2], -1)}
