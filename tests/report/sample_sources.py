"""Pairs of program texts for the reports' tests: legacy Session programs and what they become."""

SLOW_BEFORE = '''\
"""Trains a small classifier; every step is slower than the last."""
import time

import numpy as np
import tensorflow as tf

BATCH = 64
STEPS = 300
LOG_EVERY = 10

rng = np.random.RandomState(7)
centres = rng.randn(5, 20) * 2.0


def next_batch():
    """Points around five centres."""
    labels = rng.randint(0, 5, BATCH)
    points = centres[labels] + rng.randn(BATCH, 20)
    return points.astype("float32"), labels


def build(points, labels, keep_prob):
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        w1 = tf.get_variable("w1", [20, 64], initializer=tf.truncated_normal_initializer(stddev=0.1))
        b1 = tf.get_variable("b1", [64], initializer=tf.zeros_initializer())
        hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(points, w1) + b1), keep_prob)
        w2 = tf.get_variable("w2", [64, 5], initializer=tf.truncated_normal_initializer(stddev=0.1))
        logits = tf.matmul(hidden, w2)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return logits, loss


points = tf.placeholder(tf.float32, [None, 20])
labels = tf.placeholder(tf.int64, [None])
keep_prob = tf.placeholder(tf.float32)

sess = tf.Session()
for step in range(STEPS):
    started = time.time()
    logits, loss = build(points, labels, keep_prob)
    train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
    if step == 0:
        sess.run(tf.global_variables_initializer())
    batch, classes = next_batch()
    _, loss_value, hits = sess.run([train_op, loss, accuracy], {points: batch, labels: classes, keep_prob: 0.8})
    saver = tf.train.Saver()
    saver.save(sess, "out/model", global_step=step)
    if step % LOG_EVERY == 0:
        print("step %d loss %.4f accuracy %.3f" % (step, loss_value, hits))
        print("took %.3f s" % (time.time() - started))
sess.close()
'''

SLOW_AFTER = '''\
"""Trains a small classifier; every step is slower than the last."""
import time

import numpy as np
import tensorflow as tf

from fused_optimizers import Adam

BATCH = 64
STEPS = 300
LOG_EVERY = 10

rng = np.random.RandomState(7)
centres = rng.randn(5, 20) * 2.0


def next_batch():
    """Points around five centres."""
    labels = rng.randint(0, 5, BATCH)
    points = centres[labels] + rng.randn(BATCH, 20)
    return points.astype("float32"), labels


class Network(tf.Module):
    def __init__(self):
        super().__init__(name="net")
        self.w1 = tf.Variable(tf.random.truncated_normal([20, 64], stddev=0.1), name="net/w1")
        self.b1 = tf.Variable(tf.zeros([64]), name="net/b1")
        self.w2 = tf.Variable(tf.random.truncated_normal([64, 5], stddev=0.1), name="net/w2")

    def __call__(self, points, labels, keep_prob):
        hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(points, self.w1) + self.b1), rate=1 - keep_prob)
        logits = tf.matmul(hidden, self.w2)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        return logits, loss


points_spec = tf.TensorSpec([None, 20], tf.float32, name="points")
labels_spec = tf.TensorSpec([None], tf.int64, name="labels")

strategy = tf.distribute.get_strategy()
with strategy.scope():
    network = Network()
    optimizer = Adam(1e-3)
    trainable_variables = [network.w1, network.b1, network.w2]
    optimizer.build(trainable_variables)


@tf.function(input_signature=[points_spec, labels_spec])
def train_step(points, labels):
    with tf.GradientTape() as tape:
        logits, loss = network(points, labels, keep_prob=0.8)
    gradients = tape.gradient(loss, trainable_variables)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
    optimizer.apply_gradients(zip(gradients, trainable_variables))
    return loss, accuracy


train_step = train_step.get_concrete_function()
checkpoint = tf.train.Checkpoint(network=network, optimizer=optimizer)
manager = tf.train.CheckpointManager(checkpoint, "out", max_to_keep=5, checkpoint_name="model")
for step in range(STEPS):
    started = time.time()
    batch, classes = next_batch()
    loss_value, hits = (value.numpy() for value in train_step(batch, classes))
    manager.save(checkpoint_number=step)
    if step % LOG_EVERY == 0:
        print("step %d loss %.4f accuracy %.3f" % (step, loss_value, hits))
        print("took %.3f s" % (time.time() - started))
'''

FLAT_BEFORE = '''\
"""Linear regression on a line with noise."""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
xs = rng.rand(200).astype("float32")
ys = (3 * xs + 0.5 + 0.05 * rng.randn(200)).astype("float32")

x = tf.placeholder(tf.float32, [None])
y = tf.placeholder(tf.float32, [None])
slope = tf.Variable(0.0, name="slope")
offset = tf.Variable(0.0, name="offset")
loss = tf.reduce_mean(tf.square(slope * x + offset - y))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(100):
        _, value = sess.run([train, loss], feed_dict={x: xs, y: ys})
        if epoch % 20 == 0:
            print("epoch", epoch, "loss", value)
    print("line:", sess.run([slope, offset]))
'''

FLAT_AFTER = '''\
"""Linear regression on a line with noise."""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
xs = rng.rand(200).astype("float32")
ys = (3 * xs + 0.5 + 0.05 * rng.randn(200)).astype("float32")

x_spec = tf.TensorSpec([None], tf.float32, name="x")
y_spec = tf.TensorSpec([None], tf.float32, name="y")
strategy = tf.distribute.get_strategy()
with strategy.scope():
    slope = tf.Variable(0.0, name="slope")
    offset = tf.Variable(0.0, name="offset")
    optimizer = tf.keras.optimizers.SGD(0.5)
    trainable_variables = [slope, offset]
    optimizer.build(trainable_variables)


@tf.function(input_signature=[x_spec, y_spec])
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope * x + offset - y))
    gradients = tape.gradient(loss, trainable_variables)
    optimizer.apply_gradients(zip(gradients, trainable_variables))
    return loss


train_step = train_step.get_concrete_function()
xs, ys = tf.constant(xs), tf.constant(ys)
for epoch in range(100):
    value = train_step(xs, ys).numpy()
    if epoch % 20 == 0:
        print("epoch", epoch, "loss", value)
print("line:", [slope.numpy(), offset.numpy()])
'''

REFUSED = """\
import tensorflow as tf
from tensorflow.contrib import slim

queue = tf.train.string_input_producer(["a.csv", "b.csv"])
reader = tf.TextLineReader()
_, row = reader.read(queue)
net = slim.fully_connected(tf.decode_csv(row, [[0.0]] * 4), 10)
"""
