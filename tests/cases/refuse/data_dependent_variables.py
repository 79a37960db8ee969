# refuse: whether a variable is made depends on a fetched value
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
out = x * 1.0
with tf.Session() as sess:
    for i in range(3):
        if sess.run(out, {x: float(i)}) > 1.5:
            w = tf.Variable(float(i), name="extra")  # here
            sess.run(w.initializer)
            out = out * w  # here
    print(sess.run(out, {x: 2.0}))
