# One reading function for training and for testing; the graph is fed from the batches by the host.
import os
import tempfile

import numpy as np
import tensorflow as tf

BATCH = 2
folder = tempfile.mkdtemp()
for name, n in (("train.csv", 4), ("test.csv", 3)):
    with open(os.path.join(folder, name), "w") as f:
        for i in range(n):
            f.write("%d,%d\n" % (i, 2 * i + 1))


def read(filename, batch_size):
    filename_queue = tf.train.string_input_producer([os.path.join(folder, filename)])
    reader = tf.TextLineReader()
    _, line = reader.read(filename_queue)
    x, y = tf.decode_csv(line, [[0.0], [0.0]])
    return tf.train.batch([x, y], batch_size=batch_size, capacity=8)


train_x, train_y = read("train.csv", BATCH)
test_x, test_y = read("test.csv", 3)

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
a = tf.Variable(0.0)
loss = tf.reduce_mean(tf.square(a * x - y))
train_op = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    threads = tf.train.start_queue_runners(sess=sess)
    for i in range(4):
        xs, ys = sess.run([train_x, train_y])
        _, value = sess.run([train_op, loss], feed_dict={x: xs, y: ys})
        print(xs, value)
    xs, ys = sess.run([test_x, test_y])
    print(xs, sess.run(loss, feed_dict={x: xs, y: ys}))
