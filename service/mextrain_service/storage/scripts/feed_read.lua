#!lua flags=no-writes
-- Read a part of a platform's feed beyond a place.
--
-- KEYS[1]  the part of the feed
-- ARGV[1]  the id of the entry to read after; 0-0 for the beginning
-- ARGV[2]  how many news to return at most
-- ARGV[3]  1 to look whether that entry is still there, else 0
--
-- Returns 1 if it was not, in which case the reading begins with the oldest there is, else 0; then
-- id and news of each entry, one after another.
-- Key space: mt:feed:<platform>:<partition>.
--
-- The oldest are dropped first: as long as an entry is there, all after it are.

local after, gap = ARGV[1], 0
if ARGV[3] == '1' and after ~= '0-0' and #redis.call('XRANGE', KEYS[1], after, after) == 0 then
  after, gap = '0-0', 1
end
local answer = {gap}
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. after, '+', 'COUNT', ARGV[2])) do
  answer[#answer + 1] = entry[1]
  answer[#answer + 1] = entry[2][2]
end
return answer
