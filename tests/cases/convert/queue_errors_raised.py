# An error that is given to the Coordinator is raised when the threads are joined.
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
        try:
            while not coord.should_stop():
                print(sess.run(b))
                raise ValueError("mine")
        except Exception as e:
            coord.request_stop(e)
        finally:
            coord.request_stop()
            coord.join(threads)
    except ValueError as error:
        print("raised", error)
