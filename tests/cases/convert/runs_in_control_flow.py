# Run sites in try, with, if/else, nested loops, a comprehension and a lambda.
import contextlib
import tensorflow as tf


@contextlib.contextmanager
def section(name):
    print("begin", name)
    yield
    print("end", name)


x = tf.placeholder(tf.float32, [])
count = tf.Variable(0.0)
add = tf.assign_add(count, x)
half = count / 2.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    with section("one"):
        for i in range(2):
            for j in range(2):
                sess.run(add, {x: float(i + j)})
    try:
        print("half", sess.run(half))
        raise ValueError("stop")
    except ValueError:
        print("after error", sess.run(add, {x: 5.0}))
    finally:
        print("finally", sess.run(half))
    print([float(sess.run(half)) for _ in range(2)])
    show = lambda v: sess.run(x * 3.0, {x: v})
    print(show(2.0), [show(float(n)) for n in range(3)] if sess.run(count) > 1 else "none")
