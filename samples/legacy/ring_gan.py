"""A generative adversarial network that learns points on a ring: two optimizers, each for the variables of one side."""
import numpy as np
import tensorflow as tf

BATCH = 64
NOISE = 4
STEPS = 300


def ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (points + 0.05 * rng.randn(n, 2)).astype(np.float32)


def generator(z):
    with tf.variable_scope("generator"):
        hidden = tf.layers.dense(z, 32, activation=tf.nn.relu, name="hidden")
        return tf.layers.dense(hidden, 2, name="points")


def discriminator(x, reuse=False):
    with tf.variable_scope("discriminator", reuse=reuse):
        hidden = tf.layers.dense(x, 32, activation=tf.nn.leaky_relu, name="hidden")
        return tf.layers.dense(hidden, 1, name="logits")


tf.set_random_seed(11)
real = tf.placeholder(tf.float32, [None, 2], name="real")
z = tf.placeholder(tf.float32, [None, NOISE], name="z")

fake = generator(z)
real_logits = discriminator(real)
fake_logits = discriminator(fake, reuse=True)

# The discriminator tells real from fake; the generator wants its points to be taken for real.
d_loss_real = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=real_logits, labels=tf.ones_like(real_logits)))
d_loss_fake = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=fake_logits, labels=tf.zeros_like(fake_logits)))
d_loss = d_loss_real + d_loss_fake
g_loss = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=fake_logits, labels=tf.ones_like(fake_logits)))

variables = tf.trainable_variables()
d_variables = [v for v in variables if v.name.startswith("discriminator")]
g_variables = [v for v in variables if v.name.startswith("generator")]

d_train = tf.train.AdamOptimizer(0.002, beta1=0.5).minimize(d_loss, var_list=d_variables)
g_train = tf.train.AdamOptimizer(0.002, beta1=0.5).minimize(g_loss, var_list=g_variables)

rng = np.random.RandomState(5)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(STEPS):
        feed = {real: ring(rng, BATCH), z: rng.randn(BATCH, NOISE)}
        _, d_value = sess.run([d_train, d_loss], feed_dict=feed)
        _, g_value = sess.run([g_train, g_loss], feed_dict={z: rng.randn(BATCH, NOISE)})
        if step % 50 == 0:
            print("step %d discriminator %.4f generator %.4f" % (step, d_value, g_value))
    points = sess.run(fake, feed_dict={z: rng.randn(8, NOISE)})
    print("distance from the middle:", np.round(np.sqrt((points ** 2).sum(axis=1)), 3))
