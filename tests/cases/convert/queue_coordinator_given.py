# A function is given the Coordinator, which stays.
import numpy as np
import tensorflow as tf
data = np.arange(8.0)
[x] = tf.train.slice_input_producer([data], num_epochs=1, shuffle=False)
b = tf.train.batch([x], 3)
def loop(sess, coord):
    while not coord.should_stop():
        print(sess.run(b))
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        loop(sess, coord)
    except tf.errors.OutOfRangeError:
        print("end")
    finally:
        coord.request_stop()
    coord.join(threads)
