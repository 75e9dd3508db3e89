"""gRPC on top of a server that does HTTP/2 itself and hands over requests by ASGI."""
