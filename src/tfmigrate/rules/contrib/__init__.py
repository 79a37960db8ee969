"""Rules for small functions of `tf.contrib`."""
