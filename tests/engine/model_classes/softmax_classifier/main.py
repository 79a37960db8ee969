import numpy as np
import tensorflow as tf


class Model:
    def __init__(self, n_in, n_out, lr=0.1):
        self.n_in = n_in
        self.n_out = n_out
        self.lr = lr
        self.x = tf.placeholder(tf.float32, [None, n_in], name='x')
        self.y = tf.placeholder(tf.float32, [None, n_out], name='y')
        self.w = tf.Variable(tf.constant(W0))
        self.b = tf.Variable(tf.zeros([n_out]))
        self.logits = tf.matmul(self.x, self.w) + self.b
        self.loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=self.logits, labels=self.y))
        self.train_op = tf.train.GradientDescentOptimizer(self.lr).minimize(self.loss)
        self.correct = tf.equal(tf.argmax(self.logits, 1), tf.argmax(self.y, 1))
        self.accuracy = tf.reduce_mean(tf.cast(self.correct, tf.float32))


rng = np.random.RandomState(0)
W0 = rng.randn(4, 3).astype(np.float32)
X = rng.rand(16, 4).astype(np.float32)
Y = np.eye(3)[rng.randint(0, 3, 16)].astype(np.float32)

model = Model(4, 3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        _, loss = sess.run([model.train_op, model.loss], feed_dict={model.x: X, model.y: Y})
        print('epoch', epoch, 'loss %.5f' % loss)
    acc = sess.run(model.accuracy, {model.x: X, model.y: Y})
    print('acc', acc)
