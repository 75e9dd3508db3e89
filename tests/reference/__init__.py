"""The rules of ``docs/rules.md`` a second time: slow, plain, and written from the text alone.

Shares no code with the engine and imports nothing of it; tests compare the two.
"""
