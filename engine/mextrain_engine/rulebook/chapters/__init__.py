"""The rules, one chapter a file: data only."""
