# refuse: an Estimator owns its session and its training loop
import numpy as np
import tensorflow as tf


def model_fn(features, labels, mode):
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(features["x"] * w - labels))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)  # here


x = np.arange(4, dtype=np.float32)
input_fn = tf.estimator.inputs.numpy_input_fn({"x": x}, 2 * x, batch_size=4, num_epochs=5, shuffle=False)  # here
estimator = tf.estimator.Estimator(model_fn)  # here
estimator.train(input_fn)
print("%.5f" % estimator.get_variable_value("w"))
