# refuse: the script walks the graph's operations
import tensorflow as tf

x = tf.placeholder(tf.float32, [], name="x")
y = tf.square(x, name="square") + 1.0
ops = [op for op in tf.get_default_graph().get_operations() if op.type == "Square"]  # here
with tf.Session() as sess:
    print(sess.run(ops[0].outputs[0], {x: 3.0}))  # here
