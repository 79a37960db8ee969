# Host while loops whose counter feeds the run, with break and continue.
import numpy as np
import tensorflow as tf

xs = np.arange(1, 11, dtype=np.float32)
x = tf.placeholder(tf.float32, [None])
w = tf.Variable(0.0, name="w")
loss = tf.reduce_mean(tf.square(w - x))
train = tf.train.GradientDescentOptimizer(0.3).minimize(loss)
batch = 3
step = 1
sess = tf.Session()
sess.run(tf.global_variables_initializer())
while step * batch < len(xs):
    part = xs[(step - 1) * batch:step * batch]
    sess.run(train, feed_dict={x: part})
    step += 1
    if step == 2:
        continue
    print(step, "%.5f" % sess.run(w))
done = False
while not done:
    _, l = sess.run([train, loss], {x: xs})
    done = l < 8.8 or step > 20
    step += 1
print(step, "%.5f" % l)
sess.close()
