import numpy as np
import tensorflow as tf

units, layers = 3, 2
numbers = np.random.RandomState(5)
x = tf.placeholder(tf.float32, [None, 4, 2], name="x")
lengths = tf.placeholder(tf.int32, [None])
y = tf.placeholder(tf.float32, [None, 1])


def layer():
    return tf.nn.rnn_cell.GRUCell(units)


with tf.variable_scope("encoder"):
    stacked = tf.nn.rnn_cell.MultiRNNCell([layer() for _ in range(layers)])
    outputs, state = tf.nn.dynamic_rnn(stacked, x, sequence_length=lengths, dtype=tf.float32)
cell = tf.contrib.rnn.LSTMCell(units, use_peepholes=True)
first = tf.contrib.rnn.LSTMStateTuple(state[0], state[1])
(forward, backward), states = tf.nn.bidirectional_dynamic_rnn(
    cell, tf.contrib.rnn.BasicLSTMCell(units), outputs, lengths, initial_state_fw=first, dtype=tf.float32)
step = tf.nn.rnn_cell.BasicRNNCell(2)
hidden = step.zero_state(3, tf.float32)
for t in range(2):
    output, hidden = step(forward[:, t], hidden)
prediction = tf.reduce_sum(tf.concat([states[0].h, states[1][0], output], 1), 1, keepdims=True)
loss = tf.reduce_mean(tf.square(prediction - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
variables = tf.trainable_variables()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print([v.op.name for v in variables])
    sess.run([v.assign(0.3 * numbers.randn(*v.shape.as_list())) for v in variables])
    feed = {x: numbers.randn(3, 4, 2), lengths: [1, 4, 0], y: numbers.randn(3, 1)}
    for _ in range(5):
        value, _ = sess.run([loss, train], feed_dict=feed)
        print("%.5f" % value)
    final, top = sess.run([states, state], feed_dict={x: numbers.randn(3, 4, 2), lengths: [2, 3, 4]})
    print("%.5f %.5f" % (final[0].c.sum(), top[-1].sum()))
