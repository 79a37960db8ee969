# NumPy on fetched values, files, strings and a class between the runs.
import os
import tempfile
import numpy as np
import tensorflow as tf


class Meter(object):
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(float(v))

    def eval(self):
        return sum(self.values) / len(self.values)

    def run(self, times):
        return self.values * times


meter = Meter()
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(1.0)
loss = tf.reduce_mean(tf.square(x * w - 1.0))
opt = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
path = os.path.join(tempfile.mkdtemp(), "log.txt")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    with open(path, "w") as log:
        for i in range(4):
            batch = np.sin(np.arange(3) + i)
            _, l = sess.run([opt, loss], {x: batch})
            meter.add(l)
            log.write("%d %.6f\n" % (i, l))
print(open(path).read().strip())
print("%.6f" % meter.eval(), len(meter.run(2)))
