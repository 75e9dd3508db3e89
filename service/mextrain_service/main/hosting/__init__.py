"""A worker inside Envoy: its transport is Envoy's, its Python runs in Envoy's process.

Knows Envoy, the module ``pyvoy`` that Python comes in, and how a worker is put together; nothing of
what a game is.
"""
