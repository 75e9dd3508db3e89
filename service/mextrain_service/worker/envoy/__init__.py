"""A worker inside Envoy: its transport is Envoy's, its Python runs in Envoy's process."""
