"""Weight decay by a regularizer of contrib, and gradients clipped by their global norm.

After reports of an L2 term twice too large, one left out of the loss, and clipping by each norm apart.
"""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(7)
data = rng.randn(256, 8).astype(np.float32)
target = (5 * np.tanh(data.dot(rng.randn(8, 1)))).astype(np.float32)

tf.set_random_seed(7)
x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 1])
weight_decay = tf.contrib.layers.l2_regularizer(0.02)
with tf.variable_scope("net"):
    w1 = tf.get_variable("w1", [8, 16], initializer=tf.random_normal_initializer(stddev=0.4))
    w2 = tf.get_variable("w2", [16, 1], initializer=tf.random_normal_initializer(stddev=0.4))
prediction = tf.matmul(tf.tanh(tf.matmul(x, w1)), w2)
mse = tf.reduce_mean(tf.squared_difference(prediction, y))
penalty = tf.contrib.layers.apply_regularization(weight_decay, [w1, w2])
loss = mse + penalty
optimizer = tf.train.AdamOptimizer(0.01, beta1=0.8)
gradients, variables = zip(*optimizer.compute_gradients(loss))
gradients, norm = tf.clip_by_global_norm(gradients, 2.0)
train_op = optimizer.apply_gradients(zip(gradients, variables))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(40):
        rows = rng.randint(0, 256, 32)
        _, value, part, length = sess.run([train_op, loss, penalty, norm], {x: data[rows], y: target[rows]})
        if step % 8 == 0:
            print("step %d: loss %.5f, penalty %.5f, norm %.4f" % (step, value, part, length))
    print("at the end %.5f" % sess.run(mse, {x: data, y: target}))
