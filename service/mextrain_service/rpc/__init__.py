"""The gRPC face: messages in, use cases called, messages out."""
