#!lua flags=no-writes
-- Read the log of a game together with the header that vouches for its length.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
--
-- Returns the header and the log; both empty when there is no such game.
-- Key space: mt:{<game id>}:s and :l, one slot.

return {redis.call('GETRANGE', KEYS[1], 0, 10), redis.call('GET', KEYS[2]) or ''}
