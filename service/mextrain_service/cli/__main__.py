"""Lets ``python -m mextrain_service.cli`` do what ``mextrain`` does."""

from mextrain_service.cli.app import main

main()
