"""The HTTP front: Envoy, configured from the contract, started and drained with the workers."""
