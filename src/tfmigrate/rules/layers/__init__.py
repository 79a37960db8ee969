"""Rules for `tf.layers` and `tf.contrib.layers`."""
