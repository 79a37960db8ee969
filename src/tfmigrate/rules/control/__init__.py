"""Rules for control flow and printing inside a graph."""
