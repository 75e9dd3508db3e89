"""The HTTP front: Envoy, configured from the contract, started and drained with the workers.

Knows Envoy and the contract's methods; nothing of what a game is.
"""
