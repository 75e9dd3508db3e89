"""The use cases, one per file. Knows the engine and its own ports; nothing of gRPC or Redis."""
