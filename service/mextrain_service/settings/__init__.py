"""All settings of the service, read from the environment and checked."""
