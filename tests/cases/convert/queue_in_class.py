# A class whose method makes batches, twice.
import numpy as np
import tensorflow as tf
data = np.arange(8.0)
class Reader(object):
    def __init__(self, values):
        self.values = values
    def batch(self, size):
        [x] = tf.train.slice_input_producer([self.values], shuffle=False)
        return tf.train.batch([x + 1.0], size)
r = Reader(data)
b = r.batch(3)
c = r.batch(2)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    print(sess.run(b), sess.run(c), sess.run(b + 1.0))
    coord.request_stop()
    coord.join(threads)
