"""Generated from ``proto/mextrain`` by ``make gen``; never edited by hand."""
