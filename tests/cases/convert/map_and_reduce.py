# Python's map, filter and reduce over variables and tensors, by lambdas and by functions of the program.
from functools import reduce

import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3], name="x")
weights = [
    tf.Variable(np.cos(np.arange(6, dtype=np.float32)).reshape(3, 2), name="W0"),
    tf.Variable(np.sin(np.arange(4, dtype=np.float32)).reshape(2, 2), name="W1"),
]
scales = [0.5, 0.25]


def penalty(w, scale=2.0):
    squared = tf.square(w)
    return scale * tf.reduce_sum(squared)


net = reduce(lambda h, w: tf.nn.tanh(tf.matmul(h, w)), weights, x)
norms = map(lambda w: tf.log(1.0 + tf.nn.l2_loss(w)), weights)
decay = reduce(lambda a, b: a + b, norms)
plain = tf.add_n(list(map(penalty, weights)))
scaled = sum(map(lambda w, s: penalty(w, s), weights, scales))
first = list(filter(lambda v: v.name.startswith("W0"), tf.trainable_variables()))
loss = tf.reduce_mean(tf.square(net - 1.0)) + 0.1 * decay + 0.01 * plain
optimizer = tf.train.GradientDescentOptimizer(0.2)
train = optimizer.minimize(loss, var_list=first)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(4):
        sess.run(train, {x: np.eye(3)})
        print("%.5f %.5f %.5f" % tuple(sess.run([loss, decay, scaled], {x: np.eye(3)})))
    print(np.round(sess.run(weights[1]).ravel(), 5).tolist())
