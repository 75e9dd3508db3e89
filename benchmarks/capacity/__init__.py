"""From measured costs to machines: what games and moves need, and what breaks first."""
