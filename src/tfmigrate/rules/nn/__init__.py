"""Rules for the ops of neural networks."""
