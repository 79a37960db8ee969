"""Recurrent cells and networks."""
