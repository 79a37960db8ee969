""" Auto Encoder Example.
Compresses 64 synthetic features to a code of 8 and builds them again, with weights and biases kept in dictionaries.
"""
from __future__ import division, print_function, absolute_import

import tensorflow as tf
import numpy as np

# Training Parameters
learning_rate = 0.01
num_steps = 300
batch_size = 128

display_step = 50
examples_to_show = 4

# Network Parameters
num_hidden_1 = 32 # 1st layer num features
num_hidden_2 = 8 # 2nd layer num features (the latent dim)
num_input = 64

np.random.seed(9)
factors = np.random.rand(1024, 6)
signals = 1 / (1 + np.exp(-factors.dot(np.random.randn(6, num_input))))

# tf Graph input (only pictures)
X = tf.placeholder("float", [None, num_input])

tf.set_random_seed(9)
weights = {
    'encoder_h1': tf.Variable(tf.random_normal([num_input, num_hidden_1], stddev=0.3)),
    'encoder_h2': tf.Variable(tf.random_normal([num_hidden_1, num_hidden_2], stddev=0.3)),
    'decoder_h1': tf.Variable(tf.random_normal([num_hidden_2, num_hidden_1], stddev=0.3)),
    'decoder_h2': tf.Variable(tf.random_normal([num_hidden_1, num_input], stddev=0.3)),
}
biases = {
    'encoder_b1': tf.Variable(tf.zeros([num_hidden_1])),
    'encoder_b2': tf.Variable(tf.zeros([num_hidden_2])),
    'decoder_b1': tf.Variable(tf.zeros([num_hidden_1])),
    'decoder_b2': tf.Variable(tf.zeros([num_input])),
}

# Building the encoder
def encoder(x):
    # Encoder Hidden layer with sigmoid activation #1
    layer_1 = tf.nn.sigmoid(tf.add(tf.matmul(x, weights['encoder_h1']),
                                   biases['encoder_b1']))
    # Encoder Hidden layer with sigmoid activation #2
    layer_2 = tf.nn.sigmoid(tf.add(tf.matmul(layer_1, weights['encoder_h2']),
                                   biases['encoder_b2']))
    return layer_2


# Building the decoder
def decoder(x):
    layer_1 = tf.nn.sigmoid(tf.add(tf.matmul(x, weights['decoder_h1']),
                                   biases['decoder_b1']))
    layer_2 = tf.nn.sigmoid(tf.add(tf.matmul(layer_1, weights['decoder_h2']),
                                   biases['decoder_b2']))
    return layer_2

# Construct model
encoder_op = encoder(X)
decoder_op = decoder(encoder_op)

# Prediction
y_pred = decoder_op
# Targets (Labels) are the input data.
y_true = X

# Define loss and optimizer, minimize the squared error
loss = tf.reduce_mean(tf.pow(y_true - y_pred, 2))
optimizer = tf.train.AdamOptimizer(learning_rate).minimize(loss)

# Initialize the variables (i.e. assign their default value)
init = tf.global_variables_initializer()

# Start Training
# Start a new TF session
with tf.Session() as sess:

    # Run the initializer
    sess.run(init)

    # Training
    for i in range(1, num_steps+1):
        # Prepare Data
        batch_x = signals[np.random.randint(0, len(signals), batch_size)]

        # Run optimization op (backprop) and cost op (to get loss value)
        _, l = sess.run([optimizer, loss], feed_dict={X: batch_x})
        # Display logs per step
        if i % display_step == 0 or i == 1:
            print('Step %i: Minibatch Loss: %f' % (i, l))

    # Encode and decode signals and look at their distance
    g = sess.run(decoder_op, feed_dict={X: signals[:examples_to_show]})
    print('Distance:', np.round(np.abs(g - signals[:examples_to_show]).mean(axis=1), 4))
