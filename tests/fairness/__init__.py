"""The fair deal, held to vectors that every language can read."""
