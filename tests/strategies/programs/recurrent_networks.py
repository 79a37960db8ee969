import numpy as np
import tensorflow as tf


def main():
    rng = np.random.RandomState(4)
    x = tf.placeholder(tf.float32, [None, 5, 3])
    lengths = tf.placeholder(tf.int32, [None])
    y = tf.placeholder(tf.float32, [None, 2])
    lstm = tf.nn.rnn_cell.LSTMCell(4, initializer=tf.constant_initializer(0.1))
    outputs, state = tf.nn.dynamic_rnn(lstm, x, sequence_length=lengths, dtype=tf.float32)
    gru = tf.nn.rnn_cell.GRUCell(3, kernel_initializer=tf.constant_initializer(-0.2))
    steps, _ = tf.nn.static_rnn(gru, tf.unstack(x, 5, 1), dtype=tf.float32)
    features = tf.concat([state.h, outputs[:, 1], steps[-1]], 1)
    prediction = tf.layers.dense(features, 2, kernel_initializer=tf.constant_initializer(np.arange(22) % 3 - 1.0))
    loss = tf.reduce_mean(tf.square(prediction - y))
    train_step = tf.train.AdamOptimizer(0.05).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(12):
            batch = rng.randn(8, 5, 3)
            feed = {x: batch, lengths: rng.randint(0, 6, 8), y: batch[:, 0, :2]}
            _, value = sess.run([train_step, loss], feed_dict=feed)
            if i % 3 == 0:
                print("loss %.6f" % value)


if __name__ == "__main__":
    main()
