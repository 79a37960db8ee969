# Variable scopes, reuse, names fetched from collections.
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("net"):
    w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer([[1.0, 2.0], [3.0, 4.0]]))
    with tf.variable_scope("inner"):
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
    first = tf.matmul(x, w) + b
with tf.variable_scope("net", reuse=True):
    again = tf.get_variable("w")
    second = tf.matmul(first, again)
with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
    third = tf.matmul(second, tf.get_variable("w", [2, 2]))
names = [v.name for v in tf.trainable_variables()]
inner = [v for v in tf.trainable_variables() if v.name.startswith("net/inner")]
train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_sum(first), var_list=inner)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train, {x: [[1.0, 1.0]]})
    print(names)
    print(sess.run([first, third], {x: [[1.0, 0.0]]}))
    print(sess.run(w - again), sess.run(b))
