"""Rules for arithmetic and reductions."""
