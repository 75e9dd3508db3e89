"""Plays matches for minutes while workers die and watchers drop; then holds all to the record.

`python -m tests.soak --help` says how long, how many and with what chance.
"""
