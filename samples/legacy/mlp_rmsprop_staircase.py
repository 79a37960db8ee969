"""Multilayer perceptron with RMSProp and a learning rate that falls in stairs."""
import argparse

import numpy as np
import tensorflow as tf


def weight_variable(shape):
    initial = tf.truncated_normal(shape, stddev=0.1)
    return tf.Variable(initial)


def bias_variable(shape):
    initial = tf.constant(0.1, shape=shape)
    return tf.Variable(initial)


def load_data(n=1500, seed=10):
    rng = np.random.RandomState(seed)
    x = rng.rand(n, 30).astype(np.float32)
    y = (np.sin(3 * x[:, :10].sum(axis=1)) + x[:, 10:20].sum(axis=1) - x[:, 20:].sum(axis=1) > 0).astype(np.int32)
    return x[:1200], y[:1200], x[1200:], y[1200:]


def main(args):
    x_train, y_train, x_test, y_test = load_data()
    tf.set_random_seed(args.seed)

    x = tf.placeholder(tf.float32, shape=[None, 30], name="x")
    y = tf.placeholder(tf.int32, shape=[None], name="y")

    W1 = weight_variable([30, 64])
    b1 = bias_variable([64])
    h1 = tf.nn.relu(tf.matmul(x, W1) + b1)
    W2 = weight_variable([64, 32])
    b2 = bias_variable([32])
    h2 = tf.nn.relu(tf.matmul(h1, W2) + b2)
    W3 = weight_variable([32, 2])
    b3 = bias_variable([2])
    logits = tf.matmul(h2, W3) + b3

    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    global_step = tf.Variable(0, trainable=False, name="global_step")
    learning_rate = tf.train.exponential_decay(args.lr, global_step, decay_steps=48, decay_rate=0.5, staircase=True)
    optimizer = tf.train.RMSPropOptimizer(learning_rate, decay=0.9, momentum=0.5)
    train_op = optimizer.minimize(loss, global_step=global_step)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y), tf.float32))

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(args.epochs):
            losses = []
            for start in range(0, len(x_train), args.batch_size):
                feed = {x: x_train[start:start + args.batch_size], y: y_train[start:start + args.batch_size]}
                _, batch_loss = sess.run([train_op, loss], feed_dict=feed)
                losses.append(batch_loss)
            print("epoch %d loss %.4f lr %.6f" % (epoch + 1, np.mean(losses), sess.run(learning_rate)))
        test_loss, test_accuracy = sess.run([loss, accuracy], feed_dict={x: x_test, y: y_test})
        print("test loss %.4f accuracy %.3f after %d steps" % (test_loss, test_accuracy, sess.run(global_step)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.005)
    parser.add_argument("--batch_size", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=123)
    main(parser.parse_args())
