"""Proofs of identity: API keys and tokens."""
