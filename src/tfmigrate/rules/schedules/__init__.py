"""Rules for learning-rate schedules: values computed at the step."""
