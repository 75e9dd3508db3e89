"""The command line ``mextrain``: one file per command."""

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
