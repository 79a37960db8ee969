import numpy as np
import tensorflow as tf

rng = np.random.RandomState(53)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Net(object):
    """A net."""

    def __init__(self, config):
        self.config = config
        self.add_placeholders()
        self.pred = self.add_prediction_op()
        self.loss = self.add_loss_op(self.pred)
        self.train_op = self.add_training_op(self.loss)

    def add_placeholders(self):
        self.x = tf.placeholder(tf.float32, (None, self.config.n_in))
        self.t = tf.placeholder(tf.float32, (None, self.config.n_out))

    def add_prediction_op(self):
        w = tf.Variable(W)
        b = tf.Variable(tf.zeros([self.config.n_out]))
        pred = tf.nn.softmax(tf.matmul(self.x, w) + b)
        return pred

    def add_loss_op(self, pred):
        loss = tf.reduce_mean(tf.square(pred - self.t))
        return loss

    def add_training_op(self, loss):
        optimizer = tf.train.GradientDescentOptimizer(self.config.lr)
        train_op = optimizer.minimize(loss)
        return train_op

    def create_feed_dict(self, x, t=None):
        feed_dict = {self.x: x}
        if t is not None:
            feed_dict[self.t] = t
        return feed_dict

    def train_on_batch(self, sess, x, t):
        feed = self.create_feed_dict(x, t)
        _, loss = sess.run([self.train_op, self.loss], feed_dict=feed)
        return loss

    def predict(self, sess, x):
        return sess.run(self.pred, feed_dict=self.create_feed_dict(x))


class Config(object):
    n_in = 4
    n_out = 2
    lr = 0.5


def main():
    config = Config()
    with tf.Graph().as_default():
        model = Net(config)
        init = tf.global_variables_initializer()
        with tf.Session() as sess:
            sess.run(init)
            for i in range(3):
                print(model.train_on_batch(sess, X, T))
            print(model.predict(sess, X[:2]))


if __name__ == '__main__':
    main()
