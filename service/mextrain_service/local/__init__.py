"""A whole service on one machine: Valkey, workers and front, started, found and ended together."""
