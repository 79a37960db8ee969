# Shuffled files and examples: in an epoch each comes once, whatever the order.
import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
for k in range(3):
    with open(os.path.join(folder, "%d.txt" % k), "w") as f:
        f.write("number\n" + "".join("%d\n" % (10 * k + i) for i in range(4)))
files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

filename_queue = tf.train.string_input_producer(files, num_epochs=2, seed=3)
reader = tf.TextLineReader(skip_header_lines=1)
_, line = reader.read(filename_queue)
number = tf.string_to_number(line, out_type=tf.int32)
numbers, squares = tf.train.shuffle_batch(
    [number, number * number], batch_size=6, capacity=50, min_after_dequeue=10, num_threads=2)

rows, weights = tf.train.slice_input_producer([np.arange(6), np.arange(6) / 2.0], num_epochs=1, seed=1)

with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    seen = []
    try:
        while True:
            some, others = sess.run([numbers, squares])
            assert (others == some * some).all()
            seen.extend(some.tolist())
    except tf.errors.OutOfRangeError:
        print(sorted(seen))
    seen = []
    try:
        while True:
            row, weight = sess.run([rows, weights])
            assert weight * 2 == row
            seen.append(int(row))
    except tf.errors.OutOfRangeError:
        print(sorted(seen))
    coord.request_stop()
    coord.join(threads)
