# refuse: a registered gradient and gradient_override_map
import tensorflow as tf


@tf.RegisterGradient("PassThrough")  # here
def pass_through(op, grad):
    return grad * 0.5


x = tf.placeholder(tf.float32, [])
g = tf.get_default_graph()
with g.gradient_override_map({"Identity": "PassThrough"}):  # here
    y = tf.identity(x * 3.0)
dx = tf.gradients(y, x)[0]
with tf.Session() as sess:
    print(sess.run([y, dx], {x: 1.0}))
