# Lines of two files in order, decoded one by one, in batches that span the files and go on for ever.
import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
for name, start in (("a", 0), ("b", 10)):
    with open(os.path.join(folder, name + ".csv"), "w") as f:
        for i in range(5):
            f.write("%d,%.1f,%d\n" % (start + i, i * 0.5, i % 3))

# The files, in order.
filename_queue = tf.train.string_input_producer(
    [os.path.join(folder, "a.csv"), os.path.join(folder, "b.csv")], shuffle=False)

reader = tf.TextLineReader()
key, value = reader.read(filename_queue)

# Default values, in case of empty columns.
record_defaults = [[1.0], [1.0], [1]]
col1, col2, col3 = tf.decode_csv(value, record_defaults=record_defaults)
features = tf.stack([col1, col2])
example_batch, label_batch = tf.train.batch([features, col3], batch_size=3)

w = tf.Variable(tf.ones([2, 1]))
loss = tf.reduce_mean(tf.matmul(example_batch, w))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(coord=coord)

    for i in range(6):
        # one batch in one run, for both
        e, l = sess.run([example_batch, label_batch])
        print(e.tolist(), l.tolist())
    for i in range(3):
        _, value = sess.run([train, loss])
        print(value)

    coord.request_stop()
    coord.join(threads)
