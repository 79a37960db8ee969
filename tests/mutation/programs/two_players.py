"""A generator and a discriminator, each with an optimizer of its own that may change only its own variables.

After reports of adversarial networks that did not learn once `var_list` was lost.
"""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(11)

tf.set_random_seed(11)
real = tf.placeholder(tf.float32, [None, 4])
noise = tf.placeholder(tf.float32, [None, 3])
with tf.variable_scope("generator"):
    g_w = tf.get_variable("w", [3, 4], initializer=tf.random_normal_initializer(stddev=0.5))
    g_b = tf.get_variable("b", [4], initializer=tf.zeros_initializer())
with tf.variable_scope("discriminator"):
    d_w1 = tf.get_variable("w1", [4, 12], initializer=tf.random_normal_initializer(stddev=0.5))
    d_b1 = tf.get_variable("b1", [12], initializer=tf.constant_initializer(0.1))
    d_w2 = tf.get_variable("w2", [12, 1], initializer=tf.random_normal_initializer(stddev=0.5))


def discriminator(value):
    return tf.matmul(tf.nn.relu(tf.matmul(value, d_w1) + d_b1), d_w2)


fake = tf.matmul(noise, g_w) + g_b
d_real = discriminator(real)
d_fake = discriminator(fake)
d_loss = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=d_real, labels=tf.ones_like(d_real))
) + tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=d_fake, labels=tf.zeros_like(d_fake)))
g_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=d_fake, labels=tf.ones_like(d_fake)))
d_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(d_loss, var_list=[d_w1, d_b1, d_w2])
g_train = tf.train.RMSPropOptimizer(0.01).minimize(g_loss, var_list=[g_w, g_b])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(40):
        batch = (rng.randn(32, 4) * 0.5 + [1, -1, 2, 0]).astype(np.float32)
        z = rng.uniform(-1, 1, (32, 3)).astype(np.float32)
        _, d_value = sess.run([d_train, d_loss], {real: batch, noise: z})
        _, g_value = sess.run([g_train, g_loss], {noise: z})
        if step % 8 == 0:
            print("step %d: discriminator %.5f, generator %.5f" % (step, d_value, g_value))
    print("generated mean", np.round(sess.run(fake, {noise: z}).mean(axis=0), 4))
