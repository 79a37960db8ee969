"""What each value of a step becomes when replicas take parts of the batch, and how their results come together."""
