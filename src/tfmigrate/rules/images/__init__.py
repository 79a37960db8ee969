"""Rules for `tf.image`."""
