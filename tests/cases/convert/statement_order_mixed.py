# Graph statements, host statements and the session in no tidy order.
import numpy as np
import tensorflow as tf

lr = 0.1
w = tf.Variable([[1.0], [-1.0]], name="w")
data = np.array([[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]], dtype=np.float32)
x = tf.placeholder(tf.float32, [None, 2])
print("rows", len(data))
pred = tf.matmul(x, w)
target = np.array([[1.0], [2.0], [3.0]], dtype=np.float32)
sess = tf.Session()
y = tf.placeholder(tf.float32, [None, 1])
loss = tf.reduce_mean(tf.square(pred - y))
total = 0.0
train = tf.train.GradientDescentOptimizer(lr).minimize(loss)
sess.run(tf.global_variables_initializer())
for i in range(5):
    batch = data[:2] if i % 2 else data
    half = target[:len(batch)]
    _, value = sess.run([train, loss], {x: batch, y: half})
    total += value
accuracy = tf.reduce_max(tf.abs(pred - y))
print("total %.6f" % total, "worst %.6f" % sess.run(accuracy, {x: data, y: target}))
sess.close()
