"""The service that hosts games of Mexican Train: transport, application, storage, command line."""
