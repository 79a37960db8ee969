"""A hidden layer with dropout, Adam, a checkpoint and summaries; everything at module level."""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(4)
features = rng.rand(120, 5).astype("float32")
labels = np.eye(3, dtype="float32")[rng.randint(0, 3, 120)]

x_spec = tf.TensorSpec([None, 5], tf.float32, name="x")
y_spec = tf.TensorSpec([None, 3], tf.float32, name="y")
w1 = tf.Variable(tf.random.truncated_normal([5, 8], stddev=0.3), name="w1")
b1 = tf.Variable(tf.zeros([8]), name="b1")
out = tf.keras.layers.Dense(3, name="out")
out.build([None, 8])
variables = [w1, b1, out.kernel, out.bias]
optimizer = tf.keras.optimizers.Adam(0.02, epsilon=1e-8)
optimizer.build(variables)


def forward(x, rate):
    hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w1) + b1), rate=rate)
    return out(hidden)


def compute_loss(y, logits):
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))


@tf.function(input_signature=[x_spec, y_spec])
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = compute_loss(y, forward(x, 0.5))
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


@tf.function(input_signature=[x_spec, y_spec])
def compute_summaries(x, y):
    logits = forward(x, 0.0)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
    return compute_loss(y, logits), accuracy


train_step = train_step.get_concrete_function()
writer = tf.summary.create_file_writer("logs")
checkpoint = tf.train.Checkpoint(w1=w1, b1=b1, out=out, optimizer=optimizer)
for step in range(30):
    rows = rng.randint(0, 120, 16)
    value = train_step(features[rows], labels[rows]).numpy()
    if step % 10 == 0:
        loss, score = (item.numpy() for item in compute_summaries(features, labels))
        with writer.as_default(step=step):
            tf.summary.scalar("loss", loss)
        print("step", step, "loss %.4f" % value, "accuracy %.3f" % score)
checkpoint.write("saved/model-%d" % step)
writer.close()
np.save("weights.npy", w1.numpy())
