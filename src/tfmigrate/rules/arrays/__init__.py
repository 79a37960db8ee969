"""Rules for the shape and order of arrays."""
