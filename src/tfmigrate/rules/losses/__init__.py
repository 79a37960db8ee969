"""Rules for `tf.losses` and `tf.contrib.losses`."""
