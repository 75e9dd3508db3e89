"""Breaks the service and its store in known ways while games are played, and checks what was kept.

`python -m tests.faults --help` lists the faults and says how long they run.
"""
