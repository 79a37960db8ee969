# refuse: variables are frozen into a GraphDef that is imported again
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = tf.add(x, tf.Variable(1.5), name="y")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, ["y"])  # here
with tf.Graph().as_default():
    out, = tf.import_graph_def(frozen, return_elements=["y:0"])  # here
    with tf.Session() as sess:
        print(sess.run(out, {"import/x:0": 2.0}))
