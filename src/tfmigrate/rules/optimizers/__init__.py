"""Rules for optimizers: which class, with which arguments."""
