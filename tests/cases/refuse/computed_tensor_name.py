# refuse: a tensor is looked up by a name computed at run time
import sys
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
double = tf.multiply(x, 2.0, name="double")
triple = tf.multiply(x, 3.0, name="triple")
wanted = sys.argv[1] if len(sys.argv) > 1 else "double"
with tf.Session() as sess:
    out = tf.get_default_graph().get_tensor_by_name(wanted + ":0")  # here
    print(sess.run(out, {x: 4.0}))  # here
