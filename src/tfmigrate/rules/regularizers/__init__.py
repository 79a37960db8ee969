"""Rules for regularizers of weights."""
