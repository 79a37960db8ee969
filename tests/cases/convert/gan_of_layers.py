# Two networks of layers made in helpers, one called twice with its variables reused; lists of variables by scope and by name.
import tensorflow as tf


def generator(z):
    with tf.variable_scope("G"):
        hidden = tf.layers.dense(z, 3, tf.nn.tanh, kernel_initializer=tf.constant_initializer(0.3))
        return tf.layers.dense(hidden, 2, kernel_initializer=tf.constant_initializer(-0.2), name="out")


def discriminator(x, reuse=None):
    with tf.variable_scope("D") as scope:
        if reuse: scope.reuse_variables()
        w = tf.get_variable("w", [2, 3], initializer=tf.constant_initializer(0.4))
        hidden = tf.nn.sigmoid(tf.matmul(x, w), name=scope.name)
        return tf.layers.dense(hidden, 1, kernel_initializer=tf.constant_initializer(0.1))


z = tf.placeholder(tf.float32, [None, 1])
x = tf.placeholder(tf.float32, [None, 2])
fake = generator(z)
real_score = discriminator(x)
fake_score = discriminator(fake, True)
d_loss = tf.reduce_mean(tf.nn.softplus(-real_score)) + tf.reduce_mean(tf.nn.softplus(fake_score))
g_loss = tf.reduce_mean(tf.nn.softplus(-fake_score))
d_variables = [v for v in tf.trainable_variables() if v.name.startswith("D/")]
g_variables = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="G")
d_train = tf.train.GradientDescentOptimizer(0.5).minimize(d_loss, var_list=d_variables)
g_train = tf.train.MomentumOptimizer(0.5, 0.9).minimize(g_loss, var_list=g_variables)
decay = tf.add_n([tf.nn.l2_loss(v) for v in g_variables])
feed = {z: [[1.0], [-2.0]], x: [[1.0, 0.5], [2.0, -1.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(4):
        sess.run(d_train, feed)
        sess.run(g_train, {z: feed[z]})
        print(sess.run([d_loss, g_loss], feed), sess.run(fake, {z: [[1.0]]}))
    print(sess.run(decay, {z: [[1.0]]}))
