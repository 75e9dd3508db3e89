"""gRPC on top of a server that does HTTP/2 itself and hands over requests by ASGI.

Knows gRPC's framing and headers, and the dispatcher; nothing of which server it is in.
"""
