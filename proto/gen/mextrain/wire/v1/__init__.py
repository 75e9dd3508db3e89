"""Generated from ``proto/mextrain/wire/v1`` by ``make gen``; never edited by hand."""
