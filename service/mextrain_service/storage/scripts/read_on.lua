#!lua flags=no-writes
-- Read a game and what its log has beyond a place, unless nothing was written since.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- ARGV[1]  the name of the commit at the place: version, link and stamp; empty for the beginning
-- ARGV[2]  the bytes of log before it
--
-- Returns the snapshot and the log from there on; an empty snapshot when there is no such game;
-- nothing at all when that commit is still the latest. Whether the log leads on from the place, the
-- reader finds out by its chain.
-- Key space: mt:{<game id>}:s and :l, one slot.

local header = redis.call('GETRANGE', KEYS[1], 0, 15)
if header == '' then
  return {'', ''}
end
if string.sub(header, 5) == ARGV[1] then
  return {}
end
return {redis.call('GET', KEYS[1]), redis.call('GETRANGE', KEYS[2], ARGV[2], -1)}
