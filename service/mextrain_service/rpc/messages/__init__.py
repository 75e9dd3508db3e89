"""Between messages and values. Only what may leave has a way into a message."""
