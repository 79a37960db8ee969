# refuse: the graph comes from a file, its tensors by name
import os
import tempfile
import tensorflow as tf

prefix = os.path.join(tempfile.mkdtemp(), "m")
with tf.Graph().as_default(), tf.Session() as sess:
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.multiply(x, tf.Variable(3.0), name="y")
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, prefix)
with tf.Graph().as_default(), tf.Session() as sess:
    saver = tf.train.import_meta_graph(prefix + ".meta")  # here
    saver.restore(sess, prefix)
    print(sess.run("y:0", {"x:0": 2.0}))
