# A loop that makes a layer's variables each time round, with a list of variables.
# refused for now: TFM143
import numpy as np
import tensorflow as tf

sizes = [3, 4, 4, 1]
x = tf.placeholder(tf.float32, [None, 3])
net = x
weights = []
for i in range(3):
    init = np.cos(np.arange(sizes[i] * sizes[i + 1], dtype=np.float32)).reshape(sizes[i], sizes[i + 1])
    W = tf.Variable(init, name="W%d" % i)
    b = tf.Variable(tf.zeros([sizes[i + 1]]), name="b%d" % i)
    weights.append(W)
    net = tf.matmul(net, W) + b
    if i < 2:
        net = tf.nn.tanh(net)
decay = tf.add_n([tf.nn.l2_loss(w) for w in weights])
loss = tf.reduce_mean(tf.square(net - 1.0)) + 0.01 * decay
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        sess.run(train, {x: np.eye(3)})
        print("%.6f" % sess.run(loss, {x: np.eye(3)}))
    print(sess.run(weights[2]).ravel())
