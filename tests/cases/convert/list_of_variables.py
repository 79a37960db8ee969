# Variables in a list and a dict, made by comprehensions, updated together.
import tensorflow as tf

vs = [tf.Variable(float(i + 1), name="v%d" % i) for i in range(3)]
named = {"gain": tf.Variable(2.0), "shift": tf.Variable(-1.0)}
x = tf.placeholder(tf.float32, [])
out = named["gain"] * tf.add_n(vs) * x + named["shift"]
ups = [v.assign_add(x) for v in vs]
grads = tf.gradients(out, vs)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(out, {x: 1.0}))
    sess.run(ups, {x: 0.5})
    print(sess.run(vs))
    print(sess.run(grads, {x: 3.0}))
    print(sum(sess.run(v) for v in vs))
