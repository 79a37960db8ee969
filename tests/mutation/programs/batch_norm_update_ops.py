"""Batch normalization whose moving averages are updated by UPDATE_OPS, trained with momentum.

After reports of migrations that lost `decay`, `epsilon` or the update ops and then judged with other statistics.
"""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
data = (rng.randn(320, 6) * [1, 2, 3, 1, 2, 3] + [0, 1, 2, 3, 4, 5]).astype(np.float32)
target = (data[:, :1] * 0.5 - data[:, 1:2] * 0.25 + 0.1 * data[:, 5:]).astype(np.float32)

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [None, 6])
y = tf.placeholder(tf.float32, [None, 1])
training = tf.placeholder(tf.bool, [])

hidden = tf.layers.dense(x, 12)
hidden = tf.layers.batch_normalization(hidden, momentum=0.9, epsilon=1e-5, training=training)
hidden = tf.nn.relu(hidden)
output = tf.layers.dense(hidden, 1)
loss = tf.reduce_mean(tf.square(output - y))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train_op = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(40):
        rows = rng.randint(0, 320, 32)
        _, value = sess.run([train_op, loss], {x: data[rows], y: target[rows], training: True})
        if step % 5 == 4:
            judged = sess.run(loss, {x: data, y: target, training: False})
            print("step %d: loss %.5f, with moving averages %.5f" % (step, value, judged))
