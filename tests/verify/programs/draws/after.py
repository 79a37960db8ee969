"""The same as native code: each run's draws in a function of their own."""
import numpy as np
import tensorflow as tf

labels = tf.constant([[3], [5]], tf.int64)
table = tf.Variable(np.linspace(-1, 1, 80).reshape(20, 4).astype("float32"), name="table")
bias = tf.Variable(tf.zeros([20]), name="bias")
start = tf.Variable(tf.random.normal([2]), name="start")
layer = tf.keras.layers.Dropout(0.25)
batches = iter(tf.data.Dataset.range(12).shuffle(5).repeat(2).batch(4))
noises = iter(tf.data.Dataset.range(6).map(lambda v: tf.cast(v, tf.float32) + tf.random.uniform([])))


@tf.function
def draw():
    normal = tf.random.normal([3], stddev=2.0)
    uniform = tf.random.uniform([3], -1.0, 1.0)
    whole = tf.random.uniform([4], 0, 100, tf.int32)
    truncated = tf.random.truncated_normal([2, 2])
    shuffled = tf.random.shuffle(tf.range(10))
    drawn = tf.random.categorical(tf.math.log([[0.2, 0.3, 0.5], [0.9, 0.05, 0.05]]), 6)
    gamma = tf.random.gamma([2], 1.5)
    flipped = tf.image.random_flip_left_right(tf.reshape(tf.range(12), [2, 6, 1]))
    return normal, uniform, whole, truncated, shuffled, drawn, gamma, flipped


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
def evaluate(x):
    uniform = tf.random.uniform([3], -1.0, 1.0)
    dropped = tf.nn.dropout(x, rate=0.5)
    layer_dropped = layer(x, training=True)
    nce = tf.nn.nce_loss(table, bias, labels, x, num_sampled=6, num_classes=20)
    sampled = tf.nn.sampled_softmax_loss(table, bias, labels, x, num_sampled=6, num_classes=20)
    return uniform, dropped, layer_dropped, nce, sampled


evaluate = evaluate.get_concrete_function()


@tf.function
def take():
    return next(batches)


@tf.function
def take_noise():
    return next(noises)


rows = np.arange(8).reshape(2, 4).astype("float32")
for step in range(3):
    plain = draw()
    fed = evaluate(rows)
    print(take().numpy(), take_noise().numpy())
print(start.numpy())
