"""Rules for lookup tables."""
