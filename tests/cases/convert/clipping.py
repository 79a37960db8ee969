# compute_gradients, clip each; tf.gradients, clip by global norm, apply.
import tensorflow as tf

x = tf.placeholder(tf.float32, [2])
a = tf.Variable([1.0, 2.0], name="a")
b = tf.Variable(3.0, name="b")
unused = tf.Variable(7.0, name="unused")
loss = tf.reduce_sum(tf.square(a * x) + b)
opt = tf.train.GradientDescentOptimizer(0.1)
pairs = opt.compute_gradients(loss)
clipped = [(tf.clip_by_value(g, -0.5, 0.5), v) for g, v in pairs if g is not None]
train1 = opt.apply_gradients(clipped)
tvars = tf.trainable_variables()[:2]
grads, norm = tf.clip_by_global_norm(tf.gradients(loss, tvars), 1.0)
train2 = tf.train.AdamOptimizer(0.1).apply_gradients(zip(grads, tvars))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train1, {x: [1.0, 2.0]})
    print(sess.run([a, b]))
    for _ in range(3):
        _, n = sess.run([train2, norm], {x: [1.0, 2.0]})
        print("%.5f" % n)
    print(sess.run([a, b, unused]))
