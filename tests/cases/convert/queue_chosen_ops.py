# Conditions and loops among the ops between a queue and its batches.
import numpy as np
import tensorflow as tf
data = np.arange(8.0)
import sys
augment = len(sys.argv) > 5
x, i = tf.train.slice_input_producer([data, np.arange(8)], shuffle=False)
if augment:
    x = x * 100.0
else:
    x = x + 1.0
for k in range(2):
    x = x * 2.0
b, n = tf.train.batch([x, i], 2)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    print(sess.run(b), sess.run(n))
    coord.request_stop()
    coord.join(threads)
