import numpy as np
import tensorflow as tf

rng = np.random.RandomState(8)
REAL = rng.randn(8, 2).astype(np.float32) + 2
GW = rng.randn(3, 2).astype(np.float32) * 0.3
DW = rng.randn(2, 1).astype(np.float32) * 0.3


class GAN(object):
    model_name = "GAN"

    def __init__(self, sess, epoch, batch_size, z_dim):
        self.sess = sess
        self.epoch = epoch
        self.batch_size = batch_size
        self.z_dim = z_dim
        self.learning_rate = 0.02
        self.beta1 = 0.5
        self.noise = np.random.RandomState(0)

    def discriminator(self, x, reuse=False):
        with tf.variable_scope("discriminator", reuse=reuse):
            w = tf.get_variable('w', [2, 1], initializer=tf.constant_initializer(DW))
            b = tf.get_variable('b', [1], initializer=tf.constant_initializer(0.0))
            logit = tf.matmul(x, w) + b
            return tf.nn.sigmoid(logit), logit

    def generator(self, z):
        with tf.variable_scope("generator"):
            w = tf.get_variable('w', [3, 2], initializer=tf.constant_initializer(GW))
            b = tf.get_variable('b', [2], initializer=tf.constant_initializer(0.1))
            return tf.nn.tanh(tf.matmul(z, w) + b)

    def build_model(self):
        self.inputs = tf.placeholder(tf.float32, [self.batch_size, 2], name='real_images')
        self.z = tf.placeholder(tf.float32, [self.batch_size, self.z_dim], name='z')
        D_real, D_real_logits = self.discriminator(self.inputs, reuse=False)
        G = self.generator(self.z)
        D_fake, D_fake_logits = self.discriminator(G, reuse=True)
        d_loss_real = tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(logits=D_real_logits, labels=tf.ones_like(D_real)))
        d_loss_fake = tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(logits=D_fake_logits, labels=tf.zeros_like(D_fake)))
        self.d_loss = d_loss_real + d_loss_fake
        self.g_loss = tf.reduce_mean(
            tf.nn.sigmoid_cross_entropy_with_logits(logits=D_fake_logits, labels=tf.ones_like(D_fake)))
        t_vars = tf.trainable_variables()
        d_vars = [var for var in t_vars if 'discriminator' in var.name]
        g_vars = [var for var in t_vars if 'generator' in var.name]
        self.d_optim = tf.train.AdamOptimizer(self.learning_rate, beta1=self.beta1).minimize(self.d_loss, var_list=d_vars)
        self.g_optim = tf.train.AdamOptimizer(self.learning_rate * 5, beta1=self.beta1).minimize(self.g_loss, var_list=g_vars)
        self.fake_images = G

    def train(self):
        tf.global_variables_initializer().run()
        for epoch in range(self.epoch):
            z = self.noise.uniform(-1, 1, [self.batch_size, self.z_dim]).astype(np.float32)
            _, d_loss = self.sess.run([self.d_optim, self.d_loss], feed_dict={self.inputs: REAL, self.z: z})
            _, g_loss = self.sess.run([self.g_optim, self.g_loss], feed_dict={self.z: z})
            print("Epoch: [%2d] d_loss: %.6f, g_loss: %.6f" % (epoch, d_loss, g_loss))
        print(self.sess.run(self.fake_images, feed_dict={self.z: np.ones((8, 3), np.float32)})[:2])


def main():
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        gan = GAN(sess, epoch=4, batch_size=8, z_dim=3)
        gan.build_model()
        gan.train()
        print(" [*] Training finished!")


if __name__ == '__main__':
    main()
