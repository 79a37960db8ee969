import numpy as np
import tensorflow as tf

rng = np.random.RandomState(12)
X = rng.rand(8, 3).astype(np.float32)
T = rng.rand(8, 2).astype(np.float32)
K = rng.randn(3, 2).astype(np.float32)


class LinearModel(object):
    def __init__(self, lr):
        self.input = tf.placeholder(tf.float32, [None, 3])
        self.target = tf.placeholder(tf.float32, [None, 2])
        self.kernel = tf.get_variable('kernel', initializer=tf.constant(K))
        self.output = tf.matmul(self.input, self.kernel)
        self.loss = tf.losses.mean_squared_error(self.target, self.output)
        self.global_step = tf.Variable(0, trainable=False, name='global_step')
        self.updates = tf.train.AdagradOptimizer(lr).minimize(self.loss, global_step=self.global_step)

    def train(self, session, inputs, targets):
        loss, _, step = session.run([self.loss, self.updates, self.global_step],
                                    feed_dict={self.input: inputs, self.target: targets})
        return loss, step

    def test(self, session, inputs):
        return session.run(self.output, feed_dict={self.input: inputs})


model = LinearModel(0.3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        print(*model.train(sess, X, T))
    print(model.test(sess, X[:2]))
print('steps done')
