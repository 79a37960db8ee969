import numpy as np
import tensorflow as tf

rng = np.random.RandomState(78)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class Actor(object):
    def __init__(self, sess, lr=0.01):
        self.sess = sess
        self.s = tf.placeholder(tf.float32, [1, 4], "state")
        self.a = tf.placeholder(tf.int32, None, "act")
        self.td_error = tf.placeholder(tf.float32, None, "td_error")
        with tf.variable_scope('Actor'):
            w = tf.get_variable('w', initializer=tf.constant(W))
            self.acts_prob = tf.nn.softmax(tf.matmul(self.s, w))
        with tf.variable_scope('exp_v'):
            log_prob = tf.log(self.acts_prob[0, self.a])
            self.exp_v = tf.reduce_mean(log_prob * self.td_error)
        with tf.variable_scope('train'):
            self.train_op = tf.train.AdamOptimizer(lr).minimize(-self.exp_v)

    def learn(self, s, a, td):
        s = s[np.newaxis, :]
        feed_dict = {self.s: s, self.a: a, self.td_error: td}
        _, exp_v = self.sess.run([self.train_op, self.exp_v], feed_dict)
        return exp_v


class Critic(object):
    def __init__(self, sess, lr=0.05):
        self.sess = sess
        self.s = tf.placeholder(tf.float32, [1, 4], "state")
        self.v_ = tf.placeholder(tf.float32, [1, 1], "v_next")
        self.r = tf.placeholder(tf.float32, None, 'r')
        with tf.variable_scope('Critic'):
            w = tf.get_variable('w', initializer=tf.constant(W[:, :1]))
            self.v = tf.matmul(self.s, w)
        with tf.variable_scope('squared_TD_error'):
            self.td_error = self.r + 0.9 * self.v_ - self.v
            self.loss = tf.square(self.td_error)
        with tf.variable_scope('train'):
            self.train_op = tf.train.AdamOptimizer(lr).minimize(self.loss)

    def learn(self, s, r, s_):
        s, s_ = s[np.newaxis, :], s_[np.newaxis, :]
        v_ = self.sess.run(self.v, {self.s: s_})
        td_error, _ = self.sess.run([self.td_error, self.train_op], {self.s: s, self.v_: v_, self.r: r})
        return td_error


sess = tf.Session()
actor = Actor(sess)
critic = Critic(sess)
sess.run(tf.global_variables_initializer())
for i in range(5):
    td = critic.learn(X[i], 1.0 + i, X[i + 1])
    print(td, actor.learn(X[i], i % 2, td[0, 0]))
