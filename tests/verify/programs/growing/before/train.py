"""Every step builds the model, the loss and the optimizer again."""
import numpy as np
import tensorflow as tf

import parts

xs = np.random.rand(20, 3).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])


def main():
    sess = tf.InteractiveSession()
    for i in range(60):
        loss = tf.reduce_mean(tf.square(parts.predict(x + tf.random_normal([3], stddev=0.01)) - y))
        step = parts.train(loss)
        if i == 0:
            tf.global_variables_initializer().run()
        _, value = sess.run([step, loss], {x: xs, y: ys})
        if i % 10 == 0:
            print(i, value)


if __name__ == "__main__":
    main()
