"""Generated from ``proto/mextrain/store/v1`` by ``make gen``; never edited by hand."""
