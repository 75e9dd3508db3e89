"""Properties of the engine over random rules and games, held against the reference."""
