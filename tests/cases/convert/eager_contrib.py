# Eager: variables, iterators and gradients of tf.contrib.eager. (alone: it is eager)
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tfe = tf.contrib.eager

xs = np.arange(12, dtype=np.float32).reshape(6, 2) / 10.0
ys = np.array([[1.0], [2.0], [1.5], [0.5], [3.0], [2.5]], dtype=np.float32)
batches = tfe.Iterator(tf.data.Dataset.from_tensor_slices((xs, ys)).repeat().batch(3))

w = tfe.Variable(tf.fill([2, 1], 0.5), name="w")
b = tfe.Variable(0.25, name="b")
unused = tfe.Variable(7.0)
frozen = tfe.Variable(2.0, trainable=False)


def linear(inputs):
    return tf.matmul(inputs, w) + b


def squares(model_fn, inputs, labels):
    return frozen * tf.reduce_mean(tf.square(model_fn(inputs) - labels))


optimizer = tf.train.AdamOptimizer(0.1)
gradients = tfe.implicit_gradients(squares)
both = tfe.implicit_value_and_gradients(squares)
for step in range(4):
    x, y = batches.next()
    optimizer.apply_gradients(gradients(linear, x, y))
    print("%d %.4f" % (step, squares(linear, x, y)))

value, pairs = both(linear, xs, ys)
print("%.4f" % value, len(pairs))
for gradient, variable in pairs:
    print(np.round(gradient.numpy(), 3).tolist(), np.round(variable.numpy(), 3).tolist())
descent = tf.train.GradientDescentOptimizer(0.01)
descent.apply_gradients(pairs)
print("%.4f %.4f" % (w.numpy().sum(), b.numpy()), unused.numpy())
for row in tfe.Iterator(tf.data.Dataset.range(3)):
    print(row.numpy())
