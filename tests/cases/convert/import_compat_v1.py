# Written against tensorflow.compat.v1, with v2 behaviour off.
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()

a = tf.placeholder(tf.float32, shape=())
c = tf.get_variable("c", shape=(), initializer=tf.constant_initializer(3.0))
cost = tf.square(a * c - 1.0)
opt = tf.train.GradientDescentOptimizer(0.05).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for k in range(4):
        _, before = sess.run([opt, cost], feed_dict={a: 2.0})
        print(k, "%.6f" % before)
    print("c %.6f" % sess.run(c))
