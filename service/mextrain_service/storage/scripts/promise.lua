#!lua
-- Write down a promise of news, or put off when it is overdue.
--
-- KEYS[1]  the promises of a partition
-- ARGV[1]  the promise
-- ARGV[2]  when it is overdue, in milliseconds since the epoch
-- ARGV[3]  how long the key lives from now, in milliseconds
--
-- Returns 1.
-- Key space: mt:outbox:<partition>.

redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
