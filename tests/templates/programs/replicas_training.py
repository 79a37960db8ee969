"""A program in the style of a converted one, trained on one device, on two mirrored ones, or as one worker of two.

replicas_training.py GENERATED FOLDER default|mirrored|multiworker      prints its results, one a line
"""

import glob
import os
import sys

import numpy as np
import tensorflow as tf

sys.path.insert(0, sys.argv[1])
from fused_optimizers import Adam, Momentum
from legacy_checkpoints import CheckpointManager
from replicas import own_folder, split

rng = np.random.RandomState(0)
features = rng.rand(256, 4).astype("float32")
labels = np.eye(3, dtype="float32")[rng.randint(0, 3, 256)]
words = rng.randint(0, 6, 256)

if sys.argv[3] == "mirrored":
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
elif sys.argv[3] == "multiworker":
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
else:
    strategy = tf.distribute.get_strategy()

x_spec = tf.TensorSpec([None, 4], tf.float32, name="x")
y_spec = tf.TensorSpec([None, 3], tf.float32, name="y")
words_spec = tf.TensorSpec([None], tf.int64, name="words")
rate_spec = tf.TensorSpec([], tf.float32, name="rate")
with strategy.scope():
    W = tf.Variable(tf.zeros([4, 3]), name="W")
    b = tf.Variable(tf.zeros([3]), name="b")
    table = tf.Variable(np.linspace(-1, 1, 18).reshape(6, 3).astype("float32"), name="table")
    steps = tf.Variable(
        0, name="steps", trainable=False, dtype=tf.int64, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA
    )
    optimizer, sparse_optimizer = Adam(0.1), Momentum(0.1, 0.9)
    optimizer.build([W, b])
    sparse_optimizer.build([table])


def forward(x, words):
    return tf.matmul(x, W) + b + tf.gather(table, words)


def replica_train_step(x, y, words, rate):
    with tf.GradientTape() as tape:
        logits = forward(x, words)
        loss = (
            tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits)) + tf.nn.l2_loss(W) * 0.01
        )
        scaled_loss = loss / strategy.num_replicas_in_sync  # gradients are summed over the replicas
    gradients = tape.gradient(scaled_loss, [W, b, table])
    optimizer.learning_rate.assign(rate)
    optimizer.apply_gradients(zip(gradients[:2], [W, b]))
    sparse_optimizer.apply_gradients([(gradients[2], table)])
    steps.assign_add(1)
    correct = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
    return loss, tf.reduce_sum(tf.cast(correct, tf.float32)), tf.nn.softmax(logits)


@tf.function
def distributed_train_step(x, y, words, rate):
    losses, correct, probabilities = strategy.run(replica_train_step, args=(x, y, words, rate))
    return (
        strategy.reduce(tf.distribute.ReduceOp.MEAN, losses, axis=None),
        strategy.reduce(tf.distribute.ReduceOp.SUM, correct, axis=None),
        strategy.gather(probabilities, axis=0),
    )


def train_step(x, y, words, rate):
    return distributed_train_step(*split(strategy, [x_spec, y_spec, words_spec, rate_spec], x, y, words, rate))


@tf.function(input_signature=[x_spec, y_spec, words_spec])
def compute_accuracy(x, y, words):  # trains nothing: every process computes it whole, on any number of examples
    correct = tf.equal(tf.argmax(forward(x, words), 1), tf.argmax(y, 1))
    return tf.reduce_mean(tf.cast(correct, tf.float32))


@tf.function
def reset_bias():
    b.assign(b * 0.5)


compute_accuracy = compute_accuracy.get_concrete_function()
checkpoint = tf.train.Checkpoint(W=W, b=b, table=table, optimizer=optimizer, sparse_optimizer=sparse_optimizer)
manager = CheckpointManager(checkpoint, own_folder(strategy, sys.argv[2]), max_to_keep=2, checkpoint_name="model")
for step in range(30):
    rows = rng.randint(0, 256, 32)
    loss, correct, probabilities = train_step(features[rows], labels[rows], words[rows], 0.1 * 0.97**step)
    if step % 10 == 9:
        reset_bias()
        manager.save(checkpoint_number=step)
        print("loss %.6f correct %d" % (loss.numpy(), correct.numpy()))
        print("probabilities", probabilities.shape, " ".join("%.5f" % p for p in probabilities.numpy()[::5, 1]))
        print("accuracy %.6f" % compute_accuracy(features[:251], labels[:251], words[:251]).numpy())
print("W", " ".join("%.5f" % v for v in W.numpy().ravel()), "steps", steps.numpy(), optimizer.iterations.numpy())
checkpoint.restore(manager.checkpoints[0])
print("restored", " ".join("%.5f" % v for v in table.numpy().ravel()))
for batch in (31, 0):
    try:
        train_step(features[: batch or 32], labels[: batch or 30], words[: batch or 32], 0.1)
    except ValueError as error:
        print("error", str(error).replace("1 replicas: take a multiple of 1", ""), file=sys.stderr)
if manager.directory == sys.argv[2]:
    print("files", sorted(os.path.basename(p) for p in glob.glob(os.path.join(sys.argv[2], "*.index"))))
