"""Every random op that the harness aligns, in two runs that share some of them."""
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4], name="x")
labels = tf.constant([[3], [5]], tf.int64)
normal = tf.random_normal([3], stddev=2.0)
uniform = tf.random_uniform([3], -1.0, 1.0)
whole = tf.random_uniform([4], 0, 100, tf.int32)
truncated = tf.truncated_normal([2, 2])
dropped = tf.nn.dropout(x, 0.5)
layer_dropped = tf.layers.dropout(x, 0.25, training=True)
shuffled = tf.random_shuffle(tf.range(10))
drawn = tf.multinomial(tf.log([[0.2, 0.3, 0.5], [0.9, 0.05, 0.05]]), 6)
gamma = tf.random_gamma([2], 1.5)
table = tf.Variable(np.linspace(-1, 1, 80).reshape(20, 4).astype("float32"), name="table")
bias = tf.Variable(tf.zeros([20]), name="bias")
nce = tf.nn.nce_loss(table, bias, labels, x, num_sampled=6, num_classes=20)
sampled = tf.nn.sampled_softmax_loss(table, bias, labels, x, num_sampled=6, num_classes=20)
flipped = tf.image.random_flip_left_right(tf.reshape(tf.range(12), [2, 6, 1]))
batch = tf.data.Dataset.range(12).shuffle(5).repeat(2).batch(4).make_one_shot_iterator().get_next()
noisy = tf.data.Dataset.range(6).map(lambda v: tf.cast(v, tf.float32) + tf.random_uniform([])).make_one_shot_iterator().get_next()
start = tf.Variable(tf.random_normal([2]), name="start")

rows = np.arange(8).reshape(2, 4).astype("float32")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        plain = sess.run([normal, uniform, whole, truncated, shuffled, drawn, gamma, flipped])
        fed = sess.run([uniform, dropped, layer_dropped, nce, sampled], {x: rows})
        print(sess.run(batch), sess.run(noisy))
    print(sess.run(start))
