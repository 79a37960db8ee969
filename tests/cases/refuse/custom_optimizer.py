# refuse: a subclass of tf.train.Optimizer
import tensorflow as tf


class SignSGD(tf.train.Optimizer):  # here
    def __init__(self, rate):
        super(SignSGD, self).__init__(False, "SignSGD")
        self._rate = rate

    def _apply_dense(self, grad, var):
        return var.assign_sub(self._rate * tf.sign(grad))


w = tf.Variable(1.0)
loss = tf.square(w)
train = SignSGD(0.25).minimize(loss)  # here
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    print(sess.run(w))
