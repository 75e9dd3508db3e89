"""Many seats on one stream: reads requests, carries them out on channels, sends responses."""
