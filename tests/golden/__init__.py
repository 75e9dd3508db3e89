"""One whole round of each preset, replayed from a kept record and printed with every view."""
