"""Generated from ``proto/mextrain/wire`` by ``make gen``; never edited by hand."""
