"""Momentum training whose learning rate the host decides: it is halved when the validation loss has not fallen twice."""
import numpy as np
import tensorflow as tf

EPOCHS = 20
BATCH = 40

np.random.seed(31)
X_all = np.random.randn(600, 8)
Y_all = np.tanh(0.5 * X_all.dot(np.random.randn(8, 3))) + 0.05 * np.random.randn(600, 3)
X_train, Y_train = X_all[:480], Y_all[:480]
X_valid, Y_valid = X_all[480:], Y_all[480:]


def build_network(features, n_hidden=20):
    limits = np.linspace(-0.5, 0.5, 8 * n_hidden).reshape(8, n_hidden)
    w_in = tf.Variable(limits, dtype=tf.float32, name="w_in")
    b_in = tf.Variable(np.zeros(n_hidden), dtype=tf.float32, name="b_in")
    w_out = tf.Variable(np.sin(np.arange(n_hidden * 3)).reshape(n_hidden, 3) * 0.3, dtype=tf.float32, name="w_out")
    return tf.matmul(tf.nn.elu(tf.matmul(features, w_in) + b_in), w_out)


def train():
    features = tf.placeholder(tf.float32, shape=(None, 8), name="features")
    targets = tf.placeholder(tf.float32, shape=(None, 3), name="targets")
    learning_rate = tf.placeholder(tf.float32, shape=[], name="learning_rate")

    outputs = build_network(features)
    mse = tf.losses.mean_squared_error(labels=targets, predictions=outputs)
    step = tf.train.MomentumOptimizer(learning_rate, momentum=0.9).minimize(mse)

    rate = 0.1
    best, waited = float("inf"), 0
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(EPOCHS):
            order = np.random.permutation(len(X_train))
            for begin in range(0, len(order), BATCH):
                rows = order[begin:begin + BATCH]
                sess.run(step, {features: X_train[rows], targets: Y_train[rows], learning_rate: rate})
            valid = sess.run(mse, {features: X_valid, targets: Y_valid})
            waited = 0 if valid < best else waited + 1
            best = min(best, valid)
            if waited == 2:
                rate, waited = rate / 2, 0
                print("epoch {:2d}: rate lowered to {:.5f}".format(epoch, rate))
            if epoch % 5 == 4:
                print("epoch {:2d}: validation loss {:.5f}".format(epoch, valid))
        print("best validation loss {:.5f}".format(best))


if __name__ == "__main__":
    train()
