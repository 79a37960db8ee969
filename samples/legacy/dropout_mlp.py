"""tf.layers with dropout and gradient clipping; dropout is on in training and off when the network is judged."""
import numpy as np
import tensorflow as tf

tf.set_random_seed(1)
np.random.seed(1)

# Hyper parameters
N_SAMPLES = 60
N_HIDDEN = 100
LR = 0.01

# training data and test data
x = np.linspace(-1, 1, N_SAMPLES)[:, np.newaxis]
y = x + 0.3*np.random.randn(N_SAMPLES)[:, np.newaxis]
test_x = x.copy()
test_y = test_x + 0.3*np.random.randn(N_SAMPLES)[:, np.newaxis]

# tf placeholders
tf_x = tf.placeholder(tf.float32, [None, 1])
tf_y = tf.placeholder(tf.float32, [None, 1])
tf_is_training = tf.placeholder(tf.bool, None)  # to control dropout when training and testing

# overfitting net
o1 = tf.layers.dense(tf_x, N_HIDDEN, tf.nn.relu)
o2 = tf.layers.dense(o1, N_HIDDEN, tf.nn.relu)
o_out = tf.layers.dense(o2, 1)
o_loss = tf.losses.mean_squared_error(tf_y, o_out)
o_train = tf.train.AdamOptimizer(LR).minimize(o_loss)

# dropout net
d1 = tf.layers.dense(tf_x, N_HIDDEN, tf.nn.relu)
d1 = tf.layers.dropout(d1, rate=0.5, training=tf_is_training)   # drop out 50% of inputs
d2 = tf.layers.dense(d1, N_HIDDEN, tf.nn.relu)
d2 = tf.layers.dropout(d2, rate=0.5, training=tf_is_training)   # drop out 50% of inputs
d_out = tf.layers.dense(d2, 1)
d_loss = tf.losses.mean_squared_error(tf_y, d_out)
d_optimizer = tf.train.AdamOptimizer(LR)
grads_and_vars = d_optimizer.compute_gradients(d_loss)
clipped = [(tf.clip_by_norm(grad, 1.0), var) for grad, var in grads_and_vars if grad is not None]
d_train = d_optimizer.apply_gradients(clipped)

sess = tf.Session()
sess.run(tf.global_variables_initializer())

for t in range(150):
    sess.run([o_train, d_train], {tf_x: x, tf_y: y, tf_is_training: True})  # train, set is_training=True

    if t % 30 == 0:
        # testing, set is_training=False
        o_loss_, d_loss_, o_out_, d_out_ = sess.run(
            [o_loss, d_loss, o_out, d_out], {tf_x: test_x, tf_y: test_y, tf_is_training: False})
        print('step %3d | overfitting loss = %.4f | dropout loss = %.4f | apart = %.4f' % (
            t, o_loss_, d_loss_, np.abs(o_out_ - d_out_).mean()))
