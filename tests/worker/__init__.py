"""How the service starts, stands and stops, on real processes and ports."""
