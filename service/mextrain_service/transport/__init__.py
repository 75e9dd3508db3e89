"""The gRPC face: messages in, use cases called, messages out. Knows no rule and no Redis."""
