"""Many seats on one stream: what is read from it, done on its channels, and written to it."""
