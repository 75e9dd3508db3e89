"""The outermost ring: settings, processes, and the one place where everything is put together."""
