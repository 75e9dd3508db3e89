"""Generated from ``proto/mextrain/v1`` by ``make gen``; never edited by hand."""
