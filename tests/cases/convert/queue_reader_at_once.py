# Rows of a file, by a reader that has no name.
import os
import tempfile
import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "rows.csv")
open(path, "w").write("1,2\n3,4\n")
queue = tf.train.string_input_producer([path], shuffle=False)
_, line = tf.TextLineReader().read(queue)
a, b = tf.decode_csv(line, [[0.0], [0.0]])
with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(coord=coord, sess=sess)
    for i in range(3):
        print("%g %g" % tuple(sess.run([a, b])))
    coord.request_stop()
    coord.join(threads)
