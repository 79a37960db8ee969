import numpy as np
import tensorflow as tf

rng = np.random.RandomState(77)
X = rng.rand(8, 4).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
W = rng.randn(4, 2).astype(np.float32)


class DQN:
    def __init__(self):
        self.s = tf.placeholder(tf.float32, [None, 4])
        self.q_target = tf.placeholder(tf.float32, [None, 2])
        with tf.variable_scope('eval'):
            self.w = tf.get_variable('w', initializer=tf.constant(W))
            self.q = tf.matmul(self.s, self.w)
        with tf.variable_scope('target'):
            self.tw = tf.get_variable('w', initializer=tf.constant(W * 0.5))
            self.q_next = tf.matmul(self.s, self.tw)
        self.replace = tf.assign(self.tw, self.w)
        self.soft = self.tw.assign(0.9 * self.tw + 0.1 * self.w)
        self.loss = tf.reduce_mean(tf.squared_difference(self.q_target, self.q))
        self.train_op = tf.train.RMSPropOptimizer(0.01).minimize(self.loss)
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())
        self.counter = 0

    def learn(self, s):
        if self.counter % 2 == 0:
            self.sess.run(self.replace)
        q_next = self.sess.run(self.q_next, {self.s: s})
        _, cost = self.sess.run([self.train_op, self.loss], {self.s: s, self.q_target: 1.0 + 0.9 * q_next})
        self.sess.run(self.soft)
        self.counter += 1
        return cost


agent = DQN()
for i in range(4):
    print(agent.learn(X))
print(agent.sess.run(agent.tw))
