# refuse: a function that calls itself makes variables on the way
import tensorflow as tf


def tower(x, depth):  # here
    if depth == 0:
        return x
    w = tf.get_variable("w%d" % depth, [], initializer=tf.constant_initializer(2.0))  # here
    return tower(x * w, depth - 1)  # here


x = tf.placeholder(tf.float32, [])
y = tower(x, 3)  # here
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: 1.5}))
