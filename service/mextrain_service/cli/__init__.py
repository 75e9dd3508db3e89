"""The command line ``mextrain``: one file per command.

Knows a terminal, the client and how to start a service; nothing of rules or of how games are kept.
"""

__all__ = ["main"]


def main() -> None:
    """Run the command line, or say how to install what it needs: the wheel alone is the engine."""
    try:
        from mextrain_service.cli.app import main as run  # noqa: PLC0415 - it may not be there
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("mextrain"):
            raise
        message = f"mextrain: {missing.name} is missing; run: pip install 'mextrain[service]'"
        raise SystemExit(message) from None
    run()
