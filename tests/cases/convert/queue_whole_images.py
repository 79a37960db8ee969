# Whole image files with their names, one by one.
import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
with tf.Session() as sess:
    pixels = tf.placeholder(tf.uint8, [None, None, 1])
    encoded = tf.image.encode_png(pixels)
    for i in range(3):
        content = sess.run(encoded, {pixels: np.full([2 + i, 3, 1], 40 * i, np.uint8)})
        with open(os.path.join(folder, "%d.png" % i), "wb") as f:
            f.write(content)

filenames = [os.path.join(folder, "%d.png" % i) for i in range(3)]
queue = tf.train.string_input_producer(filenames, shuffle=False)
reader = tf.WholeFileReader()
key, content = reader.read(queue)
image = tf.image.decode_png(content, channels=1)
mean = tf.reduce_mean(tf.cast(image, tf.float32))

with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    for i in range(4):
        name, im, m = sess.run([key, image, mean])
        print(os.path.basename(name.decode()), im.shape, m)
    print(sess.run(mean))
    coord.request_stop()
    coord.join(threads)
