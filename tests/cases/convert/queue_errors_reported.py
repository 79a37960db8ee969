# The end of the data is told by a handler that reports all errors to the Coordinator.
import numpy as np
import tensorflow as tf
data = np.arange(8.0)
[x] = tf.train.slice_input_producer([data], num_epochs=1, shuffle=False)
b = tf.train.batch([x], 3)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        while not coord.should_stop():
            print(sess.run(b))
    except Exception as e:
        print("stopped by", type(e).__name__)
        coord.request_stop(e)
    finally:
        print("finally")
        coord.request_stop()
        coord.join(threads)
    print("after")
