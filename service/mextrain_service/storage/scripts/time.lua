#!lua flags=no-writes
-- Return what time it is at the server that has a key.
--
-- KEYS[1]  any key; it need not exist
--
-- Returns seconds since the epoch, and the microseconds beyond them.

return redis.call('TIME')
