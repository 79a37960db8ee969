"""Rules for initializers of variables."""
