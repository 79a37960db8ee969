"""The network of model_rebuilt_in_loop.py: a multilayer perceptron with two hidden layers."""
import tensorflow as tf


def inference(images, keep_prob):
    with tf.variable_scope("hidden1", reuse=tf.AUTO_REUSE):
        weights = tf.get_variable("weights", [48, 64], initializer=tf.truncated_normal_initializer(stddev=0.1))
        biases = tf.get_variable("biases", [64], initializer=tf.constant_initializer(0.1))
        hidden1 = tf.nn.relu(tf.matmul(images, weights) + biases)
    with tf.variable_scope("hidden2", reuse=tf.AUTO_REUSE):
        weights = tf.get_variable("weights", [64, 32], initializer=tf.truncated_normal_initializer(stddev=0.1))
        biases = tf.get_variable("biases", [32], initializer=tf.constant_initializer(0.1))
        hidden2 = tf.nn.relu(tf.matmul(hidden1, weights) + biases)
        hidden2 = tf.nn.dropout(hidden2, keep_prob)
    with tf.variable_scope("softmax_linear", reuse=tf.AUTO_REUSE):
        weights = tf.get_variable("weights", [32, 5], initializer=tf.truncated_normal_initializer(stddev=0.1))
        biases = tf.get_variable("biases", [5], initializer=tf.constant_initializer(0.0))
        softmax_linear = tf.add(tf.matmul(hidden2, weights), biases, name="softmax_linear")
    return softmax_linear


def losses(logits, labels):
    cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels, name="xentropy")
    return tf.reduce_mean(cross_entropy, name="loss")


def train(loss, learning_rate):
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=learning_rate)
    return optimizer.minimize(loss)


def evaluation(logits, labels):
    correct = tf.nn.in_top_k(logits, labels, 1)
    return tf.reduce_mean(tf.cast(correct, tf.float32))
