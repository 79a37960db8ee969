# Gradients that TensorFlow 1 gives as None: no path of differentiable ops leads to the source. Names of slots.
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", initializer=[1.0, 2.0])
t = tf.get_variable("t", initializer=[3.0, 4.0])
apart = tf.get_variable("apart", initializer=5.0)
count = []


def noisy(a):
    count.append(len(count))
    return a + np.float32(len(count))


h = tf.py_func(noisy, [x], tf.float32)
h.set_shape([2])
loss = tf.reduce_sum(tf.square(w * h - tf.stop_gradient(t * x))) + 0.5 * tf.nn.l2_loss(w)
gx, gw, gt = tf.gradients(loss, [x, w, t])
direct, none = tf.gradients(tf.reduce_mean(tf.exp(x) * 2.0), [x, apart])
optimizer = tf.train.RMSPropOptimizer(0.1, momentum=0.5)
print(optimizer.get_slot_names())
pairs = optimizer.compute_gradients(loss)
train = optimizer.apply_gradients(pairs)
adam = tf.train.AdamOptimizer(0.1)
both = adam.minimize(loss, var_list=[w])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(gx, gt, none, gx is None, [(v.op.name, g is None) for g, v in pairs])
    print(np.round(sess.run(gw, {x: [1.0, 2.0]}), 4), np.round(sess.run(direct, {x: [0.5, 0.0]}), 5))
    for _ in range(3):
        sess.run(train, {x: [1.0, 0.5]})
        sess.run(both, {x: [0.5, 0.5]})
    print(np.round(sess.run(w), 5), sess.run(t), sess.run(apart), len(count))
print(optimizer.get_slot_names(), adam.get_slot_names())
