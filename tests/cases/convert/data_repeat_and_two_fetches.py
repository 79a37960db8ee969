# Each run that needs the iterator takes one element; both fetches of a run see the same one.
import numpy as np
import tensorflow as tf

xs = np.arange(6, dtype=np.float32)
ds = tf.data.Dataset.from_tensor_slices((xs, xs * 10)).repeat(2).batch(4)
it = ds.make_one_shot_iterator()
x, y = it.get_next()
s, d = tf.reduce_sum(x), tf.reduce_sum(y) / 10.0
w = tf.Variable(0.5)
train = tf.train.GradientDescentOptimizer(0.01).minimize(tf.reduce_mean(tf.square(x * w - 2.0)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([s, d]))
    print(sess.run(s))
    sess.run(train)
    print("%.6f" % sess.run(w))
    try:
        sess.run(s)
    except tf.errors.OutOfRangeError:
        print("no more")
