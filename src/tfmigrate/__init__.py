"""Rewrites TensorFlow 1 Session programs into TensorFlow 2, runs both and reports whether they agree."""

__version__ = "0.1.0"
