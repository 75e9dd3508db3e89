"""The rules, position by position."""
