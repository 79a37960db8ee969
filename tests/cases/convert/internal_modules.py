# Ops, flags and the session imported from internal modules of TensorFlow.
import numpy as np
from tensorflow.python.framework import ops, dtypes
from tensorflow.python.ops import array_ops, nn_ops, variable_scope as vs, init_ops, control_flow_ops
from tensorflow.python.platform import flags, app
from tensorflow.python.client import session
from tensorflow.python.training.gradient_descent import GradientDescentOptimizer
import tensorflow as tf
FLAGS = flags.FLAGS
flags.DEFINE_integer("steps", 3, "steps")

def main(_):
    x = array_ops.placeholder(dtypes.float32, [None, 2])
    w = vs.get_variable("w", [2, 3], initializer=init_ops.constant_initializer(0.5))
    y = nn_ops.bias_add(tf.matmul(x, w), ops.convert_to_tensor([0.1, 0.2, 0.3]))
    loss = tf.reduce_mean(tf.square(y))
    step = GradientDescentOptimizer(0.1).minimize(loss)
    with session.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(FLAGS.steps):
            _, l = sess.run([step, loss], {x: np.ones((4, 2))})
            print("%.6f" % l)

if __name__ == "__main__":
    app.run(main)
