"""Input queues of files and arrays, rewritten as tf.data pipelines before the program is analysed anew."""
