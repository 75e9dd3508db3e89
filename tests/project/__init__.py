"""The project about itself: packaging, layers, documents and the contract agree with the code."""
