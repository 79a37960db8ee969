# The end of the data ends a block; an error given to the Coordinator is raised when the threads are joined.
import numpy as np
import tensorflow as tf

[number] = tf.train.slice_input_producer([np.arange(4.0)], shuffle=False, num_epochs=1)
square = tf.square(number)
[other] = tf.train.slice_input_producer([np.arange(3.0)], shuffle=False, num_epochs=2)

with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    with coord.stop_on_exception():
        while not coord.should_stop():
            print(sess.run(square))
    print("first done")

with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        while not coord.should_stop():
            print(sess.run(other))
    except Exception as e:
        # Report exceptions to the coordinator.
        coord.request_stop(e)
    finally:
        coord.request_stop()
        coord.join(threads)
    print("second done")
