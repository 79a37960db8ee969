# Runs inside f-strings, arithmetic, conditions, arguments and returns.
import tensorflow as tf

x = tf.placeholder(tf.float32, [])
y = x * x + 1.0
v = tf.Variable(2.0)
inc = v.assign_add(1.0)


def ask(sess, value):
    return sess.run(y, {x: value})


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(f"y={sess.run(y, {x: 3.0}):.3f} v={v.eval():.1f}")
    print("sum %.2f" % (sess.run(y, {x: 1.0}) + 2 * sess.run(y, {x: 2.0})))
    if sess.run(y, {x: 0.0}) < 1.5:
        print("small")
    while sess.run(v) < 5.0:
        sess.run(inc)
    print(max(ask(sess, 1.0), ask(sess, 4.0)), sess.run(v))
