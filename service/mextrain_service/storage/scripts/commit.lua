#!lua
-- Replace the snapshot of a game and append to its log, if it is still as the writer saw it.
--
-- KEYS[1]  the snapshot of the game
-- KEYS[2]  the log of the game
-- ARGV[1]  the name of the commit that the change was computed from: version, link and stamp
-- ARGV[2]  the header to write; its count of log bytes is that of the new entries alone
-- ARGV[3]  the body to write
-- ARGV[4]  the new log entries
-- ARGV[5]  how long both keys live from now, in milliseconds
-- ARGV[6]  the channel on which the new version is hinted
-- ARGV[7]  up to what length, in bytes, the log is rewritten whole instead of appended to
--
-- Returns the length of the log, in bytes, when all is written; 0 no such game, -1 the game was
-- changed by another commit, has another history or is another game of this id, -2 the log is not
-- as long as the snapshot says. Nothing was written unless it is more than 0: entries take bytes.
-- Key space: mt:{<game id>}:s and :l, channel mt:{<game id>}:n, one slot.
--
-- An append makes Redis reserve twice the bytes of the log, a rewrite just what it needs; but the
-- whole log then travels to replicas and to the append-only file.

local header = redis.call('GETRANGE', KEYS[1], 0, 15)
if header == '' then
  return 0
end
if string.sub(header, 5) ~= ARGV[1] then
  return -1
end
local _, log_bytes = struct.unpack('>BI3', header)
if redis.call('STRLEN', KEYS[2]) ~= log_bytes then
  return -2
end

local schema, added_bytes, new_version = struct.unpack('>BI3I3', ARGV[2])
local new_bytes = log_bytes + added_bytes
local new_header = struct.pack('>BI3', schema, new_bytes) .. string.sub(ARGV[2], 5)
redis.call('SET', KEYS[1], new_header .. ARGV[3], 'PX', ARGV[5])
if new_bytes <= tonumber(ARGV[7]) then
  redis.call('SET', KEYS[2], redis.call('GET', KEYS[2]) .. ARGV[4], 'PX', ARGV[5])
else
  redis.call('APPEND', KEYS[2], ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
redis.call('SPUBLISH', ARGV[6], new_version)
return new_bytes
