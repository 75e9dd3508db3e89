"""Proofs of identity: API keys and tokens. Knows callers; nothing of gRPC or a game's state."""
