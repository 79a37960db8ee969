# Reading and batching under name scopes and devices.
import numpy as np
import tensorflow as tf
data = np.arange(8.0)
with tf.name_scope("input"):
    x, i = tf.train.slice_input_producer([data, np.arange(8)], shuffle=False)
    x = x + 0.5
    with tf.device("/cpu:0"):
        b, n = tf.train.batch([x, i], 2, num_threads=1)
s = tf.reduce_sum(b)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    for k in range(3):
        print(sess.run([s, n])[0], sess.run(n))
    coord.request_stop()
    coord.join(threads)
