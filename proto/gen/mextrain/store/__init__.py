"""Generated from ``proto/mextrain/store`` by ``make gen``; never edited by hand."""
