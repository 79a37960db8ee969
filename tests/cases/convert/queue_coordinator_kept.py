# A program that asks its Coordinator again after it has asked for the end: it keeps it.
import numpy as np
import tensorflow as tf

rows = tf.train.slice_input_producer([np.arange(5)], shuffle=False)
batch = tf.train.batch(rows, batch_size=2)
doubled = batch * 2

with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    step = 0
    while not coord.should_stop():
        print(step, sess.run(doubled))
        step += 1
        if step == 4:
            coord.request_stop()
    coord.join(threads)
    print("stopped", coord.should_stop())
