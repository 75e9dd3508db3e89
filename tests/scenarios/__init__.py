"""Tables of cases: one file of data, the same for every way to reach the engine."""
